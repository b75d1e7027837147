"""The Chat Completions wire, as spoken by OpenAI and the many servers compatible with it."""

from __future__ import annotations

from collections.abc import Mapping

from famulus.messages.values import JsonObject
from famulus.models.base import ModelRequest
from famulus.models.providers.frames import Framing
from famulus.models.providers.openai.errors import refusal
from famulus.models.providers.openai.models import listed
from famulus.models.providers.openai.request import body, headers
from famulus.models.providers.openai.stream import ChatDecoder
from famulus.models.providers.wire import Decoder, Listed, Quirks, Refusal


class OpenAIWire:
    kind = "openai"
    framing: Framing = "sse"
    chat_path = "/chat/completions"
    models_path = "/models"

    def headers(self, api_key: str | None) -> dict[str, str]:
        return headers(api_key)

    def body(self, request: ModelRequest, model: str, quirks: Quirks) -> JsonObject:
        return body(request, model, quirks, self.kind)

    def decoder(self, request: ModelRequest, model: str) -> Decoder:
        return ChatDecoder(self.kind, model)

    def refusal(self, status: int, headers: Mapping[str, str], body: bytes) -> Refusal:
        return refusal(status, headers, body)

    def listed(self, body: bytes) -> list[Listed]:
        return listed(body)
