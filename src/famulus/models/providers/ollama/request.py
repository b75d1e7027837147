"""A request as native Ollama wants it, with the window it needs. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from famulus.messages.values import JsonObject, JsonValue, Message
from famulus.models.base import ModelRequest, ToolSchema
from famulus.models.providers.calls import arguments_of
from famulus.models.providers.wire import (
    Quirks,
    as_object,
    calls_in,
    conversation,
    last_question,
    result_in,
    system_text,
)

OUTPUT_ROOM = 2048
STEP = 4096


def headers(api_key: str | None) -> dict[str, str]:
    bearer = {"Authorization": f"Bearer {api_key}"} if api_key else {}
    return {"Content-Type": "application/json"} | bearer


def body(request: ModelRequest, model: str, quirks: Quirks) -> JsonObject:
    options: JsonObject = {}
    if request.temperature is not None:
        options["temperature"] = request.temperature
    limit = request.max_output_tokens or quirks.max_output_tokens
    if limit is not None:
        options["num_predict"] = limit
    if quirks.num_ctx is not None:
        options["num_ctx"] = quirks.num_ctx
    written: JsonObject = {
        "model": model,
        "messages": messages(request.messages, model, quirks),
        "stream": True,
        # Without these two a prompt that is too long loses its beginning in silence.
        "truncate": False,
        "shift": False,
        "options": options | as_object(quirks.options.get("options")),
    }
    if request.tools and request.tool_choice != "none":
        written["tools"] = [tool(schema) for schema in request.tools]
    if request.response_schema is not None:
        written["format"] = request.response_schema
    return written | {name: value for name, value in quirks.options.items() if name != "options"}


def tool(schema: ToolSchema) -> JsonValue:
    return {
        "type": "function",
        "function": {"name": schema.name, "description": schema.description, "parameters": schema.parameters},
    }


def messages(given: Sequence[Message], model: str, quirks: Quirks) -> list[JsonValue]:
    written: list[JsonValue] = []
    system = system_text(given)
    if system:
        written.append({"role": "system", "content": system})
    rest = conversation(given)
    question = last_question(rest)
    for i, one in enumerate(rest):
        written.append(message(one, model, quirks, in_turn=i > question))
    return written


def message(one: Message, model: str, quirks: Quirks, *, in_turn: bool) -> JsonValue:
    if one.role == "tool":
        result = result_in(one)
        return {"role": "tool", "tool_name": result.tool, "tool_call_id": result.call_id, "content": result.content}
    written: JsonObject = {"role": one.role, "content": one.text}
    calls = calls_in(one)
    if calls:
        written["tool_calls"] = [
            {"id": call.call_id, "function": {"name": call.tool, "arguments": arguments_of(call)}} for call in calls
        ]
    replay = as_object(one.replay.data) if one.replay is not None and one.replay.kind == "ollama" else {}
    if in_turn and replay.get("model") == model and not quirks.no_replay:
        written["thinking"] = replay.get("thinking", "")
    return written


def window(needed: int, model_window: int | None, cap: int, before: int) -> int:
    """The `num_ctx` to ask for: what is needed in steps of 4k (each change reloads the model, so it never shrinks), up to the cap."""
    most = min(cap, model_window) if model_window else cap
    stepped = -(-needed // STEP) * STEP
    return min(most, max(stepped, before))
