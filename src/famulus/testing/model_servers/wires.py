"""The wires a scripted server can speak."""

from __future__ import annotations

from typing import Literal

from famulus.testing.model_servers.ollama import OllamaWire
from famulus.testing.model_servers.openai import OpenAIWire
from famulus.testing.model_servers.wire import Wire

WireName = Literal["openai", "openai_responses", "anthropic", "ollama", "mistral"]

WIRES: dict[WireName, type[Wire]] = {"openai": OpenAIWire, "ollama": OllamaWire}
