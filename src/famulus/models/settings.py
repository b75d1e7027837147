"""What the model room is configured with: plain values that `config` maps its own settings to."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from famulus.messages.values import JsonObject
from famulus.models.base import ToolSupport

ProviderKind = Literal["ollama", "openai", "openai_responses", "anthropic", "mistral", "perplexity"]

DEFAULT_URLS: dict[ProviderKind, str] = {
    "ollama": "http://127.0.0.1:11434",
    "openai": "https://api.openai.com/v1",
    "openai_responses": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "mistral": "https://api.mistral.ai/v1",
    "perplexity": "https://api.perplexity.ai",
}


@dataclass(frozen=True, slots=True)
class Price:
    """What `per_tokens` tokens cost."""

    input: Decimal
    output: Decimal
    currency: str = "CHF"
    per_tokens: int = 1_000_000
    cached_input: Decimal | None = None


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """What the administrator knows about a model; None is asked from the provider. `options` go into each request's body as they are."""

    name: str
    context_window: int | None = None
    max_output_tokens: int | None = None
    tools: ToolSupport = None
    price: Price | None = None
    options: JsonObject = field(default_factory=lambda: {})


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """One place that serves models. `local`: data sent there stays in the house; its address may be private either way."""

    name: str
    kind: ProviderKind
    base_url: str = ""
    api_key: str | None = field(default=None, repr=False)
    local: bool = False
    models: tuple[ModelSettings, ...] = ()
    timeout_s: float = 600.0

    @property
    def url(self) -> str:
        """The base URL without a slash at its end; the kind's usual one when none is given."""
        return (self.base_url or DEFAULT_URLS[self.kind]).rstrip("/")

    def model(self, name: str) -> ModelSettings | None:
        return next((model for model in self.models if model.name == name), None)
