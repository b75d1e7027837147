"""The forms under which one word may stand: its stems, and those of what a participle, a third person or an irregular past comes from."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from famulus.models.providers.extractive.reading import IRREGULAR
from famulus.text.stem import stems

_PARTICIPLE: Final = re.compile(
    r"(?P<before>|ab|an|auf|aus|ein|mit|nach|vor|zu|um|bei|zuruck|af|aan|op|uit|in|mee|na|voor|toe|terug|door|over|bij|om)(?:ge|zu)(?P<after>[a-z]{4,})$"
)


@lru_cache(maxsize=65_536)
def bases(word: str, language: str | None) -> tuple[str, ...]:
    """What this form may come from: a German or Dutch participle or `zu` infinitive (`aufgestellt`, `einzureichen`), an English past."""
    found: list[str] = []
    if language in ("de", "nl", None) and (match := _PARTICIPLE.match(word)):
        found.append(match["before"] + match["after"])
        if match["after"].endswith("t") or (language == "nl" and match["after"].endswith("d")):
            found.append(match["before"] + match["after"][:-1])
    if language in ("de", None) and word.endswith("t") and len(word) >= 7:
        # `ausfällt`, and inside `Totalausfall`: the ending of the third person hides the stem.
        found.append(word[:-1])
    if (base := IRREGULAR.get(word)) is not None:
        found.append(base)
    return tuple(found)


@lru_cache(maxsize=65_536)
def forms_of(word: str, language: str | None) -> frozenset[str]:
    """All stems of a word and of what it comes from."""
    return frozenset[str]().union(stems(word), *(stems(base) for base in bases(word, language)))
