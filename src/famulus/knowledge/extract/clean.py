"""Text becomes what the rest of the product relies on: NFC, `\\n` line ends, no control characters, no lone surrogates."""

from __future__ import annotations

import re
import unicodedata

# Kept: tab and newline. Dropped: other controls, zero-width no-break space, soft hyphen (it breaks words for search),
# the non-characters that PDF engines use as marks, lone surrogates (they cannot be stored as UTF-8).
_DROPPED = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufeff\u00ad\ufffe\uffff\ud800-\udfff]")
_LINE_ENDS = re.compile("\r\n?|[\x0c\x85\u2028\u2029]")
_MANY_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*){2,}\n")


def clean(text: str) -> str:
    """NFC text with `\\n` line ends. Never longer than a normal form makes it; idempotent."""
    if text.isascii() and text.isprintable():
        return text  # most cells of most sheets; saves half of the time of a large one
    text = _DROPPED.sub("", _LINE_ENDS.sub("\n", text))
    return unicodedata.normalize("NFC", text)


def collapse_blank_lines(text: str) -> str:
    """Runs of three and more blank lines become two newlines: they carry no meaning and make windows useless."""
    return _MANY_BLANK_LINES.sub("\n\n", text)


def one_line(text: str) -> str:
    return " ".join(text.split())
