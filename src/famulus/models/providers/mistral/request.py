"""A request as Mistral wants it, made from the Chat Completions form. Pure.

What differs: usage always comes (no `stream_options`), "required" is "any", call ids are nine letters and digits, a user message may
not follow a tool message, thoughts are chunks of the content.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from famulus.messages.values import JsonObject, JsonValue
from famulus.models.base import ModelRequest
from famulus.models.providers.openai import request as chat
from famulus.models.providers.wire import Quirks, as_list, as_object, as_text

CALL_ID = re.compile(r"[a-zA-Z0-9]{9}")
BRIDGE = "Understood."


def body(request: ModelRequest, model: str, quirks: Quirks) -> JsonObject:
    written: dict[str, Any] = chat.body(request, model, quirks, "mistral")
    written.pop("stream_options", None)
    if written.get("tool_choice") == "required":
        written["tool_choice"] = "any"
    messages: list[JsonValue] = []
    last = ""
    for message in map(as_object, as_list(written["messages"])):
        role = as_text(message.get("role"))
        if role == "user" and last == "tool":
            messages.append({"role": "assistant", "content": BRIDGE})
        if role == "assistant" and last == "assistant" and joined(as_object(messages[-1]), message):
            continue
        messages.append(adapted(message))
        last = role
    return written | {"messages": messages}


def joined(before: dict[str, Any], message: dict[str, Any]) -> bool:
    """Joins a plain answer to the one before it: two answers in a row are refused."""
    if message.get("tool_calls") or before.get("tool_calls") or not isinstance(before.get("content"), str):
        return False
    before["content"] = f"{before['content']}\n\n{as_text(message.get('content'))}"
    return True


def adapted(message: dict[str, Any]) -> dict[str, Any]:
    if message.get("role") == "tool":
        return message | {"tool_call_id": short_id(as_text(message.get("tool_call_id")))}
    if message.get("role") != "assistant":
        return message
    calls = [
        call | {"id": short_id(as_text(call.get("id")))} for call in map(as_object, as_list(message.get("tool_calls")))
    ]
    text = as_text(message.get("content"))
    thought = as_text(message.get("reasoning_content"))
    content: Any = text
    if thought:
        content = [{"type": "thinking", "thinking": [{"type": "text", "text": thought}]}]
        content += [{"type": "text", "text": text}] if text else []
    elif not text and not calls:
        content = BRIDGE
    return {"role": "assistant", "content": content} | ({"tool_calls": calls} if calls else {})


def short_id(call_id: str) -> str:
    """The id as Mistral takes it: its own unchanged, others as nine characters of their hash."""
    return call_id if CALL_ID.fullmatch(call_id) else hashlib.sha256(call_id.encode()).hexdigest()[:9]
