"""Routes of retrieval: search and whole passages."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import Field

from famulus.api.shapes import COMMON, App, Body, Caller, CleanText, Ids, QueryText, Time, View
from famulus.app.documents import Place
from famulus.knowledge.base import Hit, Mode, SearchQuery
from famulus.messages.values import Passage

router = APIRouter(prefix="/api/v1", tags=["knowledge"], responses=COMMON)
Categories = Annotated[list[Annotated[CleanText, Field(max_length=100)]], Field(max_length=64)]


class SearchBody(Body):
    """`knowledge_base_ids` missing or null: all that the caller may see. A longer `query` is refused, never cut."""

    query: QueryText
    knowledge_base_ids: Ids | None = None
    k: Annotated[int, Field(ge=1, le=100)] = 5
    score_threshold: Annotated[float, Field(ge=0, le=1)] = 0.0
    categories: Categories = Field(default_factory=lambda: list[str]())
    mode: Mode = "hybrid"
    media_types: Categories = Field(default_factory=lambda: list[str]())
    created_after: Time | None = None
    created_before: Time | None = None


class PassageView(View):
    """A passage and where it stands: `document_id` or `fact_id` says in what; `start` and `end` count characters of its text."""

    chunk_id: str
    kind: Literal["document", "fact"]
    document_id: str | None = None
    fact_id: str | None = None
    document_name: str
    knowledge_base_id: str
    text: str
    page: int | None = None
    section: list[str]
    start: int
    end: int
    category: str | None = None


class HitView(PassageView):
    """`score` is absolute in 0..1; the scores of the two legs are null where that leg did not find the passage."""

    score: float
    keyword_score: float | None = None
    vector_score: float | None = None


class SearchAnswer(View):
    hits: list[HitView]
    used_modes: list[str]
    took_ms: float
    cached: bool
    notices: list[str]


class BoxView(View):
    """A rectangle in parts of its page (0..1), from the upper left corner."""

    page: int
    x: float
    y: float
    width: float
    height: float


class ChunkAnswer(PassageView):
    previous: str | None = None
    next: str | None = None
    boxes: list[BoxView]


@router.post("/search", operation_id="search")
async def search(body: SearchBody, famulus: App, caller: Caller) -> SearchAnswer:
    """The passages that answer a query best."""
    query = SearchQuery(
        text=body.query,
        k=body.k,
        score_threshold=body.score_threshold,
        categories=tuple(body.categories),
        mode=body.mode,
        media_types=tuple(body.media_types),
        created_after=body.created_after,
        created_before=body.created_before,
    )
    chosen = None if body.knowledge_base_ids is None else tuple(body.knowledge_base_ids)
    result = await famulus.search(caller, query, chosen)
    return SearchAnswer(
        hits=[hit_view(hit) for hit in result.hits],
        used_modes=list(result.used_modes),
        took_ms=round(result.took_ms, 3),
        cached=result.cached,
        notices=list(result.notices),
    )


@router.get("/chunks/{id}", operation_id="get_chunk")
async def chunk(id: str, famulus: App, caller: Caller) -> ChunkAnswer:
    """A whole passage with its neighbours and, in a PDF, where it stands on the page."""
    return _chunk(await famulus.documents.chunk(caller, id))


def hit_view(hit: Hit) -> HitView:
    passage = hit.passage
    return HitView(
        **_place(passage), score=passage.score, keyword_score=hit.keyword_score, vector_score=hit.vector_score
    )


def _chunk(place: Place) -> ChunkAnswer:
    passage = place.view.passage
    return ChunkAnswer(
        **_place(passage),
        previous=place.view.previous,
        next=place.view.next,
        boxes=[
            BoxView(
                page=passage.page or 1, x=box.left, y=box.top, width=box.right - box.left, height=box.bottom - box.top
            )
            for box in place.boxes
        ],
    )


def _place(passage: Passage) -> dict[str, Any]:
    """The fields of a `PassageView`."""
    return {name: getattr(passage, name) for name in PassageView.model_fields if name != "section"} | {
        "section": list(passage.section)
    }
