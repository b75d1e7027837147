"""Routes of facts: short entries with category and tags."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, cast

from fastapi import APIRouter, Query, Response
from pydantic import Field

from famulus.api.shapes import (
    COMMON,
    App,
    Body,
    Caller,
    CleanText,
    CursorParameter,
    Limit,
    Page,
    View,
    decode_cursor,
    next_cursor,
)
from famulus.knowledge.facts import MAX_TEXT, FactChanges

router = APIRouter(prefix="/api/v1", tags=["knowledge"], responses=COMMON)
FactText = Annotated[CleanText, Field(min_length=1, max_length=MAX_TEXT)]
Category = Annotated[CleanText, Field(min_length=1, max_length=100)]
Tags = Annotated[list[Annotated[CleanText, Field(min_length=1, max_length=100)]], Field(max_length=50)]


class FactView(View):
    id: str
    knowledge_base_id: str
    text: str
    category: str | None
    tags: list[str]
    sensitive: bool
    created_by: str
    created_at: datetime
    updated_at: datetime


class NewFact(Body):
    text: FactText
    category: Category | None = None
    tags: Tags = Field(default_factory=lambda: list[str]())
    sensitive: bool = False


class FactPatch(Body):
    text: FactText | None = None
    category: Category | None = None
    tags: Tags | None = None
    sensitive: bool | None = None


@router.post("/knowledge-bases/{id}/facts", status_code=201, operation_id="create_fact")
async def create(id: str, body: NewFact, famulus: App, caller: Caller) -> FactView:
    """Add a fact; search finds it at once unless it is sensitive."""
    fact = await famulus.facts.add(
        caller, id, body.text, category=body.category, tags=body.tags, sensitive=body.sensitive
    )
    return FactView.model_validate(fact)


@router.get("/knowledge-bases/{id}/facts", operation_id="list_facts")
async def list_all(
    id: str,
    famulus: App,
    caller: Caller,
    category: Annotated[CleanText | None, Query(max_length=100)] = None,
    tag: Annotated[CleanText | None, Query(max_length=100)] = None,
    q: Annotated[CleanText | None, Query(max_length=500)] = None,
    limit: Limit = 50,
    cursor: CursorParameter = None,
) -> Page[FactView]:
    """Facts of a base, oldest first, filtered."""
    facts = await famulus.facts.list(
        caller, id, category=category, tag=tag, q=q, after=decode_cursor(cursor), limit=limit
    )
    items = [FactView.model_validate(fact) for fact in facts]
    return Page(items=items, next_cursor=next_cursor(items, limit))


@router.get("/facts/{id}", operation_id="get_fact")
async def get(id: str, famulus: App, caller: Caller) -> FactView:
    """One fact."""
    return FactView.model_validate(await famulus.facts.get(caller, id))


@router.patch("/facts/{id}", operation_id="update_fact")
async def update(id: str, body: FactPatch, famulus: App, caller: Caller) -> FactView:
    """Change what is given; `category: null` removes the category, any other null stays as it is."""
    given = body.model_dump(exclude_unset=True)
    changes = cast(
        "FactChanges", {key: value for key, value in given.items() if value is not None or key == "category"}
    )
    return FactView.model_validate(await famulus.facts.update(caller, id, changes))


@router.delete("/facts/{id}", status_code=204, operation_id="delete_fact")
async def delete(id: str, famulus: App, caller: Caller) -> Response:
    """Delete a fact and its index entries."""
    await famulus.facts.delete(caller, id)
    return Response(status_code=204)
