"""How text that came from a tool or a document is marked for the model: as data, never as instructions.

The mark is `"untrusted": true` at the front of the JSON object, and the control tokens of chat templates are broken up,
so that a document cannot open a system turn in a model server that reads them in plain text.
"""

from __future__ import annotations

import re
from typing import Final

from famulus.messages.values import JsonObject, JsonValue

# Source: the chat templates of Qwen and ChatML (<|…|>), Llama 2 and Mistral ([INST], <<SYS>>, <s>), Gemma (<start_of_turn>),
# DeepSeek (full-width bars), and the tool-call tags of Hermes-style templates.
_TEMPLATE_TOKEN: Final = re.compile(
    r"<[|｜][^<>|｜\n]{1,40}[|｜]>|\[/?(?:INST|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\]|<</?SYS>>|</?s>"
    r"|<(?:start|end)_of_turn>|</?tool_(?:call|response)>",
    re.IGNORECASE,
)
# Two that begin with one character each: such a pattern runs through a text at several times the speed of an alternative.
_MAY_BEGIN_TOKEN: Final = (re.compile(r"<[|｜/<sSeEtT]"), re.compile(r"\[/?[IiTtAa]"))


def escape_template_tokens(text: str) -> str:
    """The text with a space after the first character of each chat-template token; other text comes back as it is."""
    if not may_hold_token(text):
        return text
    return _TEMPLATE_TOKEN.sub(lambda found: f"{found.group()[0]} {found.group()[1:]}", text)


def mark(data: JsonValue) -> JsonObject:
    """The result as the model reads it: one object that begins with `untrusted: true`, template tokens broken up."""
    return label(_escape(data))


def label(data: JsonValue) -> JsonObject:
    """One object that begins with `untrusted: true`, its texts as they are: enough where `may_hold_token` is False for its JSON text."""
    if not isinstance(data, dict):
        return {"untrusted": True, "value": data}
    return {"untrusted": True} | {key: value for key, value in data.items() if key != "untrusted"}


def may_hold_token(text: str) -> bool:
    """False when the text surely holds no template token. Of JSON text this holds for all texts in it: what begins a token is not escaped there."""
    angle, square = _MAY_BEGIN_TOKEN
    return angle.search(text) is not None or square.search(text) is not None


def _escape(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return escape_template_tokens(value)
    if isinstance(value, list):
        return [_escape(item) for item in value]
    if isinstance(value, dict):
        return {escape_template_tokens(key): _escape(item) for key, item in value.items()}
    return value
