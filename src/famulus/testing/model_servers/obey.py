"""A lost model: it does whatever stands between `<<DO` and `DO>>` anywhere in its input, and nothing else."""

from __future__ import annotations

import contextlib
import json
import re
from typing import Any

from famulus.testing.model_servers.script import Call, Item, Round, Say
from famulus.testing.model_servers.wire import fields, listed

ORDER = re.compile(r"<<DO(.*?)DO>>", re.DOTALL)


def obey(body: dict[str, Any], obeyed: set[tuple[str, str]]) -> Round:
    """The first order in the input that this user message has not had obeyed yet; "Done." when none is left.

    An order is JSON: `{"tool": …, "arguments": …}`, a list of those, `{"calls": [...]}` or `{"text": …}`.
    """
    asked = last_user_text(body)
    for text in strings(body):
        for order in ORDER.findall(text):
            if (asked, order) not in obeyed:
                obeyed.add((asked, order))
                return parse(order)
    return Say("Done.")


def parse(order: str) -> list[Item]:
    try:
        value: Any = json.loads(order)
    except ValueError:
        try:
            value = json.loads(order.replace('\\"', '"'))
        except ValueError:
            return [Say(order)]
    order_fields = fields(value)
    if "text" in order_fields:
        return [Say(str(order_fields["text"]))]
    calls = listed(value) or listed(order_fields.get("calls")) or ([order_fields] if order_fields else [])
    items: list[Item] = []
    for call in calls:
        arguments: Any = call.get("arguments", {})
        raw = arguments if isinstance(arguments, str) else None
        items.append(Call(str(call.get("tool")), fields(arguments), raw=raw))
    return items or [Say(str(value))]


def strings(value: Any) -> list[str]:
    """Every text in the body, JSON inside strings included as it is written there."""
    if isinstance(value, str):
        found = [value]
        if "<<DO" in value and value.lstrip()[:1] in ("{", "["):
            with contextlib.suppress(ValueError):
                found = strings(json.loads(value))
        return found
    parts = [*fields(value).values(), *listed(value)]
    return [text for part in parts for text in strings(part)]


def messages_of(body: dict[str, Any]) -> list[dict[str, Any]]:
    return listed(body.get("messages") or body.get("input"))


def is_asked(message: dict[str, Any]) -> bool:
    """A real user message, not a tool result in a user's clothes."""
    if message.get("role") != "user":
        return False
    return not any(part.get("type") == "tool_result" for part in listed(message.get("content")))


def last_user_text(body: dict[str, Any]) -> str:
    asked = [message for message in messages_of(body) if is_asked(message)]
    return json.dumps(asked[-1].get("content")) if asked else ""


def turn(body: dict[str, Any]) -> int:
    """How many answers the model has given since the last user message: the number of the round in its turn."""
    count, in_answer = 0, False
    for message in messages_of(body):
        if is_asked(message):
            count, in_answer = 0, False
            continue
        answers = message.get("role") == "assistant" or message.get("type") in ("function_call", "reasoning")
        if answers and not in_answer:
            count += 1
        in_answer = answers
    return count
