"""Finds a document by the name that a model wrote: exact, then close and unique, else nothing. Only ever among the names it is given."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from famulus.knowledge.reader import DocumentName

_LONGEST: Final = 255
_CLOSE: Final = 0.9
_PART: Final = re.compile(r"[^\W_]+")


def match_name(wanted: str, names: Sequence[DocumentName]) -> list[DocumentName]:
    """One document when the name is exact or close and unique; several when it is ambiguous; none otherwise.

    Close means: the same letters and digits whatever the case, separators and ending; or all words of the wanted name in the other; or a
    slip of the pen. A longer name never falls back to a shorter one.
    """
    wanted = unicodedata.normalize("NFC", wanted).strip()
    if not wanted or len(wanted) > _LONGEST or any(unicodedata.category(character) == "Cc" for character in wanted):
        return []
    exact = [name for name in names if unicodedata.normalize("NFC", name.name) == wanted]
    if exact:
        return exact
    if ".." in wanted:
        return []
    folded = _fold(wanted)
    if not folded:
        return []
    same = [name for name in names if _fold(name.name) == folded]
    if same:
        return same
    parts = _parts(wanted)
    holding = [name for name in names if parts <= _parts(name.name)]
    if holding:
        return holding
    return [name for name in names if _alike(folded, _fold(name.name))]


def _without_ending(name: str) -> str:
    stem, dot, ending = name.rpartition(".")
    return stem if dot and 0 < len(ending) <= 5 and stem else name


def _parts(name: str) -> set[str]:
    return set(_PART.findall(unicodedata.normalize("NFKC", _without_ending(name)).casefold()))


def _fold(name: str) -> str:
    return "".join(_PART.findall(unicodedata.normalize("NFKC", _without_ending(name)).casefold()))


def _alike(wanted: str, name: str) -> bool:
    if min(len(wanted), len(name)) < 5:
        return False
    matcher = SequenceMatcher(None, wanted, name)
    return matcher.real_quick_ratio() >= _CLOSE and matcher.quick_ratio() >= _CLOSE and matcher.ratio() >= _CLOSE
