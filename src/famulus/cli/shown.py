"""Text that others wrote, as a terminal may show it: what would drive the terminal is made visible instead."""

from __future__ import annotations

import json
import struct
import unicodedata
from collections.abc import Callable
from typing import Final


def printable(text: str) -> str:
    """The text without what drives a terminal: escapes, carriage returns and direction marks are shown, not obeyed."""
    return "".join(_shown(c) for c in text)


def one_line(text: str, width: int = 160) -> str:
    """As `printable`, in one line of at most `width` characters."""
    line = " ".join(printable(text).split())
    return line if len(line) <= width else line[: width - 1] + "…"


def json_text(value: object, *, indent: int | None = None, default: Callable[[object], object] | None = None) -> str:
    """One JSON document in which what would drive the terminal is escaped: the same value, harmless to show."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=default)
    return "".join(c if c in "\n" or not drives(c) else _escaped(c) for c in text)


def _escaped(c: str) -> str:
    return "".join(f"\\u{unit:04x}" for (unit,) in struct.iter_unpack(">H", c.encode("utf-16-be", "surrogatepass")))


# Invisible, but part of how words of several scripts and emoji are written.
_JOINERS: Final = frozenset("\u00ad\u200c\u200d")


def drives(c: str) -> bool:
    """Whether the character steers what is shown instead of being shown: controls, directions, separators of lines, tags."""
    return c not in _JOINERS and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _shown(c: str) -> str:
    code = ord(c)
    if c in "\n\t" or not drives(c):
        return c
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if 0xD800 <= code < 0xE000:
        return "�"
    return f"<{code:02x}>" if code < 0xA0 else f"<U+{code:04X}>"
