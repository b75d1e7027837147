"""What a tool is: a name, a schema from its typed signature, what it may do, and a coroutine behind it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from msgspec import Struct

from famulus.knowledge.base import Scope
from famulus.messages.values import JsonObject, JsonValue, Passage, Principal, Usage
from famulus.models.base import ToolSchema
from famulus.models.spend import Spend

Effect = Literal["read", "write"]


@dataclass(frozen=True, slots=True)
class SearchDefaults:
    """What the run's caller chose for searches. `categories` and `score_threshold` bind; `k` is used where the model names none."""

    k: int = 5
    score_threshold: float = 0.0
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a call may use; made by the run, never by the model. `zone` is an IANA name; `scope` is the frozen choice of the run.

    `spend` is the run's own account: a tool that asks a model pays from it.
    """

    principal: Principal
    run_id: str
    scope: Scope
    zone: str
    model: str
    search: SearchDefaults = SearchDefaults()
    spend: Spend = field(default_factory=Spend)


class ToolOutput(Struct, frozen=True):
    """`data` goes to the model as JSON. Each object in it that carries a `chunk_id` of `passages` gets its citation number `n` from the run.

    `notices` are for the user (`vectors_pending`, …). `usage` is what a model call inside the tool cost; the run counts it.
    """

    data: JsonValue
    passages: tuple[Passage, ...] = ()
    notices: tuple[str, ...] = ()
    usage: Usage | None = None


Handler: TypeAlias = Callable[[ToolContext, JsonObject], Awaitable[ToolOutput]]


@dataclass(frozen=True, slots=True)
class Tool:
    """`network` is True when a call leaves this machine. `timeout_s` bounds one execution. `trusted` results need no mark (clock, arithmetic)."""

    schema: ToolSchema
    handler: Handler
    effect: Effect = "read"
    network: bool = False
    toolbox: str = "knowledge"
    timeout_s: float = 30.0
    labels: frozenset[str] = field(default_factory=lambda: frozenset[str]())
    trusted: bool = False

    @property
    def name(self) -> str:
        return self.schema.name
