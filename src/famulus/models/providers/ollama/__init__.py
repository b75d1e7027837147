"""The native Ollama wire. Its OpenAI-compatible endpoint is not used: that cannot set the context window."""

from __future__ import annotations

from collections.abc import Mapping

from famulus.messages.values import JsonObject
from famulus.models.base import ModelRequest
from famulus.models.providers.frames import Framing
from famulus.models.providers.ollama.errors import refusal
from famulus.models.providers.ollama.models import listed
from famulus.models.providers.ollama.request import body, headers
from famulus.models.providers.ollama.stream import OllamaDecoder
from famulus.models.providers.wire import Decoder, Listed, Quirks, Refusal


class OllamaWire:
    kind = "ollama"
    framing: Framing = "ndjson"
    chat_path = "/api/chat"
    models_path = "/api/tags"

    def headers(self, api_key: str | None) -> dict[str, str]:
        return headers(api_key)

    def body(self, request: ModelRequest, model: str, quirks: Quirks) -> JsonObject:
        return body(request, model, quirks)

    def decoder(self, request: ModelRequest, model: str) -> Decoder:
        return OllamaDecoder(request, model)

    def refusal(self, status: int, headers: Mapping[str, str], body: bytes) -> Refusal:
        return refusal(status, headers, body)

    def listed(self, body: bytes) -> list[Listed]:
        return listed(body)
