"""The OpenAI Responses wire, without server-side state: encrypted reasoning travels with the conversation."""

from __future__ import annotations

from collections.abc import Mapping

from famulus.messages.values import JsonObject
from famulus.models.base import ModelRequest
from famulus.models.providers.frames import Framing
from famulus.models.providers.openai.errors import refusal
from famulus.models.providers.openai.models import listed
from famulus.models.providers.openai.request import headers
from famulus.models.providers.openai_responses.request import body
from famulus.models.providers.openai_responses.stream import ResponsesDecoder
from famulus.models.providers.wire import Decoder, Listed, Quirks, Refusal


class ResponsesWire:
    kind = "openai_responses"
    framing: Framing = "sse"
    chat_path = "/responses"
    models_path = "/models"

    def headers(self, api_key: str | None) -> dict[str, str]:
        return headers(api_key)

    def body(self, request: ModelRequest, model: str, quirks: Quirks) -> JsonObject:
        return body(request, model, quirks)

    def decoder(self, request: ModelRequest, model: str) -> Decoder:
        return ResponsesDecoder(model)

    def refusal(self, status: int, headers: Mapping[str, str], body: bytes) -> Refusal:
        return refusal(status, headers, body)

    def listed(self, body: bytes) -> list[Listed]:
        return listed(body)
