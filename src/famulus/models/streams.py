"""Holding a stream of model items so that leaving it ends the request behind it at once."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

from famulus.models.base import ModelItem


@asynccontextmanager
async def closing(items: AsyncIterator[ModelItem]) -> AsyncGenerator[AsyncIterator[ModelItem]]:
    """The same iterator; async generators are closed on the way out instead of some time later by the garbage collector."""
    try:
        yield items
    finally:
        if isinstance(items, AsyncGenerator):
            await items.aclose()
