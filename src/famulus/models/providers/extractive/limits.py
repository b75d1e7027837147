"""Questions for the most or the least there may be: a sentence that sets no limit and no capacity does not answer them."""

from __future__ import annotations

import re
from typing import Final

_ASKED: Final = re.compile(
    r"\b(?:at (?:the )?(?:most|least)|maximum|minimum|max|min|maxim(?:al|aal)|minim(?:al|aal)|höchstens|mindestens|hoogstens|ten hoogste|minstens|ten minste|au (?:plus|moins|maximum|minimum)|maximal|minimal)\b",
    re.IGNORECASE,
)
_SET: Final = re.compile(
    r"\b(?:at (?:the )?(?:most|least)|max(?:imum)?|min(?:imum)?|no more than|not more than|more than|not exceed\w*|exceed\w*|no less than|not less than|up to|limit\w*|above|over|below|under|fewer than|less than|from|capacity|has|have|hold|holds|seats?|fits?|room for|only|"
    r"höchst\w*|maximal\w*|mindest\w*|minimal\w*|bis zu|bis|nicht mehr als|mehr als|über|unter|weniger als|ab|nicht überschreiten|überschreit\w*|grenze|obergrenze|hat|haben|fasst|platz|plätze|nur|"
    r"hoogst\w*|maxim\w*|minst\w*|minim\w*|ten hoogste|tot|niet meer dan|meer dan|boven|onder|minder dan|vanaf|grens|limiet|heeft|hebben|telt|plaats|plaatsen|alleen|slechts|"
    r"au plus|au moins|jusqu['’](?:à|au|en)|plus de|moins de|au-delà|dépass\w*|limit\w*|compte|dispose|places?|à partir de|capacité|seulement)\b",
    re.IGNORECASE,
)


# `How many books does the library have?`: how many there are.
_HAS: Final = re.compile(
    r"\b(?:how many \w+ (?:does|do|has|have|are there)\b|wie ?viele \w+ (?:hat|haben|gibt|besitzt|zählt)\b|hoeveel \w+ (?:heeft|hebben|telt|zijn er)\b|combien (?:de |d['’])\w+ (?:a|ont|compte|possède|y a-t-il)\b)",
    re.IGNORECASE,
)
_AT_MOST: Final = re.compile(
    r"\b(?:at (?:the )?most|no more than|up to|at a time|höchstens|maximal|bis zu|gleichzeitig|hoogstens|maximaal|tegelijk|au plus|au maximum|à la fois)\b",
    re.IGNORECASE,
)


def asks_how_many_there_are(text: str) -> bool:
    """True for a question for the number of what somebody has."""
    return _HAS.search(text) is not None and not asks_limit(text)


def is_limit(text: str) -> bool:
    """True where a number is the most that is allowed."""
    return _AT_MOST.search(text) is not None


def asks_limit(text: str) -> bool:
    """True for a question for a limit (`how many … at most`)."""
    return _ASKED.search(text) is not None


def sets_limit(text: str) -> bool:
    """True where a sentence sets a limit or says how much something holds."""
    return _SET.search(text) is not None
