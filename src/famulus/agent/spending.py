"""What a run may still cost, as the model gate is told before each call."""

from __future__ import annotations

from dataclasses import dataclass

from famulus.agent.request import Budget
from famulus.messages.values import Cost


@dataclass(frozen=True, slots=True)
class SpendSoFar:
    """`spent` is the cost of the run until now, sub-calls included; `budget` None means that only the account's own limits hold."""

    run_id: str
    spent: Cost
    budget: Budget | None
