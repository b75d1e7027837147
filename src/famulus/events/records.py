"""What is known about a run beside its events: who asked, its status, who owns it now."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from famulus.errors import Invalid
from famulus.events.types import ENDED, RunStatus
from famulus.messages.values import JsonObject, Principal

_POSITION: Final = re.compile(r"([0-9]{1,18})(?:\.([0-9]{1,18}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to append to one run. It ends when `epoch` moves: another worker has taken the run.

    `stop_requested` is as it was when the run was claimed.
    """

    run_id: str
    tenant: str
    epoch: int
    interruptions: int = 0
    stop_requested: bool = False


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run. `last_seq` is the number of its newest event, 0 before the first."""

    run_id: str
    principal: Principal
    conversation_id: str | None
    request: JsonObject
    status: RunStatus
    last_seq: int
    stop_requested: bool
    interruptions: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None

    @property
    def ended(self) -> bool:
        return self.status in ENDED


@dataclass(frozen=True, slots=True)
class Position:
    """How far a reader has come: the last durable `seq` it saw and, inside a streaming response, the offset of its last text delta."""

    seq: int = 0
    offset: int | None = None

    @classmethod
    def parse(cls, text: str) -> Position:
        """`SEQ` or `SEQ.OFFSET`. Raises `Invalid`."""
        match = _POSITION.fullmatch(text.strip())
        if match is None:
            raise Invalid(f"{text[:40]!r} is no position in a run; use SEQ or SEQ.OFFSET as in the event's id")
        return cls(int(match[1]), int(match[2]) if match[2] else None)
