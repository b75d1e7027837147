"""Splits text into sentences with their offsets: knows abbreviations, ordinals ("1. März"), decimals, initials and lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from famulus.text.fold import fold


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text` equals `whole[start:end]`; no white space at either end."""

    text: str
    start: int
    end: int


_ABBREVIATIONS = (
    "abb abs allg anm art aufl bd bes betr bez bspw bzgl bzw ca co corp dept dept d.h div dr ed eds e.g et al etc evtl exkl fa ff "
    "fig figs ggf gem gest hr fr hrsg i.d.r i.e inc inkl insb jg jh jr kap lit lt ltd max mio mrd min mind mr mrs ms mme mlle mm mwst "
    "m.e no nos nr num op p pp pag par pl prof red rd resp s sec sen sog sr st std str tab tel u.a u.u usw v.a vgl vol vs "
    "z.b z.t zt zzgl bijv blz d.w.z enz evt excl incl m.b.t n.a nl o.a t.a.v t.b.v t/m v.chr v.d vb approx ch chap "
    "c.-à-d cf env ex exp jan feb febr apr aug sept sep okt oct nov dez dec déc janv févr juil"
)
_MONTHS = (
    "januar jänner februar märz april mai juni juli august september oktober november dezember "
    "january february march may june july october december januari februari maart mei augustus "
    "jan feb mrz mär apr jun jul aug sep sept okt oct nov dez dec"
)
_MONTH = re.compile(r"\s+(?:" + "|".join(sorted(_MONTHS.split(), key=len, reverse=True)) + r")\b", re.IGNORECASE)
_END = re.compile(r"[.!?…]+[\"'»”“’)\]]*(?=\s|$)|[。！？]+[」』”]?|\n\s*\n|\n")
_ITEM = re.compile(r"\s*(?:[-*•–]\s|\d{1,3}[.)]\s|#{1,6}\s|\|)")
_LAST_WORD = re.compile(r"([\w.\-/]*\w)\.+$")
_ROMAN = re.compile(r"[IVXLC]+")


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of `text` in order. A blank line, a list item, a heading or a table row also ends a sentence."""
    start = 0
    for match in _END.finditer(text):
        if match.group() == "\n" and not (_ITEM.match(text, start) or _ITEM.match(text, match.end())):
            continue
        if match.group().startswith(".") and not _ends(text, start, match):
            continue
        yield from _trimmed(text, start, match.end())
        start = match.end()
    yield from _trimmed(text, start, len(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[Sentence]:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        begin = start + len(piece) - len(piece.lstrip())
        yield Sentence(stripped, begin, begin + len(stripped))


def _ends(text: str, start: int, stop: re.Match[str]) -> bool:
    """Whether this full stop ends a sentence."""
    following = text[stop.end() : stop.end() + 40]
    after = following.lstrip()
    if not after or ("\n" in following[: len(following) - len(after)] and len(stop.group()) > 1):
        return True
    last = _LAST_WORD.search(text[max(start, stop.start() - 30) : stop.start() + 1])
    if last is None or len(stop.group().rstrip("\"'»”“’)]")) > 1:
        return after[0].isupper() or not after[0].isalpha()
    return _word_ends(last[1], after, following)


def _word_ends(word: str, after: str, following: str) -> bool:
    """Whether `word.` closes a sentence, judged by the word and by what comes after."""
    if after[0].islower():
        return False
    if fold(word) in _FOLDED_ABBREVIATIONS or (len(word) == 1 and word.isalpha()):
        return False
    if (word.isdigit() and len(word) <= 2) or _ROMAN.fullmatch(word):
        # An ordinal before a month or a noun ("am 1. März", "2. Etage"); a number that ends a sentence is mostly longer.
        return bool(_CLEAR_START.match(after)) and not _MONTH.match(following)
    return True


_FOLDED_ABBREVIATIONS = frozenset(fold(word) for word in _ABBREVIATIONS.split())
_CLEAR_START = re.compile(
    r"(?:The|This|These|It|In|If|A|An|He|She|We|They|You|Der|Die|Das|Ein|Eine|Es|Wenn|Er|Sie|Wir|Im|Bei|De|Het|Een|Als|Le|La|Les|Un|Une|Il|Elle|Si)\b"
)
