"""Model providers: the configured ones, one found at its usual local address, and the built-in one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from famulus import config
from famulus.app.unusable import UnusableProvider
from famulus.errors import FamulusError
from famulus.models import settings as room
from famulus.models.base import Provider
from famulus.models.gateway import Gateway
from famulus.models.prices import Prices
from famulus.models.providers.build import build_providers
from famulus.models.providers.extractive.closeness import Measure
from famulus.models.providers.extractive.provider import ExtractiveProvider
from famulus.net.client import NetClient, NetLimits
from famulus.net.policy import PROVIDER, EgressPolicy

_LOOK: Final = NetLimits(connect_s=0.5, silence_s=1.0, total_s=1.5, size_bytes=64 * 1024)
_FOUND: Final = room.ProviderSettings("ollama", "ollama", local=True)


@dataclass(frozen=True, slots=True)
class ModelRoom:
    """The gate, the client that its providers use, what the operator should be told, and the address of each provider."""

    gateway: Gateway
    net: NetClient
    notices: tuple[str, ...]
    addresses: Mapping[str, str]

    async def aclose(self) -> None:
        await self.gateway.aclose()
        await self.net.aclose()


async def open_models(settings: config.Settings, measure: Measure | None = None) -> ModelRoom:
    """The model room of these settings. Only addresses of providers are open to it beyond the public ones.

    `measure` tells the built-in model how close sentences are to a question.
    """
    configured = [_provider(one) for one in settings.providers]
    policy = EgressPolicy(frozenset(settings.tools.private_network_allowlist))
    net = NetClient(policy.with_providers(_FOUND.url, *(one.url for one in configured)))
    notices: list[str] = []
    known = {one.url for one in configured} | {one.name for one in configured}
    if _FOUND.url not in known and _FOUND.name not in known and await _answers(net, _FOUND):
        configured.append(_FOUND)
        notices.append(f"Found Ollama at {_FOUND.url}; its models can be used as ollama/NAME.")
    if not configured:
        notices.append(
            "No language model is connected: answers are put together from sentences of the documents. "
            f"Start Ollama, or name a provider in {str(settings.data / config.FILE_NAME)!r}."
        )
    usable = [one for one in configured if one.name not in settings.unusable]
    providers: list[Provider] = [
        *build_providers(usable, net),
        *(
            UnusableProvider(one.name, one.kind, one.local, settings.unusable[one.name])
            for one in configured
            if one not in usable
        ),
        ExtractiveProvider(measure),
    ]
    prices = Prices.of_settings(configured, currency=settings.agent.budget_currency)
    return ModelRoom(Gateway(providers, prices), net, tuple(notices), {one.name: one.url for one in configured})


async def _answers(net: NetClient, one: room.ProviderSettings) -> bool:
    try:
        return (await net.request(PROVIDER, "GET", f"{one.url}/api/version", limits=_LOOK)).status == 200
    except FamulusError:
        return False


def _provider(one: config.ProviderSettings) -> room.ProviderSettings:
    return room.ProviderSettings(
        name=one.name,
        kind=one.kind,
        base_url=one.base_url or "",
        api_key=one.api_key.get_secret_value() if one.api_key else None,
        local=one.local,
        models=tuple(_model(model) for model in one.models),
        timeout_s=one.timeout_s,
    )


def _model(one: config.ModelSettings) -> room.ModelSettings:
    price = one.price
    return room.ModelSettings(
        name=one.name,
        context_window=one.context_window,
        max_output_tokens=one.max_output_tokens,
        tools=one.tools,
        price=None
        if price is None
        else room.Price(Decimal(str(price.input)), Decimal(str(price.output)), price.currency, price.per_tokens),
    )
