"""Ollama as a provider: asks each model for its window and abilities, and sets the window that a request needs."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from famulus.models.base import ModelInfo, ModelRequest
from famulus.models.errors import ModelFailed
from famulus.models.estimate import estimated_prompt_tokens
from famulus.models.providers.http import HttpProvider, gather_infos
from famulus.models.providers.ollama import OllamaWire
from famulus.models.providers.ollama.models import DEFAULT_CAP, Shown, shown
from famulus.models.providers.ollama.request import OUTPUT_ROOM, window
from famulus.models.providers.wire import Listed, Quirks
from famulus.models.settings import DEFAULT_URLS, ProviderSettings
from famulus.net.client import NetClient, NetLimits
from famulus.net.errors import EgressRefused, NetError
from famulus.net.policy import PROVIDER

LOOK_LIMITS = NetLimits(connect_s=0.5, silence_s=1.0, total_s=1.5, size_bytes=64 << 10)


class OllamaProvider(HttpProvider):
    def __init__(self, settings: ProviderSettings, net: NetClient) -> None:
        super().__init__(settings, OllamaWire(), net)
        self.shown: dict[str, Shown] = {}
        self.windows: dict[str, int] = {}

    async def models(self) -> list[ModelInfo]:
        """Models that only embed are left out."""
        names = await self.names()
        infos = await gather_infos(self, names)
        embeds = {name for name, told in self.shown.items() if told.embeds}
        return [info for name, info in zip(names, infos, strict=True) if name not in embeds]

    async def info(self, model: str) -> ModelInfo:
        """`context_window` is what a request may fill here: the model's own length, bounded by the configuration or the default cap."""
        try:
            told = await self.show(model)
        except ModelFailed:
            told = Shown(None, None, embeds=False)
        listed = Listed(model, told.tools, min(told.context_length or DEFAULT_CAP, DEFAULT_CAP))
        return self.described(model, listed)

    async def show(self, model: str) -> Shown:
        if model not in self.shown:
            body = await self.ask("POST", "/api/show", msgspec.json.encode({"model": model}))
            self.shown[model] = shown(body)
        return self.shown[model]

    async def quirks(self, request: ModelRequest, model: str) -> Quirks:
        info = await self.info(model)
        told = self.shown.get(model)
        needed = estimated_prompt_tokens(request) + (request.max_output_tokens or info.max_output_tokens or OUTPUT_ROOM)
        length = told.context_length if told is not None else None
        cap = info.context_window or DEFAULT_CAP
        self.windows[model] = window(needed, length, cap, self.windows.get(model, 0))
        return replace(await super().quirks(request, model), num_ctx=self.windows[model])


async def discover(net: NetClient) -> ProviderSettings | None:
    """Ollama at its usual local address, or None. The client's policy must name that address among its providers."""
    url = DEFAULT_URLS["ollama"]
    try:
        answer = await net.request(PROVIDER, "GET", f"{url}/api/version", limits=LOOK_LIMITS)
    except (NetError, EgressRefused):
        return None
    if answer.status != 200 or b'"version"' not in answer.body:
        return None
    return ProviderSettings(name="ollama", kind="ollama", base_url=url, local=True)
