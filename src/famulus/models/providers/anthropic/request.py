"""A request as the Messages API wants it: alternating roles, tool results first, signed thinking verbatim. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from famulus.messages.values import JsonObject, JsonValue, Message
from famulus.models.base import ModelRequest, ToolSchema
from famulus.models.providers.calls import arguments_of
from famulus.models.providers.wire import Quirks, as_list, as_object, calls_in, conversation, result_in, system_text

VERSION = "2023-06-01"
DEFAULT_MAX_TOKENS = 8192
ANSWER_TOOL = "answer"
CHOICE = {"auto": "auto", "none": "none", "required": "any"}


def headers(api_key: str | None) -> dict[str, str]:
    key = {"x-api-key": api_key} if api_key else {}
    return {"Content-Type": "application/json", "Accept": "text/event-stream", "anthropic-version": VERSION} | key


def body(request: ModelRequest, model: str, quirks: Quirks) -> JsonObject:
    written: JsonObject = {
        "model": model,
        "max_tokens": request.max_output_tokens or quirks.max_output_tokens or DEFAULT_MAX_TOKENS,
        "messages": messages(request.messages, model, quirks),
        "stream": True,
    }
    system = system_text(request.messages)
    if system:
        written["system"] = [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}]
    if request.temperature is not None:
        written["temperature"] = request.temperature
    add_tools(written, request)
    if request.response_schema is not None:
        add_schema(written, request.response_schema, quirks)
    return written | quirks.options


def add_tools(written: JsonObject, request: ModelRequest) -> None:
    """The tools; and where none are offered but the history holds calls, their bare names with the choice "none": the API wants
    every tool of the history declared."""
    if request.tools:
        written["tools"] = [tool(schema) for schema in request.tools]
        if request.tool_choice != "auto":
            written["tool_choice"] = {"type": CHOICE[request.tool_choice]}
        return
    names = dict.fromkeys(call.tool for message in request.messages for call in calls_in(message))
    if names:
        written["tools"] = [{"name": name, "input_schema": {"type": "object"}} for name in names]
        written["tool_choice"] = {"type": "none"}


def tool(schema: ToolSchema) -> JsonValue:
    return {"name": schema.name, "description": schema.description, "input_schema": schema.parameters}


def add_schema(written: JsonObject, schema: JsonObject, quirks: Quirks) -> None:
    """Constrained output; models without it answer through a tool that they must call."""
    if not quirks.schema_as_tool:
        written["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        return
    answer: JsonValue = {"name": ANSWER_TOOL, "description": "Gives the answer.", "input_schema": schema}
    written["tools"] = [*as_list(written.get("tools")), answer]
    written["tool_choice"] = {"type": "tool", "name": ANSWER_TOOL}


def messages(given: Sequence[Message], model: str, quirks: Quirks) -> list[JsonValue]:
    """Neighbours of one role become one message, so that all results of a round stand together."""
    merged: list[tuple[str, list[JsonValue]]] = []
    for message in conversation(given):
        role = "assistant" if message.role == "assistant" else "user"
        blocks = assistant(message, model, quirks) if role == "assistant" else user(message)
        if merged and merged[-1][0] == role:
            merged[-1][1].extend(blocks)
        elif blocks:
            merged.append((role, blocks))
    return [{"role": role, "content": blocks} for role, blocks in merged]


def user(message: Message) -> list[JsonValue]:
    if message.role == "tool":
        result = result_in(message)
        block: JsonObject = {"type": "tool_result", "tool_use_id": result.call_id, "content": result.content or "{}"}
        return [block | {"is_error": True} if result.is_error else block]
    return [{"type": "text", "text": message.text}] if message.text.strip() else []


def assistant(message: Message, model: str, quirks: Quirks) -> list[JsonValue]:
    """The provider's own blocks where they are known, minus calls that were dropped since, plus calls that came otherwise."""
    calls = {call.call_id: call for call in calls_in(message)}
    replay = as_object(message.replay.data) if message.replay is not None and message.replay.kind == "anthropic" else {}
    written: list[JsonValue] = []
    if replay.get("model") == model and not quirks.no_replay:
        for block in as_list(replay.get("content")):
            kept = own_block(as_object(block), calls)
            if kept is not None:
                written.append(kept)
    elif message.text.strip():
        written.append({"type": "text", "text": message.text.rstrip()})
    for call in calls.values():
        written.append({"type": "tool_use", "id": call.call_id, "name": call.tool, "input": arguments_of(call)})
    return written


def own_block(block: dict[str, Any], calls: dict[str, Any]) -> JsonObject | None:
    """A block as it came; None for a call that the conversation no longer has, and for empty text, which is refused."""
    if block.get("type") == "text" and not str(block.get("text", "")).strip():
        return None
    if block.get("type") == "tool_use":
        call = calls.pop(str(block.get("id")), None)
        return None if call is None else block | {"input": arguments_of(call)}
    return block
