"""JSON text as the store keeps it. Any `JsonValue` can be stored; lone surrogates become U+FFFD, NaN becomes null."""

from __future__ import annotations

from typing import Final

import msgspec

from famulus.messages.values import JsonObject, JsonValue

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder()


def encode(value: JsonValue | JsonObject) -> str:
    """Compact JSON text."""
    try:
        return _ENCODER.encode(value).decode()
    except UnicodeEncodeError:
        return _ENCODER.encode(_without_surrogates(value)).decode()


def decode(text: str | bytes) -> JsonValue:
    return _DECODER.decode(text)


def decode_object(text: str | bytes) -> JsonObject:
    """The JSON object in `text`. Raises `ValueError` when it is anything else: then somebody else wrote the row."""
    value: JsonValue = _DECODER.decode(text)
    if not isinstance(value, dict):
        raise ValueError("stored JSON is not an object; the database was changed by something else")
    return value


def _without_surrogates(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {str(_without_surrogates(key)): _without_surrogates(item) for key, item in value.items()}
    return value
