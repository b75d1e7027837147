"""What people are told for the notices that searches and tools give as codes."""

from __future__ import annotations

from typing import Final

_TEXTS: Final = {
    "vectors_pending": "Search by meaning is still being prepared for some documents; search by words was used for them.",
    "vectors_off": "Search by meaning is off; search by words was used.",
    "vectors_slow": "Search by meaning took too long; search by words was used.",
    "vectors_failed": "Search by meaning failed; search by words was used.",
    "summary_without_model": "The summary was made from the best sentences, because the model could not be asked.",
}


def notice_text(code: str) -> str:
    """The sentence for a code; a code that nobody knows stands for itself."""
    return _TEXTS.get(code, code)
