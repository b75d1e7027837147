"""Tool calls put together from a stream: pieces in any order, ids missing or doubled, arguments that are no JSON object. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import msgspec

from famulus.messages.ids import new_id
from famulus.messages.values import JsonObject, JsonValue, ToolCall

MAX_ARGUMENTS = 64 * 1024
KEPT_RAW = 4096
MAX_CALLS = 128


@dataclass(slots=True)
class Building:
    """A call that is still being written."""

    call_id: str
    tool: str
    pieces: list[str] = field(default_factory=lambda: [])
    length: int = 0
    given: JsonObject | None = None
    extra: JsonValue = None

    def add(self, piece: str) -> None:
        """Keeps one piece more than fits, so that the overflow shows at the end."""
        if self.length <= MAX_ARGUMENTS:
            self.pieces.append(piece)
        self.length += len(piece)


class CallBuilder:
    """`piece` takes what one delta says about the call at `index`; `finish` gives the calls in the order they began."""

    __slots__ = ("at", "calls")

    def __init__(self) -> None:
        self.calls: list[Building] = []
        self.at: dict[int | str, Building] = {}

    def piece(
        self, index: int | str | None, call_id: str | None, tool: str | None, arguments: str | None
    ) -> Building | None:
        """Some servers give no index, or the same one for all: a new id together with a name begins a new call there."""
        key = index if index is not None else (call_id or "")
        call = self.calls[-1] if key == "" and self.calls and not tool else self.at.get(key)
        if call is None or (tool and call_id and call.call_id and call_id != call.call_id):
            if len(self.calls) >= MAX_CALLS:
                return None
            call = Building(call_id or "", tool or "")
            self.calls.append(call)
            self.at[key] = call
        else:
            call.call_id = call.call_id or call_id or ""
            call.tool = call.tool or tool or ""
        if arguments:
            call.add(arguments)
        return call

    def whole(self, call_id: str | None, tool: str, arguments: JsonObject | str) -> None:
        """A call that comes in one piece."""
        call = self.piece(len(self.calls), call_id, tool, arguments if isinstance(arguments, str) else None)
        if call is not None and not isinstance(arguments, str):
            call.given = arguments

    def finish(self, *, cut: bool = False) -> tuple[ToolCall, ...]:
        """Every call has an id of its own; one that was sent twice word for word counts once. `cut`: the output limit was reached."""
        seen: dict[str, ToolCall] = {}
        for call in self.calls:
            if not call.tool and not call.length and call.given is None:
                continue
            made = make_call(call, cut)
            before = seen.get(made.call_id)
            if before is not None and (before.tool, before.arguments, before.raw) == (
                made.tool,
                made.arguments,
                made.raw,
            ):
                continue
            if before is not None or not made.call_id:
                made = ToolCall(f"call_{new_id()}", made.tool, made.arguments, made.raw, made.problem)
            seen[made.call_id] = made
        return tuple(seen.values())


def make_call(call: Building, cut: bool) -> ToolCall:
    if call.given is not None:
        return ToolCall(call.call_id, call.tool, call.given)
    raw = "".join(call.pieces)
    if call.length > MAX_ARGUMENTS:
        problem = f"the arguments are longer than {MAX_ARGUMENTS} characters"
        return ToolCall(call.call_id, call.tool, None, raw[:KEPT_RAW], problem)
    arguments, problem = parse_arguments(raw)
    if problem and cut:
        problem = f"the arguments end in the middle, because the output limit was reached: {problem}"
    return ToolCall(call.call_id, call.tool, arguments, raw[:KEPT_RAW], problem)


def parse_arguments(raw: str) -> tuple[JsonObject | None, str | None]:
    """The arguments as one JSON object, or what is wrong with them. No text at all means no arguments."""
    if not raw.strip():
        return {}, None
    try:
        value: Any = msgspec.json.decode(raw.encode("utf-8", "surrogatepass"))
        if isinstance(value, str):  # some models write the object as a JSON string
            value = msgspec.json.decode(value)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        return None, problem_of(raw, error)
    if not isinstance(value, dict):
        return None, "the arguments must be one JSON object"
    return cast("JsonObject", value), None


def problem_of(raw: str, error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "the arguments are nested too deeply"
    text = str(error)
    if "trailing characters" in text:
        return "the arguments are more than one JSON value; send exactly one JSON object"
    if "truncated" in text:
        return "the arguments are not valid JSON: they end in the middle"
    return f"the arguments are not valid JSON: {text[:200]}"


def arguments_of(call: ToolCall) -> JsonObject:
    """What goes back to a provider as the call's arguments: always an object, for most refuse anything else."""
    return call.arguments if call.arguments is not None else {"invalid_json": call.raw[:500]}


def arguments_text(call: ToolCall) -> str:
    return msgspec.json.encode(arguments_of(call)).decode()
