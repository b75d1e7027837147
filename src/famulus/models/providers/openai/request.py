"""A request as Chat Completions wants it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from famulus.messages.values import JsonObject, JsonValue, Message
from famulus.models.base import ModelRequest, ToolSchema
from famulus.models.providers.calls import arguments_text
from famulus.models.providers.wire import (
    Offers,
    Quirks,
    as_object,
    calls_in,
    conversation,
    is_strict,
    last_question,
    result_in,
    system_text,
)


def headers(api_key: str | None) -> dict[str, str]:
    bearer = {"Authorization": f"Bearer {api_key}"} if api_key else {}
    return {"Content-Type": "application/json", "Accept": "text/event-stream"} | bearer


def body(request: ModelRequest, model: str, quirks: Quirks, kind: str) -> JsonObject:
    written: JsonObject = {
        "model": model,
        "messages": messages(request.messages, model, quirks, kind),
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if request.tools:
        written["tools"] = OFFERS.written(request.tools)
        if request.tool_choice != "auto":
            written["tool_choice"] = request.tool_choice
    if request.temperature is not None:
        written["temperature"] = request.temperature
    limit = request.max_output_tokens or quirks.max_output_tokens
    if limit is not None:
        written["max_tokens"] = limit
    if request.response_schema is not None:
        written["response_format"] = response_format(request.response_schema)
    return written | quirks.options


def tool(schema: ToolSchema) -> JsonValue:
    return {
        "type": "function",
        "function": {"name": schema.name, "description": schema.description, "parameters": schema.parameters},
    }


OFFERS = Offers(tool)


def response_format(schema: JsonObject) -> JsonObject:
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema, "strict": is_strict(schema)}}


def messages(given: Sequence[Message], model: str, quirks: Quirks, kind: str) -> list[JsonValue]:
    written: list[JsonValue] = []
    system = system_text(given)
    if system:
        written.append({"role": "system", "content": system})
    rest = conversation(given)
    question = last_question(rest)
    for i, one in enumerate(rest):
        written.append(message(one, model, quirks, kind, in_turn=i > question))
    return written


def message(one: Message, model: str, quirks: Quirks, kind: str, *, in_turn: bool) -> JsonValue:
    role = one.role
    if role == "tool":
        result = result_in(one)
        return {"role": "tool", "tool_call_id": result.call_id, "content": result.content}
    if role != "assistant":
        return {"role": role, "content": one.text}
    replay = (
        as_object(one.replay.data)
        if one.replay is not None and one.replay.kind == kind and not quirks.no_replay
        else {}
    )
    written: JsonObject = {"role": "assistant", "content": one.text or None}
    extras = as_object(replay.get("extra"))
    calls: list[JsonValue] = []
    for call in calls_in(one):
        made: JsonObject = {
            "id": call.call_id,
            "type": "function",
            "function": {"name": call.tool, "arguments": arguments_text(call)},
        }
        if call.call_id in extras:
            made["extra_content"] = extras[call.call_id]
        calls.append(made)
    if calls:
        written["tool_calls"] = calls
    # Servers that think between tool calls want the thoughts of the turn that goes on, and refuse or waste older ones.
    if in_turn and calls and replay.get("model") == model and not quirks.no_reasoning_content:
        written |= as_object(replay.get("reasoning"))
    if written["content"] is None and not calls:
        written["content"] = ""
    return written
