"""Use cases of models: which ones there are, which one a run takes, and whether one answers."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, Protocol

from famulus.errors import FamulusError, NotFound
from famulus.messages.values import Message, Principal, Text
from famulus.models.base import ModelInfo, ModelItem, ModelRequest, ModelResponse, ToolSupport

if TYPE_CHECKING:
    from famulus.models.gateway import Spend

BUILTIN: Final = "builtin/extractive"


@dataclass(frozen=True, slots=True)
class ModelPrice:
    input: float
    output: float
    currency: str
    per_tokens: int


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model as people choose it. `price` None: unknown, which is not zero."""

    name: str
    provider: str
    kind: str
    local: bool
    tools: ToolSupport
    context_window: int | None
    max_output_tokens: int | None
    price: ModelPrice | None
    status: Literal["ok", "unavailable"] = "ok"
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class ModelListing:
    items: list[ListedModel]
    default: str


@dataclass(frozen=True, slots=True)
class ModelTest:
    ok: bool
    latency_ms: float
    detail: str | None = None


class Gateway(Protocol):
    async def models(self, principal: Principal) -> list[ModelInfo]: ...

    async def info(self, name: str) -> ModelInfo: ...

    def stream(self, principal: Principal, request: ModelRequest, spend: Spend) -> AsyncIterator[ModelItem]: ...


class Models:
    """`configured` is the default that the operator set; without one the first model that can call tools is taken."""

    def __init__(self, gateway: Gateway, configured: str | None, spend: Callable[[Principal], Spend]) -> None:
        self._gateway = gateway
        self._configured = configured
        self._spend = spend

    async def list(self, principal: Principal) -> ModelListing:
        """All models, and the name of the one that a run takes by default."""
        infos = await self._gateway.models(principal)
        return ModelListing([_listed(info) for info in infos], self._configured or best_of(infos))

    async def resolve(self, principal: Principal, name: str | None) -> str:
        """The full name of the model of a run. Raises NotFound."""
        if name is None or not name.strip():
            return self._configured or best_of(await self._gateway.models(principal))
        if "/" in name:
            # What a provider does not list may still be there: the call itself tells.
            if (await self._gateway.info(name)).name != name:
                raise NotFound(f"There is no model {name!r}; `famulus models` lists yours.")
            return name
        found = [info.name for info in await self._gateway.models(principal) if info.name.partition("/")[2] == name]
        if not found:
            raise NotFound(f"There is no model {name!r}; `famulus models` lists yours.")
        return found[0]

    async def test(self, principal: Principal, name: str) -> ModelTest:
        """Whether the model answers one short question, and after how long. Raises NotFound."""
        model = await self.resolve(principal, name)
        request = ModelRequest(model, (Message("user", (Text("Answer with the word: ready"),)),), max_output_tokens=64)
        started, text = time.perf_counter(), ""
        try:
            async for item in self._gateway.stream(principal, request, self._spend(principal)):
                if isinstance(item, ModelResponse):
                    text = item.text
        except FamulusError as error:
            return ModelTest(False, _elapsed_ms(started), str(error))
        return ModelTest(True, _elapsed_ms(started), text[:200] or None)


def _listed(info: ModelInfo) -> ListedModel:
    known = info.input_price is not None and info.output_price is not None and info.currency is not None
    price = ModelPrice(info.input_price or 0.0, info.output_price or 0.0, info.currency or "", info.per_tokens)
    return ListedModel(
        info.name,
        info.provider,
        info.kind,
        info.local,
        info.tools,
        info.context_window,
        info.max_output_tokens,
        price if known else None,
    )


def tools_in_words(tools: ToolSupport) -> str:
    """Whether a model can call tools, for people."""
    if tools == "json_schema":
        return "tools by JSON schema"
    return "tools unknown" if tools is None else "tools" if tools else "no tools"


def best_of(infos: list[ModelInfo]) -> str:
    """The first model of a configured or found provider that calls tools, else the first that may; else the built-in one."""
    others = [info for info in infos if info.provider != "builtin"]
    capable = [info for info in others if info.tools] or [info for info in others if info.tools is None]
    return capable[0].name if capable else BUILTIN


def _elapsed_ms(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 1)
