"""The tools that exist in this installation, by exact name. Which of them a run may use is the run's allowlist, not this."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from msgspec import Struct

from famulus.errors import ConfigError
from famulus.models.base import ToolSchema
from famulus.tools.base import Tool
from famulus.tools.bounding import encode
from famulus.tools.validate import ArgumentValidator


class Offer(Struct, frozen=True):
    """The tools of one request as the model sees them, and the characters that their schemas take in it."""

    schemas: tuple[ToolSchema, ...]
    characters: int


class Registry:
    """Tools in the order they were given; `offer` makes the offer of a round from their names. Raises `ConfigError` when two have the same name, or names that differ only in case or `-`/`_`."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools: dict[str, Tool] = {}
        self._validators: dict[str, ArgumentValidator] = {}
        folded: dict[str, str] = {}
        # Many rounds of many runs offer the same few choices of tools.
        self.offer: Final = lru_cache(maxsize=256)(self._offer)
        for tool in tools:
            key = tool.name.casefold().replace("-", "_")
            if key in folded:
                raise ConfigError(f"Two tools share the name {tool.name!r} (also written {folded[key]!r}); rename one.")
            folded[key] = tool.name
            self._tools[tool.name] = tool
            self._validators[tool.name] = ArgumentValidator(tool.name, tool.schema.parameters)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def get(self, name: str) -> Tool | None:
        """The tool of exactly this name; nothing is folded, trimmed or guessed."""
        return self._tools.get(name)

    def validator(self, name: str) -> ArgumentValidator:
        return self._validators[name]

    def _offer(self, names: tuple[str, ...]) -> Offer:
        schemas = tuple(self._tools[name].schema for name in names if name in self._tools)
        sizes = (len(one.name) + len(one.description) + len(encode(one.parameters)) for one in schemas)
        return Offer(schemas, sum(sizes))

    @staticmethod
    def near(name: str, among: Iterable[str]) -> list[str]:
        """Up to three similar names, best first, to be told to the model; never to be called in its place."""
        return get_close_matches(name[:64], list(among), n=3, cutoff=0.6)
