"""What each event of a run says, for the reference. A test fails when an event is missing here."""

from __future__ import annotations

from typing import Final

from famulus.events import types

EVENTS: Final = {
    types.RUN_STARTED: "First event: the request as accepted, the tools of the run, its deadline.",
    types.RUN_ROUND: "A round begins: `{round, model, tools, context: {tokens, limit, layers: [{name, tokens, items, left_out}]}}`.",
    types.TEXT_DELTA: "Live only: `{delta, offset}`; put `delta` at character `offset` of the message's text over all rounds.",
    types.REASONING_DELTA: "Live only: as `chat.stream.v1`, for what a model tells of its reasoning.",
    types.RUN_RESPONSE: "One finished model response: `{round, text, calls: [{call_id, tool, arguments}], usage, finish}`.",
    types.TOOL_CALL: "A step so far, at each change of its status: `{round, call_id, tool, arguments, effect, network, blocked, cached, status}`.",
    types.APPROVAL: "A call waits for a person: `{approval_id, call_id, tool, arguments, labels, expires_at, state, decision?, decided_by?}`.",
    types.TOOL_RESULT: (
        "A step has ended: `{call_id, status, preview, truncated, blocked, network, cached, is_error, artifact_id?, duration_ms}`."
    ),
    types.SOURCES: "`{sources}`: the passages known so far, with their citation numbers.",
    types.RUN_NOTICE: "`{code, message, data?}`: what the user should know: a cut context, keyword search only, a retry, no model connected.",
    types.RUN_ERROR: "The run failed: a problem document (RFC 9457).",
    types.DONE: "The answer: `{message_id, text, sources, status, truncated, markers, unsupported}`; `quotes` of a source are the sentences that back the answer, at their places in the document's text.",
    types.RUN_SUMMARY: (
        "Always the last: `{status, rounds, calls, usage, durations: {retrieval_ms, model_ms, tools_ms, overhead_ms, first_token_ms}}`; the last counts from the run's start."
    ),
}
