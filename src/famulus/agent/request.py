"""One run as it was asked for: the frozen input that the log keeps and every restart reads again."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Final, Literal, cast

from famulus.errors import Invalid
from famulus.messages.values import JsonObject, JsonValue, Message, Role, Text
from famulus.policy.limits import DEFAULTS
from famulus.policy.zone import DEFAULT_ZONE, checked_zone
from famulus.tools.base import SearchDefaults
from famulus.tools.registry import Registry

Mode = Literal["agent", "pipeline"]

_SEARCH: Final = SearchDefaults()
_HISTORY_ROLES: Final = ("user", "assistant", "system")


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that one turn may cost, sub-calls included."""

    amount: Decimal
    currency: str = "CHF"


@dataclass(frozen=True, slots=True)
class RunInput:
    """`history` are the earlier messages, oldest first, without the new one. `tools` None means the defaults; else exactly these names.

    `earlier_runs` answered this question, or the one it was before it was edited, oldest first.
    `allow_web` is a permission of this run alone: only the value `True` itself grants it.
    """

    message: str
    model: str
    history: tuple[Message, ...] = ()
    knowledge_base_ids: tuple[str, ...] = ()
    use_knowledge: bool = True
    search: SearchDefaults = _SEARCH
    tools: tuple[str, ...] | None = None
    allow_web: bool = False
    mode: Mode = "agent"
    max_rounds: int = DEFAULTS.rounds
    max_calls_per_round: int = DEFAULTS.calls_per_round
    budget: Budget | None = None
    temperature: float | None = 0.0
    zone: str = DEFAULT_ZONE
    directives: tuple[str, ...] = ()
    conversation_id: str | None = None
    message_id: str | None = None
    earlier_runs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.allow_web is not True and self.allow_web is not False:
            raise Invalid(f"allow_web must be True or False, not {self.allow_web!r}; nothing else grants the web.")
        if not 1 <= self.max_rounds <= DEFAULTS.rounds_highest:
            raise Invalid(f"max_rounds must be between 1 and {DEFAULTS.rounds_highest}, not {self.max_rounds!r}.")
        if not 1 <= self.max_calls_per_round <= DEFAULTS.calls_recorded:
            raise Invalid(
                f"max_calls_per_round must be between 1 and {DEFAULTS.calls_recorded}, not {self.max_calls_per_round!r}."
            )
        if self.budget is not None and (not self.budget.amount.is_finite() or self.budget.amount < 0):
            raise Invalid(f"The budget must be an amount of 0 or more, not {str(self.budget.amount)!r}.")
        if checked_zone(self.zone) != self.zone:
            raise Invalid("zone must be an IANA name that was checked before.")


def to_json(request: RunInput) -> JsonObject:
    """The input as the log stores it; `from_json` gives it back equal."""
    data: JsonObject = {
        "message": request.message,
        "model": request.model,
        "history": [{"role": message.role, "text": message.text} for message in request.history],
        "knowledge_base_ids": [*request.knowledge_base_ids],
        "use_knowledge": request.use_knowledge,
        "knowledge_options": {
            "k": request.search.k,
            "score_threshold": request.search.score_threshold,
            "categories": [*request.search.categories],
        },
        "tools": None if request.tools is None else [*request.tools],
        "allow_web": request.allow_web,
        "mode": request.mode,
        "max_rounds": request.max_rounds,
        "max_calls_per_round": request.max_calls_per_round,
        "budget": None
        if request.budget is None
        else {"amount": str(request.budget.amount), "currency": request.budget.currency},
        "temperature": request.temperature,
        "zone": request.zone,
        "directives": [*request.directives],
    }
    if request.conversation_id is not None:
        data["conversation_id"] = request.conversation_id
    if request.message_id is not None:
        data["message_id"] = request.message_id
    if request.earlier_runs:
        data["earlier_runs"] = [*request.earlier_runs]
    return data


def from_json(data: Mapping[str, JsonValue]) -> RunInput:
    """The input of a stored run; what is left out has its default. Raises `Invalid` for a value of the wrong kind."""
    options = data.get("knowledge_options")
    options = options if isinstance(options, dict) else {}
    mode = data.get("mode") or "agent"
    if mode not in ("agent", "pipeline"):
        raise Invalid(f"mode must be 'agent' or 'pipeline', not {mode!r}.")
    tools, temperature = data.get("tools"), data.get("temperature", 0.0)
    if temperature is not None and (isinstance(temperature, bool) or not isinstance(temperature, int | float)):
        raise Invalid(f"temperature must be a number, not {temperature!r}.")
    return RunInput(
        message=_text(data, "message"),
        model=_text(data, "model"),
        history=_history(data.get("history")),
        knowledge_base_ids=_texts(data, "knowledge_base_ids"),
        use_knowledge=data.get("use_knowledge", True) is True,
        search=SearchDefaults(
            k=_whole(options, "k", 5),
            score_threshold=float(cast(float, options.get("score_threshold") or 0.0)),
            categories=_texts(options, "categories"),
        ),
        tools=None if tools is None else _texts(data, "tools"),
        allow_web=cast(bool, data.get("allow_web", False)),
        mode=mode,
        max_rounds=_whole(data, "max_rounds", DEFAULTS.rounds),
        max_calls_per_round=_whole(data, "max_calls_per_round", DEFAULTS.calls_per_round),
        budget=_budget(data.get("budget")),
        temperature=temperature,
        zone=checked_zone(cast("str | None", data.get("zone"))),
        directives=_texts(data, "directives"),
        conversation_id=cast("str | None", data.get("conversation_id")),
        message_id=cast("str | None", data.get("message_id")),
        earlier_runs=_texts(data, "earlier_runs"),
    )


def tools_of_run(request: RunInput, registry: Registry) -> tuple[str, ...]:
    """The frozen allowlist: what was asked for (by default every reading tool), minus what this run has no right or no use for."""
    asked: Collection[str] | None = request.tools
    chosen: list[str] = []
    for tool in registry:
        if asked is not None and tool.name not in asked:
            continue
        if asked is None and tool.effect == "write":
            continue
        if tool.network and request.allow_web is not True:
            continue
        if tool.toolbox == "knowledge" and not (request.use_knowledge and request.knowledge_base_ids):
            continue
        chosen.append(tool.name)
    return tuple(chosen)


def _history(value: JsonValue) -> tuple[Message, ...]:
    if not isinstance(value, list):
        return ()
    messages: list[Message] = []
    for item in value:
        if (
            not isinstance(item, dict)
            or item.get("role") not in _HISTORY_ROLES
            or not isinstance(item.get("text"), str)
        ):
            raise Invalid("history must be a list of {role: user|assistant|system, text}.")
        messages.append(Message(cast(Role, item["role"]), (Text(cast(str, item["text"])),)))
    return tuple(messages)


def _budget(value: JsonValue) -> Budget | None:
    if not isinstance(value, dict):
        return None
    try:
        amount = Decimal(str(value.get("amount")))
    except InvalidOperation:
        raise Invalid(f"budget.amount must be a number, not {value.get('amount')!r}.") from None
    return Budget(amount, str(value.get("currency") or "CHF"))


def _text(data: Mapping[str, JsonValue], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str):
        raise Invalid(f"{name} must be text, not {value!r}.")
    return value


def _texts(data: Mapping[str, JsonValue], name: str) -> tuple[str, ...]:
    value = data.get(name) or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise Invalid(f"{name} must be a list of texts.")
    return tuple(cast("list[str]", value))


def _whole(data: Mapping[str, JsonValue], name: str, default: int) -> int:
    value = data.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int):
        raise Invalid(f"{name} must be a whole number, not {value!r}.")
    return value
