"""The shipped sample folder and its question set agree with each other.

The text is taken with small independent readers, not with the product's extractors, so that an error there cannot hide here.
"""

import email
import email.policy
import json
import unicodedata
import zipfile
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pypdfium2
import pytest
from lxml import etree, html

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
OFFICE = EXAMPLES / "office"
CLASSES = {"single", "two_part", "comparison", "arithmetic", "date", "unanswerable"}
QUESTIONS: list[dict[str, Any]] = [
    json.loads(line) for line in (EXAMPLES / "questions.jsonl").read_text("utf-8").splitlines()
]


def _docx(path: Path) -> str:
    document = docx.Document(str(path))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return "\n".join([paragraph.text for paragraph in document.paragraphs] + cells)


def _pdf(path: Path) -> str:
    document = pypdfium2.PdfDocument(path)
    text = "\n".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    return text


def _xlsx(path: Path) -> str:
    workbook = openpyxl.load_workbook(path, read_only=True)
    rows = [row for sheet in workbook for row in sheet.iter_rows(values_only=True)]
    workbook.close()
    return "\n".join("\t".join(str(value) for value in row) for row in rows)


def _archive(path: Path) -> str:
    with zipfile.ZipFile(path) as archive:
        pages = [name for name in archive.namelist() if name.endswith(".xhtml") or name == "content.xml"]
        return "\n".join(" ".join(etree.fromstring(archive.read(name)).itertext()) for name in pages)


def _mail(path: Path) -> str:
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    return "\n".join(part.get_content() for part in message.walk() if part.get_content_maintype() == "text")


def _html(path: Path) -> str:
    return html.fromstring(path.read_bytes()).text_content()


READERS = {
    ".docx": _docx, ".pdf": _pdf, ".xlsx": _xlsx, ".epub": _archive, ".odt": _archive, ".eml": _mail, ".html": _html,
}  # fmt: skip


@cache
def text_of(name: str) -> str:
    [path] = OFFICE.rglob(name)
    reader = READERS.get(path.suffix)
    return plain(reader(path) if reader else path.read_text("utf-8"))


def plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def passages(question: dict[str, Any]) -> list[dict[str, str]]:
    return [place for item in question["expect"] for place in [item, *item.get("or", [])]]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_expected_passages_stand_in_their_documents(question: dict[str, Any]) -> None:
    for place in passages(question):
        assert place["passage"] in text_of(place["document"])
        assert 20 <= len(place["passage"]) <= 120


def test_question_ids_and_texts_are_unique() -> None:
    assert len({question["id"] for question in QUESTIONS}) == len(QUESTIONS)
    assert len({question["question"].casefold() for question in QUESTIONS}) == len(QUESTIONS)


def test_every_language_has_enough_questions_of_every_class() -> None:
    languages = Counter(question["language"] for question in QUESTIONS)
    wanted = {"en": 30, "de": 24, "nl": 14, "fr": 14}
    assert all(languages[language] >= count for language, count in wanted.items())
    pairs = {(question["language"], question["class"]) for question in QUESTIONS}
    assert pairs == {(language, name) for language in wanted for name in CLASSES}


def test_questions_without_an_answer_expect_nothing() -> None:
    without = [question for question in QUESTIONS if not question["answerable"]]
    assert len(without) >= 14
    assert all(question["class"] == "unanswerable" and not question["expect"] for question in without)
    assert all(question["expect"] and question["keywords"] for question in QUESTIONS if question["answerable"])


def test_few_questions_cross_languages() -> None:
    assert sum(question.get("cross", False) for question in QUESTIONS) <= 6


def test_every_document_is_asked_about() -> None:
    asked = {place["document"] for question in QUESTIONS for place in passages(question)}
    files = [path.name for path in OFFICE.rglob("*") if path.is_file()]
    assert len(files) == len(set(files))
    assert set(files) - asked == set()


def test_sample_folder_stays_small() -> None:
    assert sum(path.stat().st_size for path in EXAMPLES.rglob("*") if path.is_file()) < 1_500_000


@pytest.mark.parametrize("source", sorted((EXAMPLES / "sources").glob("*.md")), ids=lambda path: path.stem)
def test_made_files_hold_the_text_of_their_source(source: Path) -> None:
    [made] = OFFICE.glob(f"{source.stem}.*")
    for line in source.read_text("utf-8").splitlines():
        for piece in line.lstrip("#").split("|"):
            assert plain(piece) in text_of(made.name)
