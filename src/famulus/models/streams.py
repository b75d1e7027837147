"""Streams of model items, held so that leaving one ends the request behind it at once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from types import TracebackType

from famulus.models.base import ModelItem


class closing:
    """`async with closing(stream) as items`: async generators are closed on the way out instead of later by the garbage collector.

    A class, for each generator of `asynccontextmanager` would cost as much as the stream itself.
    """

    __slots__ = ("items",)

    def __init__(self, items: AsyncIterator[ModelItem]) -> None:
        self.items = items

    async def __aenter__(self) -> AsyncIterator[ModelItem]:
        return self.items

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        close = getattr(self.items, "aclose", None)
        if close is not None:
            await close()
