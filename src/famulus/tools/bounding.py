"""Cuts a tool's result to what a model, a trace and a record may hold. The whole stays as an artifact where something was cut."""

from __future__ import annotations

import json
from typing import Final

import msgspec
from msgspec import Struct

from famulus.messages.values import JsonObject, JsonValue
from famulus.policy.limits import Limits
from famulus.policy.untrusted import label, mark, may_hold_token

_ENCODER: Final = msgspec.json.Encoder()


class Bounded(Struct, frozen=True):
    """`content` is JSON text for the model, `preview` for people; `full` is the whole JSON text where either of them was cut, else None."""

    content: str
    preview: str
    truncated: bool
    full: str | None


def encode(data: JsonValue) -> str:
    """Compact JSON in readable Unicode; half surrogates become the replacement character, so that it can always be stored."""
    try:
        return _ENCODER.encode(data).decode()
    except UnicodeEncodeError:
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "replace").decode("utf-8")


def bound(data: JsonValue, limits: Limits, *, untrusted: bool) -> Bounded:
    """The result within the limits, marked where it is untrusted. `truncated` says that the model got a part only; a cut preview alone does not."""
    whole = _marked(data) if untrusted else encode(data)
    preview, cut = _head(whole, limits.preview_characters)
    if len(whole) <= limits.result_characters:
        return Bounded(whole, preview, truncated=False, full=whole if cut else None)
    part: JsonObject = {
        "truncated": True,
        "shown_characters": limits.result_characters,
        "total_characters": len(whole),
        "note": "Only the beginning of the result is shown. Ask for less at a time: a smaller window, fewer hits, an offset.",
        "text": whole[: limits.result_characters],
    }
    if untrusted:
        part = {"untrusted": True} | part
    return Bounded(encode(part), preview, truncated=True, full=whole)


def _marked(data: JsonValue) -> str:
    """The marked data as JSON text. Hardly any holds a template token, so the text is looked through before the data is."""
    text = encode(label(data))
    return encode(mark(data)) if may_hold_token(text) else text


def bound_arguments(arguments: JsonObject, limits: Limits) -> JsonObject:
    """The arguments for the record: as they are, or their first characters as one text."""
    if _surely_short(arguments, limits.recorded_argument_characters):
        return arguments
    text = encode(arguments)
    if len(text) <= limits.recorded_argument_characters:
        return arguments
    head, _ = _head(text, limits.recorded_argument_characters)
    return {"truncated": True, "total_characters": len(text), "text": head}


def _surely_short(arguments: JsonObject, characters: int) -> bool:
    """True for a few plain values that stay below the limit even when every character is escaped; saves encoding them."""
    size = 0
    for key, value in arguments.items():
        if isinstance(value, (list, dict)):
            return False
        size += len(key) + (len(value) if isinstance(value, str) else 20)
    return size * 6 < characters


def _head(text: str, characters: int) -> tuple[str, bool]:
    """At most `characters` characters, the mark of the cut included."""
    if len(text) <= characters:
        return text, False
    return text[: characters - 1] + "…", True
