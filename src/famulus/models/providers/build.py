"""Providers from their settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from famulus.models.base import Provider
from famulus.models.providers.anthropic import AnthropicWire
from famulus.models.providers.http import HttpProvider
from famulus.models.providers.mistral import MistralWire
from famulus.models.providers.ollama.provider import OllamaProvider
from famulus.models.providers.openai import OpenAIWire
from famulus.models.providers.openai_responses import ResponsesWire
from famulus.models.providers.perplexity import PerplexityWire
from famulus.models.providers.wire import Wire
from famulus.models.settings import ProviderKind, ProviderSettings
from famulus.net.client import NetClient

WIRES: dict[ProviderKind, Callable[[], Wire]] = {
    "openai": OpenAIWire,
    "openai_responses": ResponsesWire,
    "anthropic": AnthropicWire,
    "mistral": MistralWire,
    "perplexity": PerplexityWire,
}


def build_providers(settings: Sequence[ProviderSettings], net: NetClient) -> list[Provider]:
    """One provider for each settings. The client's policy must name their base URLs (`ProviderSettings.url`)."""
    return [build_provider(one, net) for one in settings]


def build_provider(settings: ProviderSettings, net: NetClient) -> Provider:
    if settings.kind == "ollama":
        return OllamaProvider(settings, net)
    return HttpProvider(settings, WIRES[settings.kind](), net)
