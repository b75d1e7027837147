"""The tool gate: the only way to a tool's handler.

`prepare` decides (allowlist of the run, then existence, then arguments); `execute` runs what was allowed, under the limits of the person and
the tool; `bound` cuts what came back. Between the last two the run puts its citation numbers into the data. Nothing here raises for what a
model did wrong: that becomes a result which the model reads and can correct.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final, Literal

from msgspec import Struct

from famulus.errors import EgressRefused, FamulusError, NotFound, ToolError, UsageError
from famulus.messages.alarms import Alarms
from famulus.messages.ids import new_id
from famulus.messages.values import JsonObject, ToolCall
from famulus.policy.limits import DEFAULTS, Limits
from famulus.policy.redaction import Redactor
from famulus.policy.untrusted import escape_template_tokens
from famulus.tools.base import Effect, Tool, ToolContext, ToolOutput
from famulus.tools.bounding import Bounded, bound, bound_arguments, encode
from famulus.tools.registry import Registry

log: Final = logging.getLogger(__name__)

NOT_FOUND: Final = "Not found in the selected knowledge bases."


class Prepared(Struct, frozen=True):
    """A call that may run. `recorded` are its arguments as the trace shows them; `key` is equal for equal calls."""

    call: ToolCall
    tool: Tool
    arguments: JsonObject
    recorded: JsonObject
    key: str

    @property
    def effect(self) -> Effect:
        return self.tool.effect


class Refused(Struct, frozen=True):
    """A call that will not run. `blocked` is True when the run's allowlist refused it, False when the call itself is wrong."""

    call: ToolCall
    error: str
    recorded: JsonObject
    blocked: bool
    effect: Effect = "read"


class GateResult(Struct, frozen=True):
    """What happened to one call. `output` is None exactly when `is_error`; then `error` is the text for the model."""

    status: Literal["succeeded", "failed", "cancelled"]
    output: ToolOutput | None
    error: str | None
    blocked: bool
    network: bool
    duration_ms: float
    trusted: bool = False

    @property
    def is_error(self) -> bool:
        return self.output is None


@dataclass(slots=True)
class _Places:
    """The places of one person; dropped when nobody holds or waits for one."""

    free: asyncio.Semaphore
    users: int = field(default=0)


class Gate:
    def __init__(self, registry: Registry, *, limits: Limits = DEFAULTS, redactor: Redactor | None = None) -> None:
        self.registry = registry
        self._limits = limits
        self._redactor = redactor or Redactor()
        self._places: dict[tuple[str, str], _Places] = {}
        self._alarms = Alarms()

    def prepare(self, allowlist: Collection[str], call: ToolCall) -> Prepared | Refused:
        """The decision about one call. Unknown and forbidden tools are refused alike; a similar name is told, never called."""
        tool = self.registry.get(call.tool)
        recorded = self._recorded(call)
        if tool is None or call.tool not in allowlist:
            return Refused(call, self._unknown(allowlist, call.tool), recorded, blocked=True)
        if call.arguments is None:
            problem = self._redactor.foreign((call.problem or "not JSON")[:300])
            error = f"The arguments of {tool.name} are not usable JSON: {problem.rstrip('.')}. Send one JSON object."
            return Refused(call, error, recorded, blocked=False, effect=tool.effect)
        try:
            arguments = self.registry.validator(tool.name).check(call.arguments)
        except ToolError as error:
            return Refused(call, str(error), recorded, blocked=False, effect=tool.effect)
        key = f"{tool.name} {encode(dict(sorted(arguments.items())))}"
        return Prepared(call, tool, arguments, recorded, key)

    async def execute(self, prepared: Prepared, context: ToolContext) -> GateResult:
        """Runs the call once. Raises only `CancelledError`: everything else becomes a result."""
        started = time.perf_counter()
        tool = prepared.tool
        output, error = None, None
        try:
            output = await self._handle(prepared, context)
        except TimeoutError:
            error = (
                f"{tool.name} took longer than {tool.timeout_s:g} s and was stopped; ask for less, or do without it."
            )
        except Exception as problem:
            error = self._explain(tool, problem)
        duration = (time.perf_counter() - started) * 1_000
        status = "succeeded" if error is None else "failed"
        return GateResult(status, output, error, False, tool.network, round(duration, 3), tool.trusted)

    def bound(self, result: GateResult) -> Bounded:
        """The result as text for the model and for people; a failed call is `{"error": "…"}`."""
        if result.output is None:
            failure: JsonObject = {"error": escape_template_tokens(result.error or "The tool failed.")}
            return bound(failure, self._limits, untrusted=result.network)
        data = result.output.data
        cut = bound(data, self._limits, untrusted=not (result.trusted and isinstance(data, dict)))
        clean = self._redactor.foreign if result.network else self._redactor.known
        return Bounded(
            clean(cut.content), clean(cut.preview), cut.truncated, None if cut.full is None else clean(cut.full)
        )

    def _unknown(self, allowlist: Collection[str], name: str) -> str:
        offered = sorted(allowlist)
        near = self.registry.near(name, offered)
        hint = f" Similar: {', '.join(near)}." if near else ""
        told = self._redactor.foreign(encode(name[:64]))
        return f"There is no tool {told} in this run; nothing was executed.{hint} Tools of this run: {', '.join(offered) or 'none'}."

    def _recorded(self, call: ToolCall) -> JsonObject:
        if call.arguments is None:
            return {"raw": self._redactor.known(call.raw[: self._limits.recorded_argument_characters])}
        return bound_arguments(call.arguments, self._limits)

    def _explain(self, tool: Tool, problem: Exception) -> str:
        """What the model may read about a failure: our own errors in their words, foreign ones only by a number."""
        if isinstance(problem, NotFound):
            return NOT_FOUND
        if isinstance(problem, EgressRefused):
            return "The address was refused by the network gate (egress_refused)."
        if isinstance(problem, ToolError | UsageError):
            return self._redactor.foreign(str(problem))[: self._limits.preview_characters]
        error_id = new_id()
        if not isinstance(problem, FamulusError):
            log.exception("tool failed", extra={"tool": tool.name, "error_id": error_id})
        return f"{tool.name} failed (error {error_id}); try something else."

    async def _handle(self, prepared: Prepared, context: ToolContext) -> ToolOutput:
        """The handler, in one of the person's places. Raises `ToolError` when none becomes free in time."""
        person = (context.principal.tenant, context.principal.user)
        places = self._places.get(person)
        if places is None:
            places = self._places[person] = _Places(asyncio.Semaphore(self._limits.calls_at_once))
        places.users += 1
        try:
            await (self._wait(places.free) if places.free.locked() else places.free.acquire())
            try:
                with self._alarms.within(prepared.tool.timeout_s):
                    return await prepared.tool.handler(context, prepared.arguments)
            finally:
                places.free.release()
        finally:
            places.users -= 1
            if places.users == 0:
                self._places.pop(person, None)

    async def _wait(self, free: asyncio.Semaphore) -> None:
        try:
            with self._alarms.within(self._limits.place_wait_s):
                await free.acquire()
        except TimeoutError:
            raise ToolError(
                f"{self._limits.calls_at_once} tool calls of this user are running already; wait for them, then ask again."
            ) from None
