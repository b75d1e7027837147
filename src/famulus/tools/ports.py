"""What the built-in tools need from other rooms, as narrow protocols; `app/build.py` passes the real ones in.

Every method takes the run's `Scope` and sees nothing outside it. What is absent and what may not be seen raise the same `NotFound`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from famulus.knowledge.base import Scope, SearchQuery, SearchResult
from famulus.messages.values import Usage
from famulus.tools.base import ToolContext

if TYPE_CHECKING:
    # Values only: the module that reads them stands on the database, and tools must load without it.
    from famulus.knowledge.chunks import ChunkView
    from famulus.knowledge.reader import DocumentName, DocumentPage, TextWindow


class Searcher(Protocol):
    async def search(self, scope: Scope, query: SearchQuery) -> SearchResult: ...


class DocumentReader(Protocol):
    async def chunk(self, scope: Scope, chunk_id: str) -> ChunkView:
        """Raises `NotFound`."""
        ...

    async def list(self, scope: Scope, knowledge_base: str | None, offset: int, limit: int) -> DocumentPage:
        """Documents of the scope by name; `knowledge_base` is a name or id. Raises `NotFound` for one outside the scope."""
        ...

    async def text(self, scope: Scope, document_id: str, offset: int, length: int) -> TextWindow:
        """Raises `NotFound`."""
        ...

    async def names(self, scope: Scope, limit: int) -> Sequence[DocumentName]:
        """Up to `limit` documents of the scope that can be read, by name."""
        ...

    async def warnings(self, scope: Scope, document_ids: Collection[str]) -> Mapping[str, Sequence[str]]:
        """What of these documents could not be read, by id; those that were read whole are absent."""
        ...


@dataclass(frozen=True, slots=True)
class WebPage:
    status: int
    text: str


class WebClient(Protocol):
    """A request through the network gate; bounded in size and time, no redirects."""

    async def get(self, url: str, *, query: Mapping[str, str], headers: Mapping[str, str]) -> WebPage:
        """Raises `EgressRefused` before, `ToolError` after the connection."""
        ...


@dataclass(frozen=True, slots=True)
class Summary:
    text: str
    usage: Usage | None = None


class Summariser(Protocol):
    async def summarise(self, context: ToolContext, texts: Sequence[str], focus: str) -> Summary | None:
        """One paragraph over the texts, or None when no language model is there for it. Raises `ModelError`."""
        ...
