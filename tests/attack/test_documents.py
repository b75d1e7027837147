"""Documents made to hurt: bombs, lying archives, XML that reaches out, endless words. Refused before any parser."""

from __future__ import annotations

import io
import socket
import struct
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from famulus.errors import ExtractionFailed
from famulus.knowledge.chunk import chunk
from famulus.knowledge.extract.base import Extracted, Limits
from famulus.knowledge.extract.document import read_document

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
BODY = f'<w:document xmlns:w="{W}"><w:body><w:p><w:r><w:t>hello</w:t></w:r></w:p></w:body></w:document>'
OFFICE = ("a.docx", "a.xlsx", "a.odt", "a.epub")


def read(data: bytes, name: str) -> Extracted:
    return read_document(data, name, None, Limits())


def refused(data: bytes, name: str) -> str:
    """The code of the refusal; it must come quickly and name the document."""
    started = time.process_time()
    with pytest.raises(ExtractionFailed) as raised:
        read(data, name)
    assert time.process_time() - started < 5
    assert name in str(raised.value)
    return raised.value.code


def parts_of(name: str) -> dict[str, str]:
    return {
        "a.docx": {"[Content_Types].xml": "<Types/>", "word/document.xml": BODY},
        "a.xlsx": {"[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>"},
        "a.odt": {"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": "<x/>"},
        "a.epub": {"mimetype": "application/epub+zip", "META-INF/container.xml": "<x/>"},
    }[name]


def archive(parts: dict[str, str], change: Callable[[zipfile.ZipFile], None] | None = None) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for part, text in parts.items():
            file.writestr(part, text)
        if change:
            change(file)
    return out.getvalue()


def add(part: str, data: bytes) -> Callable[[zipfile.ZipFile], None]:
    return lambda file: file.writestr(part, data)


def add_link(file: zipfile.ZipFile) -> None:
    info = zipfile.ZipInfo("word/link")
    info.external_attr = 0o120777 << 16
    file.writestr(info, "/etc/passwd")


@pytest.mark.parametrize("name", OFFICE)
def test_J01_200_mb_packed_into_200_kb_is_refused(name: str) -> None:
    assert refused(archive(parts_of(name), add("word/big.xml", bytes(200 << 20))), name) == "too_complex"


@pytest.mark.parametrize("name", OFFICE)
@pytest.mark.parametrize("entry", ["../../x", "/etc/passwd", "a/../../b", "C:\\x", "..\\x"])
def test_J01_path_that_leads_out_is_refused(name: str, entry: str, tmp_path: Path) -> None:
    assert refused(archive(parts_of(name), add(entry, b"x")), name) == "unreadable"
    assert list(tmp_path.iterdir()) == []


def test_J01_link_is_refused() -> None:
    assert refused(archive(parts_of("a.docx"), add_link), "a.docx") == "unreadable"


def test_J01_nested_archives_are_refused() -> None:
    inner = b"x"
    for _ in range(4):
        inner = archive({}, add("inner.zip", inner))
    assert refused(archive(parts_of("a.docx"), add("word/inner.zip", inner)), "a.docx") == "too_complex"


def test_J01_bomb_inside_an_inner_archive_is_refused() -> None:
    inner = archive({}, add("zeros", bytes(100 << 20)))
    assert refused(archive(parts_of("a.docx"), add("word/embedded.xlsx", inner)), "a.docx") == "too_complex"


def test_J01_many_entries_are_refused_before_they_are_listed() -> None:
    entries = {f"word/{number}": "" for number in range(20_000)}
    assert refused(archive(parts_of("a.docx") | entries), "a.docx") == "too_complex"


def test_J01_duplicate_names_are_refused() -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = archive(parts_of("a.docx"), add("word/document.xml", b"<other/>"))
    assert refused(data, "a.docx") == "unreadable"


def test_J01_size_that_lies_is_refused() -> None:
    data = bytearray(archive(parts_of("a.docx"), add("word/big.xml", bytes(1 << 20))))
    central = data.rindex(b"PK\x01\x02")
    struct.pack_into("<I", data, central + 24, 10)
    assert refused(bytes(data), "a.docx") == "too_complex"


def test_J01_local_name_that_differs_is_refused() -> None:
    data = archive(parts_of("a.docx")).replace(b"word/document.xml", b"word/dokument.xml", 1)
    assert refused(data, "a.docx") == "unreadable"


def test_J01_overlapping_entries_are_refused() -> None:
    data = bytearray(archive(parts_of("a.docx"), add("word/b.xml", b"<b/>" * 100)))
    central = data.rindex(b"PK\x01\x02")
    struct.pack_into("<I", data, central + 42, 0)
    assert refused(bytes(data), "a.docx") in ("too_complex", "unreadable")


def test_J01_encrypted_archive_is_said_to_be_encrypted() -> None:
    data = bytearray(archive(parts_of("a.docx")))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.index(mark)
        data[at + offset] |= 1
    assert refused(bytes(data), "a.docx") == "encrypted"


def test_J01_plain_archive_is_unsupported_and_its_bomb_too_complex() -> None:
    assert refused(archive({"a.txt": "hello"}), "a.zip") == "unsupported"
    assert refused(archive({}, add("a.txt", bytes(100 << 20))), "a.zip") == "too_complex"


@pytest.fixture
def sink() -> Iterator[tuple[str, list[bytes]]]:
    """A server on loopback that must stay silent."""
    seen: list[bytes] = []
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(0.05)
    stop = threading.Event()

    def listen() -> None:
        while not stop.is_set():
            try:
                seen.append(server.accept()[0].recv(100))
            except TimeoutError:
                continue

    thread = threading.Thread(target=listen)
    thread.start()
    yield f"http://127.0.0.1:{server.getsockname()[1]}/x.dtd", seen
    stop.set()
    thread.join()
    server.close()


HEADS = {
    "laughs": '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>',
    "file": '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
    "external": '<!DOCTYPE x SYSTEM "SINK">',
    "parameter": '<!DOCTYPE x [<!ENTITY % p SYSTEM "SINK"> %p;]>',
    "public": '<!DOCTYPE x PUBLIC "-//EVIL//DTD//EN" "SINK">',
    "include": '<!-- <xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="SINK"/> -->',
}
TARGETS = [
    ("a.docx", "word/document.xml"),
    ("a.odt", "content.xml"),
    ("a.epub", "META-INF/container.xml"),
    ("a.xml", ""),
]


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize(("name", "part"), TARGETS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_J02_xml_that_reaches_out_is_refused(
    head: str, name: str, part: str, encoding: str, sink: tuple[str, list[bytes]]
) -> None:
    address, seen = sink
    text = f'<?xml version="1.0" encoding="{encoding}"?>' + HEADS[head].replace("SINK", address) + "<x>&a;</x>"
    data = text.encode(encoding) if not part else archive(parts_of(name), None)
    if part:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
            for key, value in parts_of(name).items():
                file.writestr(key, text.encode(encoding) if key == part else value)
        data = out.getvalue()
    assert refused(data, name) == "too_complex"
    assert seen == []


@pytest.mark.parametrize("size", [65_530, 70_000, 262_140, 600_000])
def test_J02_declaration_behind_a_long_comment_is_refused(size: int) -> None:
    text = f'<?xml version="1.0"?><!--{"x" * size}--><!DOCTYPE x [<!ENTITY a "ha">]><x>&a;</x>'
    assert refused(archive(parts_of("a.xlsx") | {"xl/worksheets/sheet1.xml": text}), "a.xlsx") == "too_complex"


def test_J02_huge_attribute_and_deep_nesting_end_in_a_refusal_or_text() -> None:
    huge = BODY.replace("<w:p>", f'<w:p w:x="{"a" * 5_000_000}">')
    assert read(archive(parts_of("a.docx") | {"word/document.xml": huge}), "a.docx").text == "hello"
    deep = BODY.replace("<w:t>", "<w:smartTag>" * 50_000 + "<w:t>").replace(
        "</w:t>", "</w:t>" + "</w:smartTag>" * 50_000
    )
    assert refused(archive(parts_of("a.docx") | {"word/document.xml": deep}), "a.docx") in ("too_complex", "unreadable")


def test_J05_text_of_ten_million_tokens_is_refused_clearly_or_bounded() -> None:
    with pytest.raises(ExtractionFailed, match="characters") as raised:
        read_document(b"word " * 300_000, "a.txt", None, Limits(text_chars=1_000_000))
    assert raised.value.code == "too_large"


def test_J05_one_word_of_5_mb_gives_chunks_within_the_limit() -> None:
    found = read(b"x" * 5_000_000, "a.txt")
    assert max(len(draft.text) for draft in chunk(found)) <= 1200


def test_J05_mixed_encodings_and_nuls_are_read_with_warnings() -> None:
    found = read("Größe ".encode() + "Straße ".encode("cp1252") + b"\x00 x\ry", "a.txt")
    assert {warning.code for warning in found.warnings} == {"encoding_guessed", "control_characters"}
    assert "Straße" in found.text


def test_case05_names_are_never_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = [
        "../../etc/passwd",
        "Übersicht – Größe 📎.txt",
        "a b;c'\"d.txt",
        "x" * 250 + ".txt",
        "/abs/olute.txt",
        "nul\x00.txt",
    ]
    for number, name in enumerate(names):
        assert read(f"name test {number}".encode(), name).text == f"name test {number}"
    assert list(tmp_path.iterdir()) == []
