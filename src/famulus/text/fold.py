"""One spelling for each word: what two people type differently and mean alike becomes the same key.

`fold` keeps what a reader would still recognise (accents gone, case gone, `ß` = `ss`); `key` also joins the two German
spellings of an umlaut (`ü`, `ue`), so that `kuendigungsfrist`, `Kündigungsfrist` and `KÜNDIGUNGSFRIST` meet.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_MARKS = re.compile(r"[̀-ͯ]")
_LETTERS = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
# German writers without an umlaut key; `ue` after `q` is never one (`Quelle`). Source: Snowball stemmer `german2`.
_UMLAUT_AS_TWO = re.compile(r"ae|oe|(?<!q)ue")


def nfc(text: str) -> str:
    """The stored form of every text; the same string when it already is."""
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """Compatibility forms unified, case and accents removed. Length may change: never use it with offsets."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    plain = unicodedata.normalize("NFKC", _MARKS.sub("", decomposed)).casefold()
    return plain.translate(_LETTERS)


@lru_cache(maxsize=65_536)
def key(word: str) -> str:
    """The comparison key of one word."""
    return _UMLAUT_AS_TWO.sub(lambda match: match.group()[0], fold(word))
