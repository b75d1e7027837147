"""A passage cut into what can be quoted: sentences, list items, and table rows read as `header: value`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Final

from famulus.models.providers.extractive.situation import Seen
from famulus.text.dates import DateMention, find_dates
from famulus.text.language import guess_language
from famulus.text.quantities import Quantity, find_quantities
from famulus.text.sentences import sentences
from famulus.text.stopwords import GRAMMAR
from famulus.text.words import words

_PIPE: Final = re.compile(r"^\s*\|.*\|\s*$")
_DELIMITER: Final = re.compile(r"^[\s|:-]+$")
_RECORD: Final = re.compile(r"^[^:;|]{1,60}: [^;]+(?:; [^:;|]{1,60}: [^;]*)+$")
_LABELLED: Final = re.compile(r"^(?P<label>[A-ZÀ-Þ][^:|.;]{1,45}):\s+(?P<value>\S.*)$")
_ITEM: Final = re.compile(r"^\s*(?:[-*•–]|\d{1,2}[.)]|[a-z]\))\s+")
_MARKDOWN_HEADING: Final = re.compile(r"^#{1,6}\s+(?P<title>.+)$")
_NUMBERED_HEADING: Final = re.compile(
    r"^(?:(?:article|artikel|art\.|chapter|kapitel|hoofdstuk|chapitre|section|abschnitt|§)\s*\d+\b.*|\d{1,2}(?:\.\d+)*\.?\s+[A-ZÀ-Þ].*|[A-ZÀ-Þ0-9][A-ZÀ-Þ0-9 .,&/'’()–-]{3,})$",
    re.IGNORECASE,
)
_AFTER_NUMBER: Final = re.compile(r"(?<=\d\.)\s+(?=[A-ZÀ-Þ])")
_LINK: Final = re.compile(r"\[([^\]\[]+)\]\([^)\s]*\)")
_MARKS: Final = re.compile(r"\*\*|__|`")
_BRACKETED_NUMBER: Final = re.compile(r"\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\]")


@dataclass(frozen=True, slots=True)
class Unit:
    """One quotable piece. `cells` are (header, value) of a row, label first; `place` is its index in the passage, `block` its paragraph."""

    text: str
    block: int
    place: int
    headings: tuple[str, ...] = ()
    cells: tuple[tuple[str, str], ...] = ()
    quantities: tuple[Quantity, ...] = ()
    dates: tuple[DateMention, ...] = ()
    language: str | None = None

    @property
    def table(self) -> tuple[str, ...]:
        """What rows of one table have in common: their headings and the names of the first columns, for empty cells are left out."""
        return (*self.headings, *(header for header, _ in self.cells[:2]))

    @property
    def label(self) -> str:
        return self.cells[0][1] if self.cells else ""


def days_of(unit: Unit) -> list[tuple[DateMention, date]]:
    """The days of a unit; one without a year is of the year that its sentence, else its heading, names."""
    years = [mention.year for mention in unit.dates if mention.year]
    if not years:
        years = [mention.year for title in reversed(unit.headings) for mention in find_dates(title) if mention.year]
    found: list[tuple[DateMention, date]] = []
    for mention in unit.dates:
        whole = mention if mention.year or not years else replace(mention, year=years[0])
        if whole.exact is not None:
            found.append((mention, whole.exact))
    return found


def units_of(seen: Seen) -> tuple[Unit, ...]:
    """All units of the passage in order. Cut ends of an excerpt give none."""
    return _units(seen.text, seen.section, seen.whole)


def language_of(seen: Seen) -> str | None:
    return _language(seen.text)


@lru_cache(maxsize=2_048)
def _language(text: str) -> str | None:
    guessed = guess_language(text)
    if guessed not in GRAMMAR:
        return guessed
    # A table or a list of names may look like any language: believed only with several grammar words (`l` is also litre).
    found = [word.key for word in words(text[:1_500])]
    grammar = [word for word in found if word in GRAMMAR[guessed] and len(word) > 1]
    return guessed if len(grammar) >= max(2, len(found) // 12) and len(set(grammar)) >= 2 else None


@lru_cache(maxsize=2_048)
def _units(text: str, section: tuple[str, ...], whole: bool) -> tuple[Unit, ...]:
    language = _language(text)
    builder = _Builder(section, language)
    for block in re.split(r"\n\s*\n", text):
        builder.block(block.split("\n"))
    units = builder.finish()
    if not whole:
        units = [unit for unit in units if not unit.text.startswith("…") and not unit.text.endswith("…")]
    return tuple(units)


_LEAD: Final = re.compile(r"[^\W\d_][^.;:]{1,40}:")


class _Builder:
    def __init__(self, section: tuple[str, ...], language: str | None) -> None:
        self.units: list[Unit] = []
        self._section = section
        self._language = language
        self._headings: tuple[str, ...] = ()
        self._lead: tuple[str, ...] = ()
        self._waiting = ""
        self._block = 0
        self._table_header: list[str] | None = None

    def finish(self) -> list[Unit]:
        """All units; a line that led nothing in is one."""
        if self._waiting:
            self._add(self._waiting)
        return self.units

    def block(self, lines: list[str]) -> None:
        self._block += 1
        waiting, self._waiting = self._waiting, ""
        listed = waiting and _ITEM.match(lines[0])
        self._lead = (waiting.rstrip(":"),) if listed else ()
        if waiting and not listed:
            self._add(waiting)
        if len(lines) == 1 and _LEAD.fullmatch(lines[0].strip()):
            self._waiting = lines[0].strip()
            return
        prose: list[str] = []
        for index, line in enumerate(lines):
            following = next((other for other in lines[index + 1 :] if other.strip()), "")
            if not line.strip():
                continue
            if (title := self._heading(line, following, alone=len(lines) == 1)) is not None:
                self._prose(prose)
                self._headings = (title,)
                self._table_header = None
            elif _PIPE.match(line):
                self._prose(prose)
                self._pipe_row(line, following)
            elif _RECORD.match(line):
                self._prose(prose)
                self._record(line)
            elif (
                _LABELLED.match(line)
                and not _goes_on(line, following)
                and (_LABELLED.match(following) or not following or self._after_labelled(prose))
            ):
                self._prose(prose)
                self._labelled(" ".join(line.split()))
            elif _ITEM.match(line):
                if not self._lead and len(prose) == 1 and _LEAD.fullmatch(prose[0].strip()):
                    # `Fixed:` says of each item what it is, and is no answer itself.
                    self._lead = (prose.pop().strip().rstrip(":"),)
                self._prose(prose)
                prose.append(_ITEM.sub("", line))
                self._block += 1
            else:
                prose.append(line)
        self._prose(prose)

    def _labelled(self, line: str) -> None:
        """`Decision: … Owner: …` stays one piece; a plain sentence after it is one of its own."""
        pieces: list[str] = []
        for sentence in sentences(line):
            if pieces and _LABELLED.match(sentence.text):
                pieces[-1] += f" {sentence.text}"
            else:
                pieces.append(sentence.text)
        for piece in pieces:
            self._add(piece)

    def _after_labelled(self, prose: list[str]) -> bool:
        return (
            not prose
            and bool(self.units)
            and self.units[-1].block == self._block
            and _LABELLED.match(self.units[-1].text) is not None
        )

    def _heading(self, line: str, following: str, *, alone: bool) -> str | None:
        if match := _MARKDOWN_HEADING.match(line):
            return match["title"].strip()
        bare = line.strip()
        if len(bare) <= 70 and not bare.endswith((".", ";", ",", ":")) and _NUMBERED_HEADING.match(bare):
            shouted = bare.upper() == bare and any(character.isalpha() for character in bare)
            if shouted or alone or (following and following.strip()[0].isupper() and not bare[0].islower()):
                return bare
        return None

    def _prose(self, lines: list[str]) -> None:
        text = " ".join(" ".join(lines).split())
        lines.clear()
        for sentence in sentences(text):
            # Outside German a number with a full stop ends a sentence; it is no ordinal.
            for piece in [sentence.text] if self._language in ("de", None) else _AFTER_NUMBER.split(sentence.text):
                self._add(piece)

    def _pipe_row(self, line: str, following: str) -> None:
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        if _DELIMITER.match(line):
            return
        if self._table_header is None and (_DELIMITER.match(following) if following else False):
            self._table_header = cells
            return
        headers = self._table_header or [""] * len(cells)
        self._row([(headers[i] if i < len(headers) else "", cell) for i, cell in enumerate(cells) if cell])

    def _record(self, line: str) -> None:
        parts = [part.split(": ", 1) for part in re.split(r"; (?=[^:;|]{1,60}: )", line)]
        self._row([(part[0].strip(), part[1].strip()) for part in parts if len(part) == 2])

    def _row(self, cells: list[tuple[str, str]]) -> None:
        if not cells:
            return
        text = "; ".join(f"{header}: {value}" if header else value for header, value in cells)
        self._add(text, tuple((plain(header), plain(value)) for header, value in cells))

    def _add(self, text: str, cells: tuple[tuple[str, str], ...] = ()) -> None:
        text = plain(text)
        headings = tuple(dict.fromkeys((*self._section, *self._headings, *self._lead)))
        quantities = tuple(find_quantities(text, self._language))
        self.units.append(
            Unit(
                text, self._block, len(self.units), headings, cells, quantities, tuple(find_dates(text)), self._language
            )
        )


def _goes_on(line: str, following: str) -> bool:
    """True for a line that is only wrapped: it ends in its label, or the next begins in lower case."""
    return line.rstrip().endswith(":") or following.strip()[:1].islower()


def plain(text: str) -> str:
    """The text without link targets and emphasis marks; a bracketed number of the source cannot pass for a citation."""
    return _BRACKETED_NUMBER.sub(r"(\1)", _MARKS.sub("", _LINK.sub(r"\1", text))).strip()
