"""The product as its doors see it: one object with the use cases. `app/build.py` makes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from famulus.app.conversations import Conversations
from famulus.app.documents import Documents
from famulus.app.facts import Facts
from famulus.app.health import Check, Health, health_of
from famulus.app.knowledge_bases import KnowledgeBases
from famulus.app.models import Models
from famulus.app.runs import Runs
from famulus.app.sample import add_sample
from famulus.auth.accounts import Accounts
from famulus.config import Settings
from famulus.errors import Invalid
from famulus.knowledge.base import Scope, SearchQuery, SearchResult
from famulus.knowledge.bases import KnowledgeBase
from famulus.messages.values import JsonObject, Principal
from famulus.store.database import Database
from famulus.text.query import MAX_QUERY_CHARACTERS
from famulus.tools.base import Effect, Tool
from famulus.tools.registry import Registry


class Searcher(Protocol):
    async def search(self, scope: Scope, query: SearchQuery) -> SearchResult: ...


@dataclass(frozen=True, slots=True)
class ListedTool:
    """A tool as people choose it; `parameters` is its JSON Schema."""

    name: str
    description: str
    parameters: JsonObject
    toolbox: str
    effect: Effect
    network: bool

    def json(self) -> JsonObject:
        return {
            "name": self.name,
            "description": self.description,
            "parameters": self.parameters,
            "toolbox": self.toolbox,
            "effect": self.effect,
            "network": self.network,
        }


class Famulus:
    """Each use case takes the Principal first. `notices` are what the operator should be told at the start."""

    def __init__(
        self,
        *,
        settings: Settings,
        database: Database,
        accounts: Accounts,
        knowledge_bases: KnowledgeBases,
        documents: Documents,
        facts: Facts,
        conversations: Conversations,
        runs: Runs,
        models: Models,
        searcher: Searcher,
        registry: Registry,
        parts: Mapping[str, Check],
        notices: tuple[str, ...],
    ) -> None:
        self.settings = settings
        self.accounts = accounts
        self.knowledge_bases = knowledge_bases
        self.documents = documents
        self.facts = facts
        self.conversations = conversations
        self.runs = runs
        self.models = models
        self.notices = notices
        self._database = database
        self._searcher = searcher
        self._registry = registry
        self._parts = parts

    async def search(
        self, principal: Principal, query: SearchQuery, knowledge_base_ids: tuple[str, ...] | None
    ) -> SearchResult:
        """Retrieval in the chosen bases; None means all that the caller may see. Raises NotFound, and Invalid for a query that
        could not be searched whole: a silent cut would answer another question."""
        if not query.text.strip():
            raise Invalid("The query is blank; write what to look for.")
        if len(query.text) > MAX_QUERY_CHARACTERS:
            raise Invalid(f"The query has {len(query.text):,} characters; shorten it to {MAX_QUERY_CHARACTERS:,}.")
        scope = await self.knowledge_bases.scope(principal, knowledge_base_ids)
        return await self._searcher.search(scope, query)

    async def add_sample(self, principal: Principal) -> tuple[KnowledgeBase, bool]:
        """The sample base, and whether it was made now."""
        return await add_sample(principal, self.knowledge_bases, self.documents)

    def tools(self, principal: Principal) -> list[ListedTool]:
        """The tools that the caller may use."""
        may_use_web = principal.role == "admin" or self.settings.tools.access_mode == "all-users"
        return [_listed(tool) for tool in self._registry if may_use_web or not tool.network]

    async def health(self) -> Health:
        return await health_of(self._database, self._parts)

    async def gauges(self, principal: Principal) -> dict[str, float]:
        """Figures for the operator's counters."""
        bases = await self.knowledge_bases.list(principal)
        return {
            "knowledge_bases": float(len(bases)),
            "documents": float(sum(base.document_count for base in bases)),
            "facts": float(sum(base.fact_count for base in bases)),
        }


def _listed(tool: Tool) -> ListedTool:
    return ListedTool(
        tool.name, tool.schema.description, tool.schema.parameters, tool.toolbox, tool.effect, tool.network
    )
