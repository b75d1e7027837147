"""Tells an answer from what only looks like one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Literal

from famulus.agent.state import RoundState

Verdict = Literal["answer", "empty", "tool_output"]


def judge(current: RoundState, contents: Iterable[str]) -> Verdict:
    """What the text of a response without calls is. `contents` are the tool results of the run as the model saw them."""
    text = current.text.strip()
    if not text:
        return "empty"
    if text[0] != "{":
        return "answer"
    if any(text == content for content in contents):
        return "tool_output"
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return "answer"
    # Every result that a tool took from elsewhere carries this mark; no answer to a person does.
    return "tool_output" if isinstance(found, dict) and "untrusted" in found else "answer"
