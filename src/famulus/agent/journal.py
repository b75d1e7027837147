"""The loop's only pen: moves the state on by each draft, commits drafts together, and publishes live text at its offset.

A draft counts for the state as soon as it is written; nothing that others could see (a model call, a tool) happens before `commit`. When a commit
fails, the state goes with it: the run is dropped and folded anew from the log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from datetime import datetime
from typing import Final

from famulus.agent.ports import RunLog
from famulus.agent.state import RunState, apply
from famulus.events.records import Lease
from famulus.events.types import REASONING_DELTA, TEXT_DELTA, Draft, Event, RunStatus
from famulus.messages.clock import Clock

_BETWEEN_ROUNDS: Final = "\n\n"


class Journal:
    """`partial` is the text of the response that streams now."""

    def __init__(self, log: RunLog, lease: Lease, state: RunState, clock: Clock) -> None:
        self._log = log
        self._lease = lease
        self._state = state
        self._clock = clock
        self._waiting: list[Draft] = []
        self._under_way: asyncio.Future[list[Event]] | None = None
        self._pieces: list[str] = []
        self._length = 0
        self._reasoned = 0

    @property
    def partial_length(self) -> int:
        return self._length

    def now(self) -> datetime:
        return self._clock.now()

    def write(self, *drafts: Draft) -> None:
        """These drafts go out with the next commit, in order."""
        # Of the times only the first one counts for the state; in the log each commit has its own.
        at = self._state.started_at or self.now()
        for draft in drafts:
            apply(self._state, Event(0, self._lease.run_id, draft.type, at, draft.data, draft.private))
        self._waiting.extend(drafts)

    async def commit(self, *, status: RunStatus | None = None) -> None:
        """Commits what waits in one step, and returns once it is on disk. Cancelled, it goes on in the background; `settle` waits for it.

        Raises `LeaseLost`.
        """
        await self.settle()
        if self._waiting:
            self._under_way = asyncio.ensure_future(self._append(status))
            await self.settle()

    def begin(self) -> None:
        """Begins to commit what waits; the next `commit` or `settle` waits for its end and tells of its failure."""
        if self._waiting and self._under_way is None:
            self._under_way = asyncio.ensure_future(self._append_later())

    async def settle(self) -> None:
        """What was being committed is in the log. Raises `LeaseLost`."""
        if self._under_way is not None:
            await asyncio.shield(self._under_way)
            self._under_way = None

    def _append(self, status: RunStatus | None = None) -> Awaitable[list[Event]]:
        drafts, self._waiting = self._waiting, []
        return self._log.append(self._lease, drafts, status=status)

    async def _append_later(self) -> list[Event]:
        return await self._append()

    def text(self, delta: str) -> None:
        """Live text of the current response. A blank line goes between the texts of two rounds unless one of them brings white space."""
        if not delta:
            return
        before = self._state.text
        if not self._pieces and before and not before[-1].isspace() and not delta[0].isspace():
            self._publish(_BETWEEN_ROUNDS)
        self._publish(delta)

    def reasoning(self, delta: str) -> None:
        self._log.publish(self._lease.run_id, REASONING_DELTA, delta, self._reasoned)
        self._reasoned += len(delta)

    def take_partial(self) -> str:
        """The text of the response that ends now; the next one begins empty."""
        text = "".join(self._pieces)
        self._pieces = []
        self._length = 0
        return text

    def _publish(self, text: str) -> None:
        self._log.publish(self._lease.run_id, TEXT_DELTA, text, len(self._state.text) + self._length)
        self._pieces.append(text)
        self._length += len(text)
