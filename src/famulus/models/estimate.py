"""How many tokens a request has, by its characters: exact vocabularies differ by model and are not carried. Pure."""

from __future__ import annotations

import msgspec

from famulus.messages.values import Message, Text, ToolCall, ToolResult
from famulus.models.base import ModelRequest

# German and JSON have about three characters a token: too many tokens only cost memory, too few cut the conversation.
CHARS_PER_TOKEN = 3
PER_MESSAGE = 4


def estimated_prompt_tokens(request: ModelRequest, chars_per_token: float = CHARS_PER_TOKEN) -> int:
    """How many tokens the prompt has at most; with a higher ratio, at least."""
    size = sum(len(text) for message in request.messages for text in texts(message))
    size += sum(
        len(tool.name) + len(tool.description) + len(msgspec.json.encode(tool.parameters)) for tool in request.tools
    )
    return int(size / chars_per_token) + PER_MESSAGE * len(request.messages)


def texts(message: Message) -> list[str]:
    found: list[str] = []
    for part in message.parts:
        if isinstance(part, Text):
            found.append(part.text)
        elif isinstance(part, ToolResult):
            found.append(part.content)
        elif isinstance(part, ToolCall):
            found.append(part.tool + (part.raw or str(part.arguments)))
    return found
