"""The wires a scripted server can speak."""

from __future__ import annotations

from typing import Literal

from famulus.testing.model_servers.anthropic import AnthropicWire
from famulus.testing.model_servers.mistral import MistralWire
from famulus.testing.model_servers.ollama import OllamaWire
from famulus.testing.model_servers.openai import OpenAIWire
from famulus.testing.model_servers.responses import ResponsesWire
from famulus.testing.model_servers.wire import Wire

WireName = Literal["openai", "openai_responses", "anthropic", "ollama", "mistral"]

WIRES: dict[WireName, type[Wire]] = {
    "openai": OpenAIWire,
    "openai_responses": ResponsesWire,
    "anthropic": AnthropicWire,
    "ollama": OllamaWire,
    "mistral": MistralWire,
}
