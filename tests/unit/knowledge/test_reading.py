"""Reading details that need no worker process: encodings, media types, tables, mail, hidden structure."""

from __future__ import annotations

import codecs
from email.message import EmailMessage

import pytest

from famulus.errors import ExtractionFailed
from famulus.knowledge.extract.base import Extracted, Limits
from famulus.knowledge.extract.clean import clean
from famulus.knowledge.extract.document import read_document
from famulus.knowledge.extract.encoding import decode
from famulus.knowledge.extract.language import detect_language
from famulus.knowledge.extract.plain.delimited import sniff_separator
from famulus.knowledge.extract.sniff import sniff
from famulus.knowledge.extract.tables import cell_type

TEXT = "Größe der Straße: 12 m\n"


def read(data: bytes | str, name: str) -> Extracted:
    return read_document(data.encode() if isinstance(data, str) else data, name, None, Limits())


def code_of(data: bytes, name: str) -> str:
    with pytest.raises(ExtractionFailed) as raised:
        read(data, name)
    assert name in str(raised.value)
    return raised.value.code


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"),
        TEXT.encode("utf-16-le"),
        TEXT.encode("utf-16-be"),
    ],
)
def test_every_unicode_encoding_gives_the_same_text(data: bytes) -> None:
    assert read(data, "a.txt").text == TEXT.strip()
    assert read(data, "a.txt").warnings == ()


def test_windows_text_is_read_with_a_warning() -> None:
    found = read(TEXT.encode("cp1252"), "a.txt")
    assert found.text == TEXT.strip()
    assert [warning.code for warning in found.warnings] == ["encoding_guessed"]


def test_declared_charset_is_used() -> None:
    assert decode("Ж".encode("koi8-r"), declared="koi8-r").text == "Ж"
    page = '<meta charset="windows-1251"><p>Привет, мир</p>'.encode("cp1251")
    assert read(page, "a.html").text == "Привет, мир"


def test_lone_carriage_returns_nuls_and_surrogates_are_cleaned() -> None:
    assert clean("a\rb\r\nc\x00\ud800d\u2028e") == "a\nb\ncd\ne"
    found = read(b"one\rtwo\x00 three", "a.txt")
    assert found.text == "one\ntwo three"
    assert [warning.code for warning in found.warnings] == ["control_characters"]


def test_decomposed_letters_become_nfc() -> None:
    assert read("Gro\u0308ße", "a.txt").text == "Größe"


def test_a_million_empty_lines_leave_two_paragraphs() -> None:
    assert read("a" + "\n" * 1_000_000 + "b", "a.txt").text == "a\n\nb"


@pytest.mark.parametrize("data", [b"", b"   \n", b"\xef\xbb\xbf \n"])
def test_nothing_inside_is_said_to_be_empty(data: bytes) -> None:
    assert code_of(data, "leer.txt") == "empty"


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (b"\x89PNG\r\n\x1a\n1234", "a.txt", "unsupported"),
        (b"\x7fELF" + bytes(range(256)), "a.md", "unsupported"),
        (bytes(range(256)) * 20, "a.txt", "unsupported"),
        (b"%PDF-1.7 nothing", "a.pdf", "unreadable"),
        (b"PK\x03\x04 nothing", "a.docx", "unreadable"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_code(data: bytes, name: str, code: str) -> None:
    assert code_of(data, name) == code


@pytest.mark.parametrize(
    ("data", "name", "claimed", "expected"),
    [
        (b"%PDF-1.4", "a.txt", "text/plain", "application/pdf"),
        (b"# hi", "a.md", "application/pdf", "text/markdown"),
        (b"<!doctype html><p>x", "noname", "text/plain", "text/html"),
        (b"From: a@b.c\nTo: d@e.f\nSubject: x\n\ny", "noname", None, "message/rfc822"),
        (b"plain", "noname", "image/png", "text/plain"),
        (b"{\\rtf1 x}", "a.doc", None, "application/rtf"),
    ],
)
def test_type_comes_from_the_bytes_and_the_name(data: bytes, name: str, claimed: str | None, expected: str) -> None:
    assert sniff(data, name, claimed) == expected


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("a;b;c\n1,5;2;3\n", ";"),
        ("a\tb\n1\t2\n", "\t"),
        ("a,b\n1,2\n", ","),
        ("a|b\n1|2\n", "|"),
        ("word\nword\n", ","),
    ],
)
def test_separator_is_found(text: str, separator: str) -> None:
    assert sniff_separator(text) == separator


def test_csv_keeps_numbers_as_written_and_tells_the_columns() -> None:
    found = read("id;city;amount\n1;C1;1234,56\n2;C2;7\n", "a.csv")
    assert found.text == "id: 1; city: C1; amount: 1234,56\nid: 2; city: C2; amount: 7"
    assert found.tables[0].column_types == ("integer", "text", "decimal")
    assert found.tables[0].rows == 2


def test_csv_with_quotes_line_breaks_and_an_unclosed_quote() -> None:
    assert read('a,b\n"x, y","two\nlines"\n', "a.csv").text == "a: x, y; b: two lines"
    assert "rest" in read('a,b\n1,"never closed\nrest,2\n', "a.csv").text


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("1.234,56", "decimal"),
        ("12", "integer"),
        ("2026-03-31", "date"),
        ("31.03.2026", "date"),
        ("x1", "text"),
        ("", "empty"),
    ],
)
def test_cell_types(value: str, kind: str) -> None:
    assert cell_type(value) == kind


def test_200000_nested_tags_are_read_to_the_end() -> None:
    assert read("<div>" * 200_000 + "innermost" + "</div>" * 200_000, "a.html").text == "innermost"


def test_inner_table_stays_in_its_cell() -> None:
    page = "<table><tr><td>before<table><tr><td>x</td><td>y</td></tr></table>after</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>"
    text = read(page, "a.html").text
    assert "before x y after" in text
    assert "| c | d |" in text


def mail_in_mail(depth: int) -> EmailMessage:
    mail = EmailMessage()
    mail["Subject"] = f"Level {depth}"
    mail.set_content(f"Body of level {depth}.")
    if depth:
        mail.add_attachment(mail_in_mail(depth - 1))
    return mail


def test_mails_inside_mails_are_read_up_to_a_limit() -> None:
    found = read(mail_in_mail(6).as_bytes(), "a.eml")
    assert "Body of level 3." in found.text
    assert "Body of level 1." not in found.text
    assert "attachment_unread" in [warning.code for warning in found.warnings]


def test_broken_attachment_is_a_warning_not_a_failure() -> None:
    mail = EmailMessage()
    mail["Subject"] = "Hi"
    mail.set_content("Body.")
    mail.add_attachment(b"PK\x03\x04 no zip", maintype="application", subtype="zip", filename="a.zip")
    found = read(mail.as_bytes(), "a.eml")
    assert "Body." in found.text
    assert [warning.code for warning in found.warnings] == ["attachment_unread"]


def test_notebook_gives_text_and_code() -> None:
    book = '{"cells":[{"cell_type":"markdown","source":["# T\\n","text"]},{"cell_type":"code","source":"x=1","outputs":[]}]}'
    found = read(book, "a.ipynb")
    assert [(block.kind, block.section) for block in found.blocks] == [
        ("heading", ("T",)),
        ("text", ("T",)),
        ("code", ("T",)),
    ]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Die Kündigungsfrist beträgt drei Monate zum Monatsende.", "de"),
        ("The notice period is three months to the end of a month.", "en"),
        ("Le délai de résiliation est de trois mois pour la fin du mois.", "fr"),
        ("De opzegtermijn bedraagt drie maanden tegen het einde van de maand.", "nl"),
        ("12 345 67.8", None),
    ],
)
def test_language(text: str, language: str | None) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize("ending", ["docx", "pdf", "xlsx"])
def test_plain_text_under_the_name_of_another_format_is_told(ending: str) -> None:
    found = read("this was never an office document", f"report.{ending}")
    assert [warning.code for warning in found.warnings] == ["type_mismatch"]
    assert read("plain text", "report.txt").warnings == ()
