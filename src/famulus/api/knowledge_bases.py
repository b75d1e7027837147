"""Routes of knowledge bases."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, cast

from fastapi import APIRouter, Response
from pydantic import Field

from famulus.api.shapes import (
    COMMON,
    CONFLICT,
    App,
    Body,
    Caller,
    CleanText,
    CursorParameter,
    Limit,
    Name,
    Page,
    View,
    decode_cursor,
    next_cursor,
)
from famulus.knowledge.bases import BaseChanges, BaseScope, Sensitivity

router = APIRouter(prefix="/api/v1/knowledge-bases", tags=["knowledge"], responses=COMMON)
Description = Annotated[CleanText, Field(max_length=2000)]


class KnowledgeBaseView(View):
    id: str
    name: str
    description: str
    owner: str
    scope: BaseScope
    sensitivity: Sensitivity
    neutralize: bool
    document_count: int
    failed_count: int
    fact_count: int
    created_at: datetime
    updated_at: datetime


class NewKnowledgeBase(Body):
    name: Name
    description: Description = ""
    scope: BaseScope = "personal"
    sensitivity: Sensitivity = "normal"
    neutralize: bool = False


class KnowledgeBasePatch(Body):
    name: Name | None = None
    description: Description | None = None
    scope: BaseScope | None = None
    sensitivity: Sensitivity | None = None
    neutralize: bool | None = None


@router.post("", status_code=201, operation_id="create_knowledge_base", responses=CONFLICT)
async def create(body: NewKnowledgeBase, famulus: App, caller: Caller) -> KnowledgeBaseView:
    """Create a knowledge base."""
    base = await famulus.knowledge_bases.create(
        caller,
        body.name,
        description=body.description,
        scope=body.scope,
        sensitivity=body.sensitivity,
        neutralize=body.neutralize,
    )
    return KnowledgeBaseView.model_validate(base)


@router.post(
    "/sample",
    status_code=201,
    operation_id="create_sample_knowledge_base",
    responses={200: {"model": KnowledgeBaseView, "description": "It was there already"}},
)
async def sample(response: Response, famulus: App, caller: Caller) -> KnowledgeBaseView:
    """The files of an invented company, to try things on; they are read in the background."""
    base, made = await famulus.add_sample(caller)
    response.status_code = 201 if made else 200
    return KnowledgeBaseView.model_validate(base)


@router.get("", operation_id="list_knowledge_bases")
async def list_all(
    famulus: App, caller: Caller, limit: Limit = 50, cursor: CursorParameter = None
) -> Page[KnowledgeBaseView]:
    """The knowledge bases that the caller may see, oldest first."""
    bases = await famulus.knowledge_bases.list(caller, after=decode_cursor(cursor), limit=limit)
    items = [KnowledgeBaseView.model_validate(base) for base in bases]
    return Page(items=items, next_cursor=next_cursor(items, limit))


@router.get("/{id}", operation_id="get_knowledge_base")
async def get(id: str, famulus: App, caller: Caller) -> KnowledgeBaseView:
    """One knowledge base."""
    return KnowledgeBaseView.model_validate(await famulus.knowledge_bases.get(caller, id))


@router.patch("/{id}", operation_id="update_knowledge_base", responses=CONFLICT)
async def update(id: str, body: KnowledgeBasePatch, famulus: App, caller: Caller) -> KnowledgeBaseView:
    """Change what is given; what is missing or null stays."""
    changes = cast("BaseChanges", body.model_dump(exclude_none=True))
    return KnowledgeBaseView.model_validate(await famulus.knowledge_bases.update(caller, id, changes))


@router.delete("/{id}", status_code=204, operation_id="delete_knowledge_base")
async def delete(id: str, famulus: App, caller: Caller) -> Response:
    """Delete the base with all its documents, facts and passages."""
    await famulus.knowledge_bases.delete(caller, id)
    return Response(status_code=204)
