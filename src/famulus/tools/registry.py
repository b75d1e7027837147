"""The tools that exist in this installation, by exact name. Which of them a run may use is the run's allowlist, not this."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from famulus.errors import ConfigError
from famulus.tools.base import Tool
from famulus.tools.bounding import encode
from famulus.tools.validate import ArgumentValidator


class Registry:
    """Tools in the order they were given. Raises `ConfigError` when two have the same name, or names that differ only in case or `-`/`_`."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools: dict[str, Tool] = {}
        self._sizes: dict[str, int] = {}
        self._validators: dict[str, ArgumentValidator] = {}
        folded: dict[str, str] = {}
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

    def schema_size(self, name: str) -> int:
        """The characters that a tool's schema takes in a request."""
        if name not in self._sizes:
            schema = self._tools[name].schema
            self._sizes[name] = len(schema.name) + len(schema.description) + len(encode(schema.parameters))
        return self._sizes[name]

    @staticmethod
    def near(name: str, among: Iterable[str]) -> list[str]:
        """Up to three similar names, best first, to be told to the model; never to be called in its place."""
        return get_close_matches(name[:64], list(among), n=3, cutoff=0.6)
