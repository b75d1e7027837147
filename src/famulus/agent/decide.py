"""What is to be done about each call of a round, before anything runs: run it, or answer it from here.

A call is answered without running when the gate refuses it, when it is one too many, when the run's own record holds its result, or when a write
was interrupted, of which nobody knows whether it took effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from famulus.agent.run import Run
from famulus.messages.values import JsonObject, ToolCall
from famulus.tools.gate import Prepared, Refused

OUTCOME_UNKNOWN: Final = "outcome unknown: the run was interrupted while this call was running. It was not repeated; check whether it took effect."


class Ready(Struct, frozen=True):
    """A call that will run now."""

    prepared: Prepared
    started: bool

    @property
    def lane(self) -> str:
        return self.prepared.effect


class Answered(Struct, frozen=True):
    """A call that has its result without running: refused, repeated, or interrupted earlier. `same_as` waits for a call of this round."""

    call: ToolCall
    recorded: JsonObject
    effect: Literal["read", "write"]
    error: str | None = None
    blocked: bool = False
    key: str | None = None
    same_as: str | None = None
    repeated: int = 0

    @property
    def lane(self) -> str:
        return "read"


Decision: TypeAlias = Ready | Answered


def decide(
    run: Run, offer: Sequence[str], calls: Sequence[ToolCall], recovered: bool, started: frozenset[str]
) -> list[Decision]:
    """One decision for each call, in order. `started` names calls that a former worker had begun."""
    decisions: list[Decision] = []
    here: dict[str, tuple[str, int]] = {}
    changed = False
    for index, call in enumerate(calls):
        prepared = run.deps.gate.prepare(offer, call)
        if index >= run.request.max_calls_per_round:
            limit = (
                f"Not executed: at most {run.request.max_calls_per_round} calls per round. Ask again in the next round."
            )
            decisions.append(Answered(call, prepared.recorded, prepared.effect, limit))
        elif isinstance(prepared, Refused):
            decisions.append(Answered(call, prepared.recorded, prepared.effect, prepared.error, prepared.blocked))
        elif prepared.effect == "write":
            decisions.append(_decide_write(prepared, call.call_id in started, recovered))
            # What was read before a change may be stale: the record does not answer for it.
            changed = True
            here.clear()
        else:
            decisions.append(_decide_read(run, prepared, here, call.call_id in started, use_record=not changed))
    return decisions


def _decide_write(prepared: Prepared, started: bool, recovered: bool) -> Decision:
    if started:
        return Answered(prepared.call, prepared.recorded, "write", OUTCOME_UNKNOWN)
    if recovered:
        error = "Not executed: this call was written as text. A call that changes something must be a real tool call."
        return Answered(prepared.call, prepared.recorded, "write", error, blocked=True)
    return Ready(prepared, started=False)


def _decide_read(
    run: Run, prepared: Prepared, here: dict[str, tuple[str, int]], started: bool, *, use_record: bool
) -> Decision:
    """Runs the call, or answers it from the run's own record. `here` counts the equal calls of this round."""
    record = run.state.by_key.get(prepared.key, ()) if use_record else ()
    before = [call for call in record if call.call.call_id != prepared.call.call_id]
    answered = next((call.call.call_id for call in before if call.done and not call.is_error), None)
    first, times = here.get(prepared.key, (answered, len(before)))
    here[prepared.key] = (first or prepared.call.call_id, times + 1)
    if first is None:
        return Ready(prepared, started)
    return Answered(prepared.call, prepared.recorded, "read", key=prepared.key, same_as=first, repeated=times + 1)
