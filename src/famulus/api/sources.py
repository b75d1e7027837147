"""Endpoints in the forms of systems that people may come from; the same runs and the same search stand behind them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from famulus.agent.view import RunView
from famulus.api.runs import MessageText, Zone
from famulus.api.shapes import COMMON, CONFLICT, FAILED, App, Body, Caller, CleanText, Id, Ids, QueryText, View
from famulus.api.status import ModelView
from famulus.app.famulus import Famulus
from famulus.app.runs import RunOrder
from famulus.errors import Invalid, ModelError, NotFound
from famulus.events.records import Position
from famulus.events.types import Delta
from famulus.knowledge.base import SearchQuery
from famulus.messages.values import JsonObject, Message, Principal, Text
from famulus.tools.base import SearchDefaults

router = APIRouter(tags=["compatible"], responses=COMMON)
_ROUNDS = 6
_WAIT_S = 3_600.0


class AgentMessage(Body):
    role: Literal["user", "assistant", "system"]
    content: MessageText


class AgentRunBody(Body):
    """`kbIds` are the knowledge bases of this run and nothing else; missing: none."""

    model: Annotated[CleanText, Field(max_length=300)] | None = None
    kbIds: Ids = Field(default_factory=lambda: list[str]())
    allowWeb: bool = False
    messages: Annotated[list[AgentMessage], Field(min_length=1, max_length=1_000)]


class AgentStep(View):
    """A tool call with its result, or at last the answer."""

    type: Literal["tool", "answer"]
    tool: str | None = None
    args: dict[str, Any] | None = None
    result: str | None = None
    network: bool | None = None
    blocked: bool | None = None
    content: str | None = None


class AgentRunAnswer(View):
    steps: list[AgentStep]
    answer: str
    truncated: bool
    error: str | None = None


class QueryStep(View):
    step: int
    type: Literal["tool_call", "tool_result", "answer"]
    tool_name: str = ""
    tool_args: dict[str, Any] = Field(default_factory=lambda: dict[str, Any]())
    content: str = ""


class QueryAnswer(View):
    answer: str
    iterations: int
    steps: list[QueryStep]


class ChatKnowledgeOptions(Body):
    top_k: Annotated[int, Field(ge=1, le=20)] = 5
    score_threshold: Annotated[float, Field(ge=0, le=1)] = 0.0
    categories: Annotated[list[Annotated[CleanText, Field(max_length=100)]], Field(max_length=64)] = Field(
        default_factory=lambda: list[str]()
    )


class ChatMessageBody(Body):
    message: MessageText
    session_id: Id
    use_knowledge: bool = True
    knowledge_options: ChatKnowledgeOptions = Field(default_factory=ChatKnowledgeOptions)


class ChatSource(View):
    """`fact_id` of a passage from a document is the passage's id."""

    fact_id: str
    content: str
    score: float
    category: str | None


class ChatAnswer(View):
    content: str
    sources: list[ChatSource]
    used_knowledge: bool


class KnowledgeSearchBody(Body):
    query: QueryText
    top_k: Annotated[int, Field(ge=1, le=100)] = 5


class KnowledgeHit(BaseModel):
    content: str
    score: float
    metadata: dict[str, Any]
    node_id: str


@router.post("/agent/run", operation_id="agent_run")
async def agent_run(body: AgentRunBody, famulus: App, caller: Caller, zone: Zone = None) -> AgentRunAnswer:
    """One run with its history and knowledge bases; answers when it has ended."""
    *earlier, last = body.messages
    if last.role != "user":
        raise Invalid("The last message must be the user's.")
    order = RunOrder(
        message=last.content,
        model=body.model,
        history=tuple(Message(message.role, (Text(message.content),)) for message in earlier),
        knowledge_base_ids=tuple(body.kbIds),
        use_knowledge=bool(body.kbIds),
        allow_web=body.allowWeb,
        max_rounds=_ROUNDS,
        zone=zone,
    )
    view = await _finished(famulus, caller, order)
    steps = [
        AgentStep(
            type="tool",
            tool=str(step.get("tool", "")),
            args=_arguments(step),
            result=_result(step),
            network=step.get("network") is True,
            blocked=step.get("blocked") is True,
        )
        for step in view.steps
    ]
    steps.append(AgentStep(type="answer", content=view.answer))
    return AgentRunAnswer(steps=steps, answer=view.answer, truncated=view.truncated, error=_error(view))


@router.post("/agent/query", operation_id="agent_query", responses=FAILED)
async def agent_query(
    famulus: App,
    caller: Caller,
    q: Annotated[CleanText, Query(min_length=1, max_length=20_000)],
    model: Annotated[CleanText | None, Query(max_length=300)] = None,
    max_iterations: Annotated[int, Query(ge=1, le=10)] = _ROUNDS,
    tenant_id: Annotated[CleanText | None, Query(max_length=200)] = None,
    zone: Zone = None,
) -> QueryAnswer:
    """One question over all that the caller may see; answers when the run has ended."""
    if tenant_id is not None and tenant_id != caller.tenant:
        raise NotFound(f"there is no tenant {tenant_id!r}")
    order = RunOrder(message=q, model=model, max_rounds=max_iterations, zone=zone)
    view = _answered(await _finished(famulus, caller, order))
    steps: list[QueryStep] = []
    for step in view.steps:
        name, arguments = str(step.get("tool", "")), _arguments(step)
        steps.append(QueryStep(step=len(steps) + 1, type="tool_call", tool_name=name, tool_args=arguments))
        steps.append(QueryStep(step=len(steps) + 1, type="tool_result", tool_name=name, content=_result(step)))
    steps.append(QueryStep(step=len(steps) + 1, type="answer", content=view.answer))
    return QueryAnswer(answer=view.answer, iterations=view.rounds, steps=steps)


@router.get("/agent/models", operation_id="agent_models")
async def agent_models(famulus: App, caller: Caller) -> list[ModelView]:
    """The models that can be used."""
    return [ModelView.model_validate(item) for item in (await famulus.models.list(caller)).items]


@router.post(
    "/api/chat/message",
    operation_id="chat_message",
    response_model=ChatAnswer,
    responses={
        200: {
            "description": "The answer; with `Accept: text/event-stream` pieces (`event: delta`) and then the whole (`event: done`) or why there is none (`event: error`)",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        },
        **CONFLICT,
        **FAILED,
    },
)
async def chat_message(
    body: ChatMessageBody,
    famulus: App,
    caller: Caller,
    zone: Zone = None,
    accept: Annotated[str, Header(max_length=500)] = "",
) -> Response | ChatAnswer:
    """A message in the conversation that `session_id` names."""
    conversation = await famulus.conversations.for_session(caller, body.session_id)
    options = body.knowledge_options
    order = RunOrder(
        message=body.message,
        use_knowledge=body.use_knowledge,
        search=SearchDefaults(options.top_k, options.score_threshold, tuple(options.categories)),
        zone=zone,
    )
    run_id = await famulus.conversations.start_run(caller, conversation.id, order)
    if "text/event-stream" in accept:
        return StreamingResponse(_chat_stream(famulus, caller, run_id), media_type="text/event-stream")
    return await _chat_answer(famulus, caller, await famulus.runs.wait(caller, run_id, _WAIT_S))


@router.post("/api/knowledge_base/search", operation_id="knowledge_base_search")
async def knowledge_base_search(body: KnowledgeSearchBody, famulus: App, caller: Caller) -> list[KnowledgeHit]:
    """The best passages of all that the caller may see."""
    result = await famulus.search(caller, SearchQuery(text=body.query, k=body.top_k), None)
    hits: list[KnowledgeHit] = []
    for hit in result.hits:
        passage = hit.passage
        metadata = {
            "category": passage.category,
            "document": passage.document_name,
            "document_id": passage.document_id,
            "page": passage.page,
            "section": list(passage.section),
        }
        hits.append(
            KnowledgeHit(
                content=passage.text,
                score=passage.score,
                metadata={key: value for key, value in metadata.items() if value},
                node_id=passage.fact_id or passage.chunk_id,
            )
        )
    return hits


async def _finished(famulus: Famulus, caller: Principal, order: RunOrder) -> RunView:
    """The run once it has ended; a caller who goes away stops it, since nobody else knows of it."""
    run_id = await famulus.runs.create(caller, order)
    try:
        return await famulus.runs.wait(caller, run_id, _WAIT_S)
    except asyncio.CancelledError:
        await famulus.runs.stop(caller, run_id)
        raise


async def _chat_stream(famulus: Famulus, caller: Principal, run_id: str) -> AsyncIterator[bytes]:
    async for item in await famulus.runs.subscribe(caller, run_id, Position()):
        if isinstance(item, Delta) and item.type == "chat.stream.v1":
            yield b"event: delta\ndata: %b\n\n" % msgspec.json.encode({"content": item.delta, "offset": item.offset})
    try:
        answer = await _chat_answer(famulus, caller, await famulus.runs.get(caller, run_id))
        yield b"event: done\ndata: %b\n\n" % answer.model_dump_json().encode()
    except ModelError as error:
        yield b"event: error\ndata: %b\n\n" % msgspec.json.encode({"detail": str(error)})


async def _chat_answer(famulus: Famulus, caller: Principal, view: RunView) -> ChatAnswer:
    sources = [await _chat_source(famulus, caller, source) for source in _answered(view).sources]
    return ChatAnswer(content=view.answer, sources=sources, used_knowledge=bool(sources))


async def _chat_source(famulus: Famulus, caller: Principal, source: JsonObject) -> ChatSource:
    chunk_id, category = str(source["chunk_id"]), None
    # Where the passage has been replaced since, its quote stands.
    with contextlib.suppress(NotFound):
        category = (await famulus.documents.chunk(caller, chunk_id)).view.passage.category
    score = source.get("score")
    return ChatSource(
        fact_id=str(source.get("fact_id") or chunk_id),
        content=str(source.get("quote", "")),
        score=float(score) if isinstance(score, int | float) else 0.0,
        category=category,
    )


def _answered(view: RunView) -> RunView:
    """These forms have no place for an error. Raises ModelError for a run that failed without a word of an answer."""
    if view.status == "failed" and not view.answer:
        raise ModelError(_error(view) or "The run failed.")
    return view


def _arguments(step: JsonObject) -> dict[str, Any]:
    found = step.get("arguments")
    return found if isinstance(found, dict) else {}


def _result(step: JsonObject) -> str:
    return str(step.get("preview") or step.get("error") or "")


def _error(view: RunView) -> str | None:
    return None if view.error is None else str(view.error.get("detail") or view.error.get("title") or "failed")
