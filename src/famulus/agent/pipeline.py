"""The static way beside the agent: does the question need knowledge? search once, then one model call without tools.

Same events as the agent's: the search is a step of round 0, its passages are numbered, the answer is checked in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from famulus.agent.calls import run_calls
from famulus.agent.run import Run
from famulus.agent.small_talk import needs_knowledge
from famulus.agent.state import CallState
from famulus.messages.ids import new_id
from famulus.messages.values import Message, ToolCall, ToolResult
from famulus.text.query import analyse_query

SEARCH: Final = "search_documents"

_FOLLOW_UP: Final = 2


def search_text(message: str, earlier: Sequence[str]) -> str:
    """What to search for: the message, with the question before it where it has too few words of its own to stand alone."""
    terms = analyse_query(message).terms
    if len(terms) < _FOLLOW_UP and earlier:
        return f"{earlier[-1]} {message}"[:4_000]
    return message[:4_000]


async def search_first(run: Run) -> None:
    """The search before the model call, once; nothing when the message needs none or this run may not search."""
    if any(call.done for call in run.state.given) or SEARCH not in run.state.tools:
        return
    if not needs_knowledge(run.request.message):
        run.notice("retrieval_skipped", "The message needs no knowledge, so nothing was searched.")
        return
    begun = [call.call for call in run.state.given]
    earlier = [message.text for message in run.request.history if message.role == "user"]
    call = begun[0] if begun else ToolCall(new_id(), SEARCH, {"query": search_text(run.request.message, earlier)})
    await run_calls(run, 0, run.state.tools, [call], started=frozenset(call.call_id for call in begun))


def given_messages(given: Sequence[CallState]) -> tuple[Message, ...]:
    """The search and its passages as the model reads them: a call that was made for it, and its result, marked as data."""
    found = [call for call in given if call.content is not None and not call.is_error]
    if not found:
        return ()
    asked = Message("assistant", tuple(call.call for call in found))
    results = (ToolResult(call.call.call_id, call.call.tool, call.content or "") for call in found)
    return (asked, *(Message("tool", (result,)) for result in results))
