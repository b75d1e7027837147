"""CSV and its relatives: the separator is found out, each row becomes a line that carries its header."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from famulus.knowledge.extract.builder import TextBuilder
from famulus.knowledge.extract.clean import clean
from famulus.knowledge.extract.encoding import decode
from famulus.knowledge.extract.tables import add_records

_SEPARATORS = ";\t,|"
_SAMPLE_LINES = 50
_FIELD_CHARS = 1_000_000


def add_csv(builder: TextBuilder, data: bytes, name: str) -> None:
    """All rows as record lines; values stay as written (`1234,56` is not touched)."""
    decoded = decode(data)
    builder.warnings.extend(decoded.warnings)
    text = clean(decoded.text)
    separator = _declared_separator(text)
    if separator:
        text = text.partition("\n")[2]
    add_records(builder, "", _rows(text, separator or sniff_separator(text)))


def sniff_separator(text: str) -> str:
    """The separator that gives the most equal rows of more than one column; comma when none does.

    The standard library's sniffer is not used: it takes letters for separators in prose-like files.
    """
    sample = "\n".join(text.split("\n", _SAMPLE_LINES)[:_SAMPLE_LINES])
    best, best_score = ",", 0.0
    for separator in _SEPARATORS:
        widths = [len(row) for row in _rows(sample, separator) if any(row)]
        if not widths:
            continue
        common = max(set(widths), key=widths.count)
        share = widths.count(common) / len(widths)
        if common > 1 and share * min(common, 4) > best_score:
            best, best_score = separator, share * min(common, 4)
    return best


def _declared_separator(text: str) -> str:
    """Spreadsheet programs write `sep=;` as a first line."""
    first = text[:6].lower()
    return text[4] if first.startswith("sep=") and len(text) > 5 and text[5] == "\n" else ""


def _rows(text: str, separator: str) -> Iterator[list[str]]:
    csv.field_size_limit(_FIELD_CHARS)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    while True:
        try:
            yield next(reader)
        except StopIteration:
            return
        except csv.Error:
            # An unclosed quote swallowed the rest of the file: fall back to lines without quoting.
            yield from (line.split(separator) for line in text.split("\n")[reader.line_num :])
            return
