"""The one gate before every model: budget, tools or their emulation, bounded retries, recovery of written calls, usage and cost.

Failures are retried only before the first token of an answer. After it the caller has shown text that a second attempt would
contradict: the error goes up, and the caller keeps the text.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from msgspec.structs import replace

from famulus.messages.values import Cost, Message, Principal, Text, Usage
from famulus.models.base import (
    ModelInfo,
    ModelItem,
    ModelNotice,
    ModelRequest,
    ModelResponse,
    Provider,
    ReasoningDelta,
    TextDelta,
)
from famulus.models.emulation import emulate
from famulus.models.errors import ModelFailed
from famulus.models.estimate import estimated_prompt_tokens
from famulus.models.prices import Prices
from famulus.models.recover import Recovery
from famulus.models.selector import Selector
from famulus.models.settings import Price
from famulus.models.spend import Spend
from famulus.models.streams import closing

__all__ = ["Gateway", "Ledger", "Retries", "Spend"]

INFO_LIFE_S = 300.0
ASSUMED_OUTPUT = 4096
LEAST_OUTPUT = 16
NO_TOOLS = re.compile(
    r"(?:not support|unsupported|does not allow|cannot use).{0,40}\b(?:tools?|functions?)\b|tool use is not|tool choice requires|--jinja",
    re.IGNORECASE,
)


class Ledger(Protocol):
    """Where usage is recorded, for limits and reports over more than one run."""

    async def record(self, principal: Principal, model: str, usage: Usage) -> None: ...


@dataclass(frozen=True, slots=True)
class Retries:
    """Waits `first_s`, doubled each time, or what the provider asks; a provider that asks for more than `most_s` is not waited for."""

    attempts: int = 3
    first_s: float = 0.5
    most_s: float = 30.0

    def wait_s(self, attempt: int, failure: ModelFailed) -> float | None:
        """Seconds before the next attempt; None = give up."""
        if attempt >= self.attempts or not failure.retryable:
            return None
        if failure.retry_after_s is not None:
            return failure.retry_after_s if failure.retry_after_s <= self.most_s else None
        return min(self.most_s, self.first_s * 2 ** (attempt - 1) * random.uniform(0.8, 1.2))


@dataclass(slots=True)
class Tally:
    """What one call has yielded, to cost an answer that broke off."""

    characters: int = 0
    usage: Usage | None = None


class Gateway:
    """`recover_calls`: read tool calls that a model writes as text. `sleep` is replaced in tests."""

    def __init__(
        self,
        providers: Sequence[Provider],
        prices: Prices | None = None,
        ledger: Ledger | None = None,
        *,
        retries: Retries | None = None,
        recover_calls: bool = True,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.selector = Selector(providers)
        self.prices = prices or Prices()
        self.ledger = ledger
        self.retries = retries or Retries()
        self.recover_calls = recover_calls
        self.sleep = sleep
        self.clock = clock
        self.infos: dict[str, tuple[float, ModelInfo]] = {}
        self.without_tools: set[str] = set()

    async def aclose(self) -> None:
        for provider in self.selector.providers.values():
            await provider.aclose()

    async def models(self, principal: Principal) -> list[ModelInfo]:
        """All models of all providers that can be asked now, by name."""
        asked = [provider.models() for provider in self.selector.providers.values()]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        found = [info for answer in answers if not isinstance(answer, BaseException) for info in answer]
        failed = [
            answer for answer in answers if isinstance(answer, BaseException) and not isinstance(answer, ModelFailed)
        ]
        if failed:
            raise failed[0]
        return sorted([await self.priced_info(info) for info in found], key=lambda info: info.name)

    async def info(self, name: str) -> ModelInfo:
        """What is known about a model, a few minutes old at most. Raises `Invalid`, `NotFound`."""
        kept = self.infos.get(name)
        if kept is not None and kept[0] > self.clock():
            return kept[1]
        provider, model = self.selector.pick(name)
        info = await self.priced_info(await provider.info(model))
        self.infos[name] = (self.clock() + INFO_LIFE_S, info)
        return info

    async def priced_info(self, info: ModelInfo) -> ModelInfo:
        if info.name in self.without_tools:
            info = replace(info, tools="json_schema")
        price = await self.prices.price(info.name)
        if price is None:
            return info
        return replace(
            info,
            input_price=float(price.input),
            output_price=float(price.output),
            currency=price.currency,
            per_tokens=price.per_tokens,
        )

    async def test(self, name: str) -> float:
        """Milliseconds until the model has answered a short question. Raises `ModelError`."""
        question = Message("user", (Text("Reply with the word OK."),))
        request = ModelRequest(name, (question,), max_output_tokens=LEAST_OUTPUT)
        start = self.clock()
        async with closing(self.attempts(request, await self.info(name))) as items:
            async for _ in items:
                pass
        return (self.clock() - start) * 1000

    async def stream(self, principal: Principal, request: ModelRequest, spend: Spend) -> AsyncGenerator[ModelItem]:
        """Deltas and notices, then exactly one response with its cost. Raises `ModelError`; `BudgetExceeded` before anything is sent."""
        info = await self.info(request.model)
        price = await self.prices.price(request.model)
        request, hold = self.reserve(request, info, price, spend)
        tally = Tally()
        try:
            async with closing(self.attempts(request, info)) as items:
                async for item in items:
                    if isinstance(item, (TextDelta, ReasoningDelta)):
                        tally.characters += len(item.text)
                    elif isinstance(item, ModelResponse):
                        item = self.costed(item, request, price)
                        tally.usage = item.usage
                    yield item
        finally:
            usage = tally.usage or self.broken_off(tally, request, price)
            spend.settle(hold, usage.cost)
            if self.ledger is not None and usage.input_tokens:
                await self.ledger.record(principal, request.model, usage)

    def reserve(
        self, request: ModelRequest, info: ModelInfo, price: Price | None, spend: Spend
    ) -> tuple[ModelRequest, Decimal]:
        """Reserves what the call may cost; with a limit the answer may not be longer than what is left pays for."""
        if spend.limit is None:
            return request, Decimal(0)
        asked = estimated_prompt_tokens(request)
        one_token = self.prices.cost(price, Usage(output_tokens=1))
        spend.check_price(request.model, price, one_token.currency)
        prompt = self.prices.cost(price, Usage(input_tokens=asked)).amount
        wanted = request.max_output_tokens or info.max_output_tokens or ASSUMED_OUTPUT
        if one_token.amount and spend.left is not None:
            wanted = min(wanted, max(LEAST_OUTPUT, int((spend.left - prompt) / one_token.amount)))
            request = replace(request, max_output_tokens=wanted)
        hold = prompt + one_token.amount * wanted
        spend.reserve(hold)
        return request, hold

    def costed(self, response: ModelResponse, request: ModelRequest, price: Price | None) -> ModelResponse:
        usage = response.usage
        if usage.estimated and not usage.input_tokens:
            usage = replace(usage, input_tokens=estimated_prompt_tokens(request))
        return replace(response, usage=replace(usage, cost=self.prices.cost(price, usage)))

    def broken_off(self, tally: Tally, request: ModelRequest, price: Price | None) -> Usage:
        """The usage of a call without its end: nothing when nothing came, else an estimate, for the provider charges for it."""
        if not tally.characters:
            return Usage(cost=Cost(currency=self.prices.currency))
        usage = Usage(estimated_prompt_tokens(request), tally.characters // 4 + 1, estimated=True)
        return replace(usage, cost=self.prices.cost(price, usage))

    async def attempts(self, request: ModelRequest, info: ModelInfo) -> AsyncIterator[ModelItem]:
        attempt = 1
        while True:
            recovery = self.recovery(request, info)
            try:
                async with closing(self.once(request, info)) as items:
                    async for item in items:
                        for passed in (item,) if recovery is None else recovery.take(item):
                            yield passed
                return
            except ModelFailed as failure:
                if self.is_without_tools(failure, request):
                    self.infos.pop(request.model, None)
                    info = await self.info(request.model)
                    yield ModelNotice(
                        "tools_emulated", "The model takes no tool calls; it answers through constrained JSON instead."
                    )
                    continue
                wait_s = self.retries.wait_s(attempt, failure)
                if wait_s is None:
                    raise
                yield retry_notice(failure, attempt, wait_s)
                await self.sleep(wait_s)
                attempt += 1

    def is_without_tools(self, failure: ModelFailed, request: ModelRequest) -> bool:
        """Whether the failure says, for the first time, that this model has no native tool calls."""
        refused = failure.kind in ("rejected", "unavailable") and failure.before_first_token and bool(request.tools)
        if not refused or not NO_TOOLS.search(failure.detail) or request.model in self.without_tools:
            return False
        self.without_tools.add(request.model)
        return True

    def once(self, request: ModelRequest, info: ModelInfo) -> AsyncIterator[ModelItem]:
        """One attempt, tools emulated for a model that has none."""
        provider, _ = self.selector.pick(request.model)
        return emulate(request, provider.stream) if emulated(info) else provider.stream(request)

    def recovery(self, request: ModelRequest, info: ModelInfo) -> Recovery | None:
        """A fresh look for calls in words, where a model was offered tools of its own."""
        wanted = self.recover_calls and bool(request.tools) and info.kind != "builtin" and not emulated(info)
        return Recovery(request) if wanted else None


def emulated(info: ModelInfo) -> bool:
    return info.tools is False or info.tools == "json_schema"


def retry_notice(failure: ModelFailed, attempt: int, wait_s: float) -> ModelNotice:
    text = f"{failure} Trying again in {wait_s:.1f} s."
    return ModelNotice("retry", text, {"kind": failure.kind, "attempt": attempt, "wait_s": round(wait_s, 3)})
