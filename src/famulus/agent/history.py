"""The earlier messages of a conversation in the form that every wire takes: user and assistant in turn, none empty, a user's first.

What a caller sent with the role `system` is an instruction of the user and goes into the prompt, not between the messages.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from famulus.messages.values import Message, Text

UNANSWERED: Final = "(This message was not answered.)"


def usable_history(messages: Iterable[Message], most: int) -> tuple[Message, ...]:
    """The newest `most` messages, oldest first; a question that got no answer is followed by a note that says so."""
    turns: list[Message] = []
    spoken = [message for message in messages if message.role in ("user", "assistant") and message.text.strip()]
    for message in spoken[-most:]:
        if message.role == "user" and turns and turns[-1].role == "user":
            turns.append(Message("assistant", (Text(UNANSWERED),)))
        if message.role == "assistant" and turns and turns[-1].role == "assistant":
            turns[-1] = Message("assistant", (Text(f"{turns[-1].text}\n\n{message.text}"),))
        elif message.role == "user" or turns:
            turns.append(message)
    if turns and turns[-1].role == "user":
        turns.append(Message("assistant", (Text(UNANSWERED),)))
    return tuple(turns)


def instructions_of(messages: Iterable[Message]) -> tuple[str, ...]:
    """The texts that the caller sent as instructions."""
    return tuple(message.text for message in messages if message.role == "system" and message.text.strip())
