"""A request as the Responses API wants it: a list of items instead of messages. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from famulus.messages.values import JsonObject, JsonValue, Message
from famulus.models.base import ModelRequest, ToolSchema
from famulus.models.providers.calls import arguments_text
from famulus.models.providers.wire import (
    Quirks,
    as_list,
    as_object,
    calls_in,
    conversation,
    is_strict,
    result_in,
    system_text,
)

MIN_OUTPUT = 16


def body(request: ModelRequest, model: str, quirks: Quirks) -> JsonObject:
    written: JsonObject = {
        "model": model,
        "input": items(request.messages, model, quirks),
        "stream": True,
        "store": False,
        # Without it reasoning could not be sent back, for nothing is stored at the provider.
        "include": ["reasoning.encrypted_content"],
    }
    system = system_text(request.messages)
    if system:
        written["instructions"] = system
    if request.tools:
        written["tools"] = [tool(schema) for schema in request.tools]
        if request.tool_choice != "auto":
            written["tool_choice"] = request.tool_choice
    if request.temperature is not None:
        written["temperature"] = request.temperature
    limit = request.max_output_tokens or quirks.max_output_tokens
    if limit is not None:
        written["max_output_tokens"] = max(MIN_OUTPUT, limit)
    if request.response_schema is not None:
        schema = request.response_schema
        written["text"] = {
            "format": {"type": "json_schema", "name": "answer", "schema": schema, "strict": is_strict(schema)}
        }
    return written | quirks.options


def tool(schema: ToolSchema) -> JsonValue:
    # `strict` is on by default here and would make every optional parameter required.
    return {
        "type": "function",
        "name": schema.name,
        "description": schema.description,
        "parameters": schema.parameters,
        "strict": False,
    }


def items(given: Sequence[Message], model: str, quirks: Quirks) -> list[JsonValue]:
    written: list[JsonValue] = []
    for message in conversation(given):
        if message.role == "tool":
            result = result_in(message)
            written.append({"type": "function_call_output", "call_id": result.call_id, "output": result.content})
        elif message.role == "assistant":
            written += assistant(message, model, quirks)
        else:
            written.append({"role": message.role, "content": [{"type": "input_text", "text": message.text}]})
    return written


def assistant(message: Message, model: str, quirks: Quirks) -> list[JsonValue]:
    """The provider's own items where they are known, minus calls that were dropped since, plus calls that came otherwise."""
    calls = {call.call_id: call for call in calls_in(message)}
    replay = (
        as_object(message.replay.data)
        if message.replay is not None and message.replay.kind == "openai_responses"
        else {}
    )
    written: list[JsonValue] = []
    if replay.get("model") == model and not quirks.no_replay:
        for item in as_list(replay.get("items")):
            kept = as_object(item)
            if kept.get("type") != "function_call" or calls.pop(str(kept.get("call_id")), None) is not None:
                written.append(kept)
        while written and as_object(written[-1]).get("type") == "reasoning":
            written.pop()  # refused without the item that it led to
    elif message.text:
        written.append({"role": "assistant", "content": [{"type": "output_text", "text": message.text}]})
    for call in calls.values():
        arguments = arguments_text(call)
        written.append({"type": "function_call", "call_id": call.call_id, "name": call.tool, "arguments": arguments})
    return written
