"""A few documents in memory behind the protocols of the tools: search by shared words, reading, names. Filters by scope like the real one."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from famulus.errors import NotFound
from famulus.knowledge.base import Hit, Scope, SearchQuery, SearchResult
from famulus.knowledge.chunks import ChunkView
from famulus.knowledge.reader import DocumentInfo, DocumentName, DocumentPage, TextWindow
from famulus.messages.values import Passage


@dataclass(frozen=True, slots=True)
class Stored:
    """One document of one passage a paragraph."""

    knowledge_base: str
    document_id: str
    name: str
    text: str
    tenant: str = "tenant-1"

    def passages(self) -> list[Passage]:
        found: list[Passage] = []
        for index, match in enumerate(re.finditer(r"[^\n]+", self.text)):
            passage = Passage(
                chunk_id=f"{self.document_id}#{index}",
                kind="document",
                document_id=self.document_id,
                fact_id=None,
                document_name=self.name,
                knowledge_base_id=self.knowledge_base,
                text=match.group(),
                score=0.5,
                start=match.start(),
                end=match.end(),
            )
            found.append(passage)
        return found


class MemoryKnowledge:
    """`searches` remembers every query that was really executed, with its scope."""

    def __init__(self, *documents: Stored) -> None:
        self._documents = documents
        self.searches: list[tuple[Scope, SearchQuery]] = []

    def _seen(self, scope: Scope) -> list[Stored]:
        return [
            item
            for item in self._documents
            if item.tenant == scope.tenant and item.knowledge_base in scope.knowledge_base_ids
        ]

    async def search(self, scope: Scope, query: SearchQuery) -> SearchResult:
        self.searches.append((scope, query))
        wanted = set(re.findall(r"\w+", query.text.casefold()))
        hits: list[Hit] = []
        for passage in (passage for item in self._seen(scope) for passage in item.passages()):
            score = len(wanted & set(re.findall(r"\w+", passage.text.casefold()))) / max(1, len(wanted))
            if score > query.score_threshold:
                hits.append(Hit(replace(passage, score=score), score, None))
        best = sorted(hits, key=lambda hit: -hit.passage.score)[: query.k]
        return SearchResult(tuple(best), ("keyword",), 0.1)

    async def chunk(self, scope: Scope, chunk_id: str) -> ChunkView:
        for item in self._seen(scope):
            passages = item.passages()
            for index, passage in enumerate(passages):
                if passage.chunk_id == chunk_id:
                    before = passages[index - 1].chunk_id if index else None
                    after = passages[index + 1].chunk_id if index + 1 < len(passages) else None
                    return ChunkView(passage, before, after)
        raise NotFound(f"There is no passage {chunk_id!r}.")

    async def list(self, scope: Scope, knowledge_base: str | None, offset: int, limit: int) -> DocumentPage:
        seen = [item for item in self._seen(scope) if knowledge_base in (None, item.knowledge_base)]
        if knowledge_base is not None and knowledge_base not in scope.knowledge_base_ids:
            raise NotFound(f"There is no knowledge base {knowledge_base!r}.")
        items = [
            DocumentInfo(item.document_id, item.name, item.knowledge_base, "text/plain", len(item.text), "ready")
            for item in seen[offset : offset + limit]
        ]
        return DocumentPage(items, offset + limit if len(seen) > offset + limit else None)

    async def text(self, scope: Scope, document_id: str, offset: int, length: int) -> TextWindow:
        for item in self._seen(scope):
            if item.document_id == document_id:
                end = offset + length
                touched = [passage for passage in item.passages() if passage.start < end and passage.end > offset]
                return TextWindow(document_id, item.name, item.text[offset:end], offset, len(item.text), touched)
        raise NotFound(f"There is no document {document_id!r}.")

    async def names(self, scope: Scope, limit: int) -> Sequence[DocumentName]:
        return [DocumentName(item.document_id, item.name, item.knowledge_base) for item in self._seen(scope)][:limit]

    async def warnings(self, scope: Scope, document_ids: Collection[str]) -> Mapping[str, Sequence[str]]:
        return {}
