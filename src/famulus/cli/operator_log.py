"""Where the operator's log of a one-shot command goes. A server writes it to standard error."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager
from logging.handlers import RotatingFileHandler
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from famulus.config import Settings

FILE_NAME: Final = "famulus.log"
_MOST_BYTES: Final = 1_000_000


@contextmanager
def to_file(settings: Settings) -> Generator[None]:
    """While it lasts, log records are appended to a file in the data folder; two files of a megabyte at most."""
    handler = _handler(settings)
    handler.setLevel(settings.log.level.upper())
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
        handler.close()


def _handler(settings: Settings) -> logging.Handler:
    # With PostgreSQL there may be no folder on this machine. The embedded store makes it before anything is logged.
    if settings.database_url is not None and not settings.data.is_dir():
        return logging.NullHandler()
    return RotatingFileHandler(
        settings.data / FILE_NAME, maxBytes=_MOST_BYTES, backupCount=1, encoding="utf-8", delay=True
    )
