"""What models cost: the administrator's table first, then the bundled price data for hosted providers. Unknown is None, never zero.

The bundled data (package `genai-prices`, no network) is large, so it is loaded in a thread, and only when a hosted provider is asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from decimal import Decimal

from yarl import URL

from famulus.messages.values import Cost, Usage
from famulus.models.settings import Price, ProviderSettings

# Whose prices the bundled data knows, by the host of their API; a private server with the same model names costs something else.
CATALOG = {
    "api.openai.com": "openai",
    "api.anthropic.com": "anthropic",
    "api.mistral.ai": "mistral",
    "api.perplexity.ai": "perplexity",
    "api.groq.com": "groq",
    "api.deepseek.com": "deepseek",
    "api.together.xyz": "together",
    "api.x.ai": "x-ai",
    "api.fireworks.ai": "fireworks",
    "openrouter.ai": "openrouter",
    "generativelanguage.googleapis.com": "google",
    "api.moonshot.ai": "moonshotai",
    "api.cerebras.ai": "cerebras",
}
FREE = Price(Decimal(0), Decimal(0))


class Prices:
    """`exchange`: how much one unit of a currency is in `currency`; without it costs stay in the currency of their price."""

    def __init__(
        self,
        own: Mapping[str, Price] | None = None,
        catalogs: Mapping[str, str] | None = None,
        *,
        currency: str = "CHF",
        exchange: Mapping[str, Decimal] | None = None,
    ) -> None:
        self.own = dict(own or {})
        self.catalogs = dict(catalogs or {})
        self.currency = currency
        self.exchange = dict(exchange or {})
        self.known: dict[str, Price | None] = {}

    @classmethod
    def of_settings(
        cls,
        settings: Sequence[ProviderSettings],
        *,
        currency: str = "CHF",
        exchange: Mapping[str, Decimal] | None = None,
    ) -> Prices:
        own = {
            f"{one.name}/{model.name}": model.price
            for one in settings
            for model in one.models
            if model.price is not None
        }
        catalogs = {one.name: CATALOG[host] for one in settings if (host := URL(one.url).host or "") in CATALOG}
        return cls(own, catalogs, currency=currency, exchange=exchange)

    async def price(self, name: str) -> Price | None:
        """The price of `provider/model`, or None. Models that come with the product are free."""
        if name in self.own:
            return self.own[name]
        provider, _, model = name.partition("/")
        if provider == "builtin":
            return FREE
        if provider not in self.catalogs:
            return None
        if name not in self.known:
            self.known[name] = await asyncio.to_thread(catalog_price, self.catalogs[provider], model)
        return self.known[name]

    async def load(self) -> None:
        """Loads the bundled prices ahead of the first call; does nothing without a hosted provider."""
        if self.catalogs:
            await asyncio.to_thread(catalog_price, "openai", "gpt-4o")

    def cost(self, price: Price | None, usage: Usage) -> Cost:
        """The cost of a usage; `complete` is False when the price is unknown."""
        if price is None:
            return Cost(Decimal(0), self.currency, complete=False)
        cached = min(usage.cached_tokens, usage.input_tokens)
        cached_price = price.cached_input if price.cached_input is not None else price.input
        total = price.input * (usage.input_tokens - cached) + cached_price * cached + price.output * usage.output_tokens
        return self.converted(total / price.per_tokens, price.currency)

    def converted(self, amount: Decimal, currency: str) -> Cost:
        if currency != self.currency and currency in self.exchange:
            return Cost(amount * self.exchange[currency], self.currency)
        return Cost(amount, self.currency if amount == 0 else currency)


def catalog_price(provider: str, model: str) -> Price | None:
    """The bundled price of a hosted model, in dollars for a million tokens; of prices by size the lowest step."""
    from genai_prices import Usage as Counted
    from genai_prices import calc_price

    def dollars(usage: Counted) -> Decimal:
        return calc_price(usage, model, provider_id=provider).total_price * 1000

    try:
        plain = dollars(Counted(input_tokens=1000))
        cached = dollars(Counted(input_tokens=1000, cache_read_tokens=1000))
        return Price(plain, dollars(Counted(output_tokens=1000)), "USD", 1_000_000, cached)
    except (LookupError, ValueError):
        return None
