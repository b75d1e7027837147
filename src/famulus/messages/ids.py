"""Opaque ids: UUIDv7 text; of two ids of one process the later one sorts later, of two processes to the clock's precision.

Source: RFC 9562, section 5.7, and section 6.2, method 3 (the 12 bits behind the millisecond carry its fraction).
"""

from __future__ import annotations

import os
import threading
import time

_NS_IN_MS = 1_000_000
_lock = threading.Lock()
_last = 0


def new_id() -> str:
    """A fresh id in the usual 36-character form, 62 bits of it random."""
    moment = _next_moment()
    tail = int.from_bytes(os.urandom(8), "big") & ~(0x3 << 62) | 0x2 << 62
    text = f"{moment >> 12:012x}7{moment & 0xFFF:03x}{tail:016x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def _next_moment() -> int:
    """Milliseconds since 1970 with 12 bits of fraction; above every earlier one, also when the clock was set back."""
    global _last
    milliseconds, rest = divmod(time.time_ns(), _NS_IN_MS)
    now = milliseconds << 12 | (rest << 12) // _NS_IN_MS
    with _lock:
        _last = max(now, _last + 1)
        return _last
