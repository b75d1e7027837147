"""Finds tool calls that a model wrote as text although it was offered tools. The text of such a call is held back, not shown.

A recovered call is marked by a notice: whoever executes it must not give it effects without a person's approval, for a model that
quotes a document can write one too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from famulus.messages.ids import new_id
from famulus.messages.values import JsonObject, ToolCall
from famulus.models.base import ModelItem, ModelNotice, ModelRequest, ModelResponse, TextDelta
from famulus.models.providers.calls import KEPT_RAW
from famulus.models.providers.wire import as_list, as_object, as_text

# How the chat templates of open models begin a call.
STARTS = (
    "{",
    "[{",
    "[TOOL_CALLS]",
    "```json",
    "```\n{",
    "<tool_call>",
    "<function=",
    "<|python_tag|>",
    "<|tool_call|>",
)
TAGGED = re.compile(
    r"<tool_call>\s*(.*?)\s*(?:</tool_call>|$)|(?:\[TOOL_CALLS\]|<\|python_tag\|>|<\|tool_call\|>)\s*(.*)", re.DOTALL
)
XML = re.compile(r"<function=([\w-]+)>\s*(\{.*?\})\s*</function>", re.DOTALL)
FENCE = re.compile(r"^```(?:json)?\s*(.*?)\s*```$", re.DOTALL)
# Only these make a call of a part of a text; everything else must be the whole of it.
TAG = re.compile(r"<function=|<tool_call>|\[TOOL_CALLS\]|<\|python_tag\|>|<\|tool_call\|>")
MAX_HELD = 64 * 1024


class Recovery:
    """Passes the items of one stream on; when the answer is a call in words: a notice, and a response with that call instead of its text."""

    def __init__(self, request: ModelRequest) -> None:
        self.request = request
        self.held: list[str] | None = []

    def take(self, item: ModelItem) -> Sequence[ModelItem]:
        """What may be shown once this item has come."""
        if isinstance(item, TextDelta) and self.held is not None:
            self.held.append(item.text)
            text = "".join(self.held)
            if may_be_call(text):
                return ()
            self.held = None
            return (TextDelta(text),)
        return self.end(item) if isinstance(item, ModelResponse) else (item,)

    def end(self, response: ModelResponse) -> Sequence[ModelItem]:
        calls = calls_in_text(response.text, self.request) if not response.calls and response.text else ()
        if calls:
            text = "" if self.held else response.text
            return notice_of(calls), replace(response, text=text, calls=calls, finish="tool_calls")
        return (TextDelta("".join(self.held)), response) if self.held else (response,)


def may_be_call(text: str) -> bool:
    begun = text.lstrip()
    return len(text) <= MAX_HELD and any(begun.startswith(start) or start.startswith(begun) for start in STARTS)


def calls_in_text(text: str, request: ModelRequest) -> tuple[ToolCall, ...]:
    """The calls in a text that is nothing but calls, or that marks them with a template's own tags."""
    stripped = text.strip()
    if not stripped.startswith(("{", "[", "```")) and TAG.search(stripped) is None:
        return ()
    offered = {tool.name for tool in request.tools}
    found = [
        made
        for name, raw in XML.findall(stripped)
        for made in [call_of({"name": name, "arguments": decode(raw)}, offered)]
    ]
    for match in TAGGED.finditer(stripped):
        found += calls_of(decode(match[1] or match[2] or ""), offered)
    if not found:
        fenced = FENCE.match(stripped)
        found = calls_of(decode(fenced[1] if fenced else stripped), offered)
    return tuple(call for call in found if call is not None)


def decode(text: str) -> object:
    if not text.startswith(("{", "[")):
        return None
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None


def calls_of(value: object, offered: set[str]) -> list[ToolCall | None]:
    """One call or a list of calls; a list in which anything is no call is none at all."""
    entries = as_list(value) or ([value] if as_object(value) else [])
    calls = [call_of(entry, offered) for entry in entries]
    return [] if None in calls else calls


def call_of(entry: object, offered: set[str]) -> ToolCall | None:
    fields: dict[str, Any] = as_object(entry)
    fields = as_object(fields.get("function")) or fields
    name = as_text(fields.get("name")) or as_text(fields.get("tool"))
    key = next((k for k in ("arguments", "parameters", "args", "input") if k in fields), None)
    given = fields.get(key) if key else None
    arguments: JsonObject | None = as_object(decode(given)) if isinstance(given, str) else as_object(given)
    if name not in offered or key is None or (not arguments and given not in ({}, "{}")):
        return None
    return ToolCall(f"call_{new_id()}", name, arguments, msgspec.json.encode(arguments).decode()[:KEPT_RAW])


def notice_of(calls: tuple[ToolCall, ...]) -> ModelNotice:
    names = ", ".join(call.tool for call in calls)
    text = f"The model wrote a tool call as text ({names}); it was read as a call."
    return ModelNotice(
        "recovered_call", text, {"call_ids": [call.call_id for call in calls], "tools": [call.tool for call in calls]}
    )
