"""The time zone of a person, from a header that anyone may write."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

DEFAULT_ZONE: Final = "UTC"

# Names of the IANA database begin with a capital in each part; that keeps `posix/`, `right/`, paths and dots out before
# any file is looked for.
_NAME: Final = re.compile(r"[A-Z][A-Za-z0-9_+-]{0,30}(?:/[A-Z][A-Za-z0-9_+-]{0,30}){0,2}")


@lru_cache(maxsize=512)
def checked_zone(name: str | None) -> str:
    """The IANA name if it is one, else `UTC`; never any other part of the input."""
    if name is None or _NAME.fullmatch(name) is None:
        return DEFAULT_ZONE
    try:
        return ZoneInfo(name).key
    except (KeyError, ValueError, OSError):
        return DEFAULT_ZONE
