"""Ordering a run: here the caller's rights become its frozen input. Watching and reading runs is `run_records`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from famulus.agent.request import Budget, Mode, RunInput, to_json
from famulus.app.run_records import RunRecords
from famulus.errors import Forbidden, Invalid
from famulus.knowledge.bases import Bases
from famulus.messages.values import Message, Principal
from famulus.policy.limits import Limits
from famulus.policy.zone import checked_zone
from famulus.tools.base import SearchDefaults
from famulus.tools.registry import Registry

if TYPE_CHECKING:
    from famulus.app.models import Models
    from famulus.events.log import EventLog


_DEFAULT_SEARCH: Final = SearchDefaults()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOrder:
    """What a caller asks for; None means the default. `knowledge_base_ids` None: all bases that the caller may see."""

    message: str
    model: str | None = None
    history: tuple[Message, ...] = ()
    knowledge_base_ids: tuple[str, ...] | None = None
    use_knowledge: bool = True
    search: SearchDefaults = _DEFAULT_SEARCH
    tools: tuple[str, ...] | None = None
    allow_web: bool = False
    mode: Mode = "agent"
    max_rounds: int | None = None
    max_calls_per_round: int | None = None
    budget: Budget | None = None
    temperature: float | None = 0.0
    zone: str | None = None
    directives: tuple[str, ...] = ()


class Runs(RunRecords):
    def __init__(
        self,
        log: EventLog,
        bases: Bases,
        models: Models,
        registry: Registry,
        limits: Limits,
        *,
        default_budget: Budget | None,
        web_for_members: bool,
    ) -> None:
        super().__init__(log)
        self._bases = bases
        self._models = models
        self._registry = registry
        self._limits = limits
        self._default_budget = default_budget
        self._web_for_members = web_for_members

    async def prepare(self, principal: Principal, order: RunOrder, message_id: str | None = None) -> RunInput:
        """The frozen input of a run. Raises NotFound (a base or model that the caller may not use) and Invalid."""
        self._check(principal, order)
        scope = await self._bases.scope(principal, order.knowledge_base_ids) if order.use_knowledge else None
        return RunInput(
            message=order.message,
            model=await self._models.resolve(principal, order.model),
            history=order.history[-self._limits.history_messages :],
            knowledge_base_ids=scope.knowledge_base_ids if scope else (),
            use_knowledge=order.use_knowledge,
            search=order.search,
            tools=order.tools,
            allow_web=order.allow_web,
            mode=order.mode,
            max_rounds=self._limits.rounds if order.max_rounds is None else order.max_rounds,
            max_calls_per_round=(
                self._limits.calls_per_round if order.max_calls_per_round is None else order.max_calls_per_round
            ),
            budget=order.budget or self._default_budget,
            temperature=order.temperature,
            zone=checked_zone(order.zone),
            directives=order.directives,
            message_id=message_id,
        )

    async def create(self, principal: Principal, order: RunOrder) -> str:
        """The id of a new run without a conversation; it is queued. Raises NotFound, Invalid."""
        request = await self.prepare(principal, order)
        return await self._log.create(principal, to_json(request), None)

    def _check(self, principal: Principal, order: RunOrder) -> None:
        if not order.message.strip():
            raise Invalid("The message is empty; ask something.")
        if order.allow_web is not True and order.allow_web is not False:
            raise Invalid(f"allow_web must be True or False, not {order.allow_web!r}.")
        for name in order.tools or ():
            if name not in self._registry:
                raise Invalid(f"There is no tool {name[:100]!r}; `GET /api/v1/tools` lists yours.")
        if order.allow_web and not self._may_use_web(principal):
            raise Forbidden("Web access is open to administrators only here; ask without it.")

    def _may_use_web(self, principal: Principal) -> bool:
        return principal.role == "admin" or self._web_for_members
