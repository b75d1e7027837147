"""The Anthropic Messages wire."""

from __future__ import annotations

from collections.abc import Mapping

from famulus.messages.values import JsonObject
from famulus.models.base import ModelRequest
from famulus.models.providers.anthropic.errors import refusal
from famulus.models.providers.anthropic.models import listed
from famulus.models.providers.anthropic.request import body, headers
from famulus.models.providers.anthropic.stream import MessagesDecoder
from famulus.models.providers.frames import Framing
from famulus.models.providers.wire import Decoder, Listed, Quirks, Refusal


class AnthropicWire:
    kind = "anthropic"
    framing: Framing = "sse"
    chat_path = "/v1/messages"
    models_path = "/v1/models?limit=1000"

    def headers(self, api_key: str | None) -> dict[str, str]:
        return headers(api_key)

    def body(self, request: ModelRequest, model: str, quirks: Quirks) -> JsonObject:
        return body(request, model, quirks)

    def decoder(self, request: ModelRequest, model: str) -> Decoder:
        return MessagesDecoder(model, schema_asked=request.response_schema is not None)

    def refusal(self, status: int, headers: Mapping[str, str], body: bytes) -> Refusal:
        return refusal(status, headers, body)

    def listed(self, body: bytes) -> list[Listed]:
        return listed(body)
