"""A provider that is configured but cannot be used, because the key it names is not there. It refuses by itself; all else goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from famulus.models.base import ModelInfo, ModelItem, ModelRequest
from famulus.models.errors import ModelFailed


class KeyMissing(ModelFailed):
    """Nothing was sent: the settings name a key that is not there."""

    def __init__(self, provider: str, why: str) -> None:
        super().__init__("auth", provider, why)
        self.args = (f"the models of provider {provider!r} cannot be used: {why}",)


@dataclass(slots=True)
class UnusableProvider:
    """A `Provider` whose every call raises KeyMissing with `why`."""

    name: str
    kind: str
    local: bool
    why: str

    async def models(self) -> list[ModelInfo]:
        raise KeyMissing(self.name, self.why)

    async def info(self, model: str) -> ModelInfo:
        raise KeyMissing(self.name, self.why)

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelItem]:
        raise KeyMissing(self.name, self.why)

    async def aclose(self) -> None:
        """It holds nothing."""
