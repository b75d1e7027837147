"""Files through the door of the whole product: what cannot be read, names, twins, words of German, pages."""

from __future__ import annotations

import asyncio
import io
import struct
import unicodedata
import zlib
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

import docx
import pytest
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from tests.system.product import BASES, Product, TinyEmbedder, product, results

from famulus.testing.model_servers import Call, Say


@pytest.fixture(scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory, anyio_backend: str) -> AsyncIterator[Product]:
    async with product(tmp_path_factory.mktemp("documents") / "data", embedder=TinyEmbedder()) as shared:
        yield shared


@pytest.fixture
async def famulus(shared: Product) -> AsyncIterator[Product]:
    newcomer = await shared.newcomer()
    yield newcomer
    await newcomer.serves()


def picture() -> ImageReader:
    """A small grey PNG."""

    def part(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    pixels = zlib.compress(b"".join(b"\x00" + bytes([90] * 8) for _ in range(8)))
    head = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", pixels) + part(b"IEND", b"")
    return ImageReader(io.BytesIO(png))


def pdf(*pages: str | None) -> bytes:
    """A page for each text; None is a page that is only a picture."""
    out = io.BytesIO()
    canvas = Canvas(out)
    for page in pages:
        if page is None:
            canvas.drawImage(picture(), 100, 400, 300, 200)
        else:
            canvas.drawString(72, 760, page)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


async def test_case_02_a_scan_is_never_ready_and_an_unread_page_is_told(famulus: Product) -> None:
    base = await famulus.base()
    scan = await famulus.put(base, "scan.pdf", pdf(None, None))
    assert (scan["status"], scan["error_code"], scan["chunk_count"]) == ("failed", "no_text", 0)
    mixed = await famulus.put(base, "mixed.pdf", pdf("Delivery note of the garden chairs.", None))
    assert (mixed["status"], len(mixed["warnings"])) == ("ready", 1)
    assert "page 2" in mixed["warnings"][0]
    famulus.script(
        [Call("search_documents", {"query": "garden chairs"}), Call("read_document", {"name": "mixed.pdf"})],
        Say("Page 2 could not be read."),
    )
    await famulus.ask("What does page 2 of mixed.pdf say?", base)
    found, read = results(famulus.asked[1])
    assert found["hits"][0]["warnings"] == read["warnings"] == mixed["warnings"]
    run = await famulus.ask("What is the amount of the invoice?", base, model="builtin/extractive")
    assert (run["sources"], "do not hold an answer" in run["answer"]) == ([], True)


async def test_case_03_files_with_nothing_inside_fail_each_with_its_reason(famulus: Product) -> None:
    base, empty = await famulus.base(), io.BytesIO()
    document = docx.Document()
    document.add_paragraph("")
    document.save(empty)
    batch = {"zero.txt": b"", "blank.txt": b"   \n", "empty.docx": empty.getvalue(), "good.md": b"ok"}
    answer = await famulus.client.upload(base, batch)
    assert (answer.status, [item["name"] for item in answer.body["items"]]) == (202, list(batch))
    read = [await famulus.read(item["document_id"]) for item in answer.body["items"]]
    assert [document["status"] for document in read] == ["failed", "failed", "failed", "ready"]
    for document in read[:3]:
        assert (document["error_code"], document["chunk_count"]) == ("empty", 0)
        assert document["name"] in document["error"]
    await famulus.client.until(f"/api/v1/documents/{read[3]['id']}", lambda body: body["vectors"] == "ready")
    assert famulus.rows(f"SELECT count(*) FROM chunk WHERE kb = '{base}'") == [(1,)]
    for document in read:
        assert (await famulus.client.call("DELETE", f"/api/v1/documents/{document['id']}")).status == 204
    assert await famulus.search(base, "ok") == []


async def as_a_browser(
    famulus: Product, base: str, name: str, text: str, on_conflict: str = "replace"
) -> dict[str, Any]:
    """The item of an upload whose name goes over the wire as browsers write it: UTF-8, only quotes and line ends encoded."""
    escaped = name.replace('"', "%22")
    body = (
        f'--xyz\r\nContent-Disposition: form-data; name="on_conflict"\r\n\r\n{on_conflict}\r\n'
        f'--xyz\r\nContent-Disposition: form-data; name="file"; filename="{escaped}"\r\n'
        f"Content-Type: text/plain\r\n\r\n{text}\r\n--xyz--\r\n"
    ).encode()
    headers = {"Content-Type": "multipart/form-data; boundary=xyz"}
    answer = await famulus.client.call("POST", f"{BASES}/{base}/documents", data=body, headers=headers)
    assert answer.status == 202, answer.text
    return answer.body["items"][0]


NAMES = ["Übersicht – Größe 📎.txt", "a b;c'\"d.txt", "x" * 246 + ".txt"]


@pytest.mark.parametrize("name", NAMES, ids=["unicode", "punctuation", "250_bytes"])
async def test_case_05_a_file_name_is_shown_sent_back_and_no_path(famulus: Product, name: str) -> None:
    base = await famulus.base()
    first = await famulus.read(
        (await as_a_browser(famulus, base, unicodedata.normalize("NFD", name), "name test 1"))["document_id"]
    )
    assert first["name"] == unicodedata.normalize("NFC", name)
    again = await as_a_browser(famulus, base, name, "name test 2", "skip")
    assert again["document_id"] == first["id"]
    second = await famulus.read((await as_a_browser(famulus, base, name, "name test 3"))["document_id"])
    assert (second["id"], second["revision"]) == (first["id"], 2)
    original = await famulus.client.get(f"/api/v1/documents/{first['id']}/original")
    assert original.text == "name test 3"
    disposition = original.headers["Content-Disposition"]
    assert disposition.endswith(f"filename*=UTF-8''{quote(name, safe='')}")
    assert disposition.isascii()
    files = [path.name for path in famulus.folder.rglob("*")]
    assert not [file for file in files if "bersicht" in file or "a b" in file or "xxxx" in file]
    assert (await famulus.client.call("DELETE", f"/api/v1/documents/{first['id']}")).status == 204
    assert (await famulus.client.get(f"/api/v1/documents/{first['id']}/original")).status == 404


async def test_case_09_the_same_bytes_twice_at_once_are_one_document(famulus: Product) -> None:
    base = await famulus.base()
    data = "".join(f"Line {number} of the large text is about item {number * 7}.\n" for number in range(9_500)).encode()
    assert len(data) > 400_000
    answers = await asyncio.gather(
        *(famulus.client.upload(base, {f"{name}.txt": io.BytesIO(data)}) for name in ("one", "two"))
    )
    items = [answer.body["items"][0] for answer in answers]
    assert len({item["document_id"] for item in items}) == 1
    assert sum(item["duplicate_of"] == items[0]["document_id"] for item in items) == 1
    document = await famulus.read(items[0]["document_id"])
    assert document["status"] == "ready"
    again = (await famulus.client.upload(base, {"three.txt": io.BytesIO(data)})).body["items"][0]
    assert again["duplicate_of"] == document["id"]
    listed = (await famulus.client.get(f"{BASES}/{base}/documents")).body["items"]
    assert [(item["id"], item["chunk_count"]) for item in listed] == [(document["id"], document["chunk_count"])]
    jobs = famulus.rows(f"SELECT count(*) FROM job WHERE key LIKE '{document['id']}%'")
    assert jobs[0][0] <= 1


QUERIES = {"Kündigungsfrist": 0, "kuendigungsfrist": 0, "GRÖSSE": 1, "groesse": 1, "strasse": 1, "Mär": 0}


@pytest.mark.parametrize("mode", ["keyword", "hybrid"])
async def test_case_17_german_words_are_found_in_every_spelling(famulus: Product, mode: str) -> None:
    base = await famulus.base()
    texts = ["Die Kündigungsfristenregelung gilt ab 1. März.", "Größe der Straße: 12 m"]
    for number, text in enumerate(texts):
        await famulus.put(base, f"{number}.txt", unicodedata.normalize("NFD" if number else "NFC", text))
    for query, number in QUERIES.items():
        hits = await famulus.search(base, query, mode="keyword")
        assert [hit["text"] for hit in hits] == [texts[number]], query
        assert (await famulus.search(base, query, mode=mode))[0]["text"] == texts[number]


async def test_case_17_a_part_of_a_word_finds_no_unrelated_document(famulus: Product) -> None:
    base = await famulus.base()
    await famulus.put(base, "hall.txt", "Sporthalle")
    await famulus.put(base, "e.txt", "e")
    assert {hit["text"] for hit in await famulus.search(base, "Hall", mode="keyword")} <= {"Sporthalle"}


async def test_case_24_a_page_belongs_to_its_document(famulus: Product) -> None:
    base = await famulus.base()
    nine = await famulus.put(
        base,
        "nine.pdf",
        pdf(*(f"Page {number} tells of things." for number in range(1, 9)), "The word ultimo is here."),
    )
    await famulus.put(base, "second.txt", "second doc")
    one = await famulus.put(base, "one.pdf", pdf("The only page of the leaflet."))
    assert (nine["pages"], one["pages"]) == (9, 1)
    famulus.script(
        [
            Call("search_documents", {"query": query, "mode": "keyword"})
            for query in ("ultimo", "second doc", "leaflet")
        ],
        Say("The word ultimo is here [1]. It is the second doc [2]. It is the only page of the leaflet [3]."),
    )
    run = await famulus.ask("Where does what stand?", base)
    hits = [hit for result in results(famulus.asked[1]) for hit in result["hits"]]
    assert all(hit.get("page", 1) <= {"nine.pdf": 9, "one.pdf": 1}[hit["document"]] for hit in hits if "page" in hit)
    cited = {source["document_name"]: source["page"] for source in run["sources"]}
    assert cited["nine.pdf"] == 9
    assert cited.get("second.txt") is None
    for query, page in (("ultimo", 9), ("second doc", None), ("leaflet", 1)):
        (hit, *_) = await famulus.search(base, query, mode="keyword")
        assert hit["page"] == page
