"""The Perplexity dialect of Chat Completions: a search engine that answers; it takes no tools and lists no models. Pure."""

from __future__ import annotations

from famulus.messages.values import JsonObject
from famulus.models.base import ModelRequest
from famulus.models.providers.openai import OpenAIWire
from famulus.models.providers.wire import Listed, Quirks

# Source: Perplexity's model cards; its API has no list of models.
MODELS = (
    Listed("sonar", False, 128_000),
    Listed("sonar-pro", False, 200_000),
    Listed("sonar-reasoning-pro", False, 128_000),
    Listed("sonar-deep-research", False, 128_000),
)


class PerplexityWire(OpenAIWire):
    kind = "perplexity"
    models_path = ""

    def body(self, request: ModelRequest, model: str, quirks: Quirks) -> JsonObject:
        written = super().body(request, model, quirks)
        for name in ("stream_options", "tools", "tool_choice"):
            written.pop(name, None)
        return written

    def listed(self, body: bytes) -> list[Listed]:
        return list(MODELS)
