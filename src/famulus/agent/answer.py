"""Tells an answer from what only looks like one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final, Literal

from famulus.agent.state import RoundState

Verdict = Literal["answer", "empty", "tool_output"]

_MARKS: Final = ('"untrusted"', '"hits"', '"error"')


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
    is_result = isinstance(found, dict) and any(mark in text for mark in _MARKS[:2]) and "untrusted" in found
    return "tool_output" if is_result else "answer"
