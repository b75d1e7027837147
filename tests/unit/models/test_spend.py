"""A3: the cost budget of a run, prices, and what is unknown."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.models.conftest import MakeBench

from famulus.messages.values import Principal, Usage
from famulus.models.base import ModelResponse
from famulus.models.errors import BudgetExceeded, ModelFailed
from famulus.models.gateway import Spend
from famulus.models.prices import Prices, catalog_price
from famulus.models.settings import ModelSettings, Price, ProviderSettings
from famulus.testing.model_servers import Cut, Say, Status, Tokens

PRICE = Price(Decimal(1), Decimal(2), "CHF", 1000, cached_input=Decimal("0.5"))
PRICED = (ModelSettings("test-model", price=PRICE),)
ANSWER = [Say("ok"), Tokens(input=100, output=10, cached=40)]


async def test_usage_is_priced_and_settled(bench: MakeBench) -> None:
    spend = Spend(Decimal(100))
    async with bench("openai", [ANSWER], models=PRICED) as b:
        response = (await b.ask(spend=spend))[-1]
    assert isinstance(response, ModelResponse)
    assert response.usage.cost.amount == Decimal("0.100") == spend.spent
    assert (response.usage.cost.complete, spend.reserved) == (True, 0)


async def test_a_call_that_may_cost_more_than_is_left_is_not_made(bench: MakeBench) -> None:
    async with bench("openai", [ANSWER], models=PRICED) as b:
        with pytest.raises(BudgetExceeded) as caught:
            await b.ask(spend=Spend(Decimal("0.01")))
        assert b.server.requests == []
    assert (caught.value.code, caught.value.limit) == ("budget_exceeded", Decimal("0.01"))


async def test_the_answer_may_be_as_long_as_the_rest_pays_for(bench: MakeBench) -> None:
    async with bench("openai", [ANSWER], models=PRICED) as b:
        await b.ask(spend=Spend(Decimal("1.0")))
    assert 16 <= b.server.bodies[0]["max_tokens"] <= 500


async def test_an_unknown_price_is_not_zero(bench: MakeBench) -> None:
    spend = Spend()
    async with bench("openai", [ANSWER]) as b:
        response = (await b.ask(spend=spend))[-1]
        assert isinstance(response, ModelResponse)
        assert (response.usage.cost.complete, spend.complete) == (False, False)
        with pytest.raises(BudgetExceeded) as caught:
            await b.ask(spend=Spend(Decimal(5)))
    assert caught.value.code == "price_unknown"


async def test_a_price_in_another_currency_needs_an_exchange_rate(bench: MakeBench) -> None:
    dollars = (ModelSettings("test-model", price=Price(Decimal(1), Decimal(1), "USD")),)
    async with bench("openai", [ANSWER], models=dollars) as b:
        with pytest.raises(BudgetExceeded, match="priced in USD"):
            await b.ask(spend=Spend(Decimal(5)))
        b.gateway.prices.exchange["USD"] = Decimal("0.8")
        await b.ask(spend=Spend(Decimal(5)))


async def test_a_price_of_zero_costs_nothing_under_any_limit(bench: MakeBench) -> None:
    free = (ModelSettings("test-model", price=Price(Decimal(0), Decimal(0))),)
    spend = Spend(Decimal(0))
    async with bench("openai", [ANSWER], models=free) as b:
        await b.ask(spend=spend)
    assert (spend.spent, spend.complete) == (0, True)


async def test_a_failed_call_costs_nothing_and_a_broken_one_an_estimate(bench: MakeBench) -> None:
    spend = Spend(Decimal(100))
    async with bench("openai", [Status(401), [Say("one two three four"), Cut(4)]], models=PRICED) as b:
        for expected in (False, True):
            with pytest.raises(ModelFailed):
                await b.ask(spend=spend)
            assert (spend.spent > 0) is expected
    assert spend.reserved == 0


async def test_usage_goes_to_the_ledger(bench: MakeBench) -> None:
    class Ledger:
        def __init__(self) -> None:
            self.rows: list[tuple[str, str, int]] = []

        async def record(self, principal: Principal, model: str, usage: Usage) -> None:
            self.rows.append((principal.user, model, usage.input_tokens))

    ledger = Ledger()
    async with bench("openai", [ANSWER], gateway={"ledger": ledger}) as b:
        await b.ask()
    assert ledger.rows == [("user", "p/test-model", 100)]


def test_only_the_hosts_of_known_providers_have_bundled_prices() -> None:
    settings = [ProviderSettings("a", "openai", "http://127.0.0.1:1/v1"), ProviderSettings("b", "anthropic")]
    assert Prices.of_settings(settings).catalogs == {"b": "anthropic"}


async def test_models_of_the_product_are_free_and_others_unknown() -> None:
    prices = Prices()
    free = await prices.price("builtin/extractive")
    assert free is not None
    assert free.input == free.output == 0
    assert await prices.price("ollama/llama3") is None


def test_bundled_prices_are_read_without_network() -> None:
    price = catalog_price("openai", "gpt-4o")
    assert price is not None
    assert (price.currency, price.input, price.output, price.cached_input) == (
        "USD",
        Decimal("2.5"),
        Decimal(10),
        Decimal("1.25"),
    )
    assert catalog_price("openai", "no-such-model") is None
