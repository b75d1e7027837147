"""Column types shared by the tables: UTC times as microseconds, JSON as text. Same form on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Dialect

from famulus.messages.values import JsonValue
from famulus.store.jsontext import decode, encode

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def to_micros(value: datetime) -> int:
    """Microseconds since 1970 UTC. Raises `ValueError` for a time without a zone: storage is UTC everywhere."""
    if value.tzinfo is None:
        raise ValueError(f"the time {value!r} has no zone; use datetime.now(UTC)")
    return (value - _EPOCH) // _MICROSECOND


def from_micros(value: int) -> datetime:
    return _EPOCH + timedelta(microseconds=value)


class UtcTime(sa.types.TypeDecorator[datetime]):
    """An aware `datetime`, stored as a 64-bit count of microseconds: exact, sortable, equal in both dialects."""

    impl = sa.BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        return None if value is None else to_micros(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        return None if value is None else from_micros(value)


class JsonText(sa.types.TypeDecorator[JsonValue]):
    """A JSON value as text. Not `jsonb`: that refuses U+0000 and reorders keys."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: JsonValue, dialect: Dialect) -> str | None:
        return None if value is None else encode(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> JsonValue:
        return None if value is None else decode(value)
