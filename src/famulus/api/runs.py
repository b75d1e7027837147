"""Routes of runs: order, watch, stop, read."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import JSONResponse
from pydantic import Field

from famulus.agent.request import Budget
from famulus.api.shapes import (
    COMMON,
    CONFLICT,
    App,
    Body,
    Caller,
    CleanText,
    CursorParameter,
    Id,
    Ids,
    Limit,
    Page,
    View,
    decode_cursor,
    next_cursor,
)
from famulus.api.stream import EventStream, event_json
from famulus.app.runs import RunOrder
from famulus.errors import Invalid
from famulus.events.records import Position
from famulus.events.types import ACTIVE, ENDED, RunStatus
from famulus.messages.values import Message, Text
from famulus.tools.base import SearchDefaults

router = APIRouter(prefix="/api/v1", tags=["runs"], responses=COMMON)
Zone = Annotated[str | None, Header(alias="X-User-Timezone", description="IANA name; missing or invalid: UTC.")]
MessageText = Annotated[CleanText, Field(min_length=1, max_length=200_000)]
_WAIT_S = 3_600.0
_PLACE = r"^[0-9]{1,18}(\.[0-9]{1,18})?$"


class KnowledgeOptions(Body):
    k: Annotated[int, Field(ge=1, le=20)] = 5
    score_threshold: Annotated[float, Field(ge=0, le=1)] = 0.0
    categories: Annotated[list[Annotated[CleanText, Field(max_length=100)]], Field(max_length=64)] = Field(
        default_factory=lambda: list[str]()
    )


class BudgetBody(Body):
    amount: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = "CHF"


class RunRequest(Body):
    """`knowledge_base_ids` missing or null: all that the caller may see. `tools` missing or null: all reading tools."""

    message: MessageText
    model: Annotated[CleanText, Field(max_length=300)] | None = None
    profile_id: Id | None = None
    knowledge_base_ids: Ids | None = None
    use_knowledge: bool = True
    knowledge_options: KnowledgeOptions = Field(default_factory=KnowledgeOptions)
    tools: Annotated[list[Annotated[str, Field(max_length=64)]], Field(max_length=64)] | None = None
    servers: Ids = Field(default_factory=lambda: list[str]())
    allow_web: bool = False
    mode: Literal["agent", "pipeline"] = "agent"
    max_rounds: Annotated[int, Field(ge=1, le=100)] | None = None
    max_calls_per_round: Annotated[int, Field(ge=1, le=64)] | None = None
    budget: BudgetBody | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    directives: Annotated[list[Annotated[CleanText, Field(max_length=2_000)]], Field(max_length=20)] = Field(
        default_factory=lambda: list[str]()
    )

    def order(self, zone: str | None, history: tuple[Message, ...] = ()) -> RunOrder:
        if self.profile_id is not None or self.servers:
            raise Invalid(
                "There are no profiles or tool servers in this installation; leave profile_id and servers out."
            )
        options = self.knowledge_options
        return RunOrder(
            message=self.message,
            model=self.model,
            history=history,
            knowledge_base_ids=None if self.knowledge_base_ids is None else tuple(self.knowledge_base_ids),
            use_knowledge=self.use_knowledge,
            search=SearchDefaults(options.k, options.score_threshold, tuple(options.categories)),
            tools=None if self.tools is None else tuple(self.tools),
            allow_web=self.allow_web,
            mode=self.mode,
            max_rounds=self.max_rounds,
            max_calls_per_round=self.max_calls_per_round,
            budget=None if self.budget is None else Budget(Decimal(str(self.budget.amount)), self.budget.currency),
            temperature=0.0 if self.temperature is None else self.temperature,
            zone=zone,
            directives=tuple(self.directives),
        )


class EarlierMessage(Body):
    role: Literal["user", "assistant", "system"]
    content: MessageText


class StatelessRunRequest(RunRequest):
    """`messages` are earlier ones, oldest first; the question is `message`."""

    messages: Annotated[list[EarlierMessage], Field(max_length=1_000)] = Field(
        default_factory=lambda: list[EarlierMessage]()
    )


class CostView(View):
    """`complete` is false when the price of a part is unknown: unknown is not zero."""

    amount: float
    currency: str
    complete: bool


class UsageView(View):
    input_tokens: int = 0
    output_tokens: int = 0
    cost: CostView | None = None


class QuoteView(View):
    start: int
    end: int
    text: str


class SourceView(View):
    """A cited passage. `quotes` are its sentences that back the answer, at their places in the document's text."""

    n: int
    chunk_id: str
    document_id: str | None = None
    fact_id: str | None = None
    document_name: str
    page: int | None = None
    section: list[str]
    start: int
    end: int
    quote: str
    score: float
    support: Literal["strong", "weak", "none"]
    quotes: list[QuoteView] = Field(default_factory=lambda: list[QuoteView]())


class StepView(View):
    round: int
    call_id: str
    tool: str
    arguments: dict[str, Any] | None = None
    server: str | None = None
    effect: Literal["read", "write"] = "read"
    network: bool = False
    blocked: bool = False
    cached: bool = False
    status: Literal["awaiting_approval", "running", "succeeded", "failed", "denied", "cancelled"]
    preview: str = ""
    truncated: bool = False
    artifact_id: str | None = None
    error: str | None = None
    started_at: datetime | None = None
    duration_ms: float | None = None


class RunAnswer(View):
    id: str
    conversation_id: str | None
    status: RunStatus
    answer: str
    truncated: bool
    sources: list[SourceView]
    steps: list[StepView]
    rounds: int
    usage: UsageView
    model: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    error: dict[str, Any] | None = None
    reason: str | None = None
    notices: list[dict[str, Any]]
    unsupported: list[int]


class RunBrief(View):
    id: str
    conversation_id: str | None
    status: RunStatus
    question: str
    model: str
    rounds: int
    usage: UsageView
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class RunAccepted(View):
    run_id: str
    conversation_id: str | None
    events_url: str


class EventView(View):
    seq: int
    run_id: str
    type: str
    time: datetime
    data: dict[str, Any]


def accepted(run_id: str, conversation_id: str | None) -> RunAccepted:
    return RunAccepted(run_id=run_id, conversation_id=conversation_id, events_url=f"/api/v1/runs/{run_id}/events")


@router.post(
    "/runs",
    status_code=202,
    operation_id="create_run",
    response_model=RunAccepted,
    responses={200: {"model": RunAnswer, "description": "With `wait=true`: the run, finished"}, **CONFLICT},
)
async def create(
    body: StatelessRunRequest,
    famulus: App,
    caller: Caller,
    zone: Zone = None,
    wait: Annotated[bool, Query(description="Answer when the run has ended.")] = False,
) -> Response | RunAccepted:
    """Start a run that belongs to no conversation."""
    history = tuple(Message(message.role, (Text(message.content),)) for message in body.messages)
    run_id = await famulus.runs.create(caller, body.order(zone, history))
    if not wait:
        return accepted(run_id, None)
    view = RunAnswer.model_validate(await famulus.runs.wait(caller, run_id, _WAIT_S))
    return JSONResponse(view.model_dump(mode="json"))


@router.get("/runs", operation_id="list_runs")
async def list_all(
    famulus: App,
    caller: Caller,
    status: Annotated[RunStatus | Literal["active", "ended"] | None, Query()] = None,
    conversation_id: Annotated[CleanText | None, Query(max_length=200)] = None,
    limit: Limit = 50,
    cursor: CursorParameter = None,
) -> Page[RunBrief]:
    """The caller's runs, newest first."""
    views = await famulus.runs.list(
        caller,
        conversation_id=conversation_id,
        statuses=_statuses(status),
        before=decode_cursor(cursor) or None,
        limit=limit,
    )
    items = [RunBrief.model_validate(view) for view in views]
    return Page(items=items, next_cursor=next_cursor(items, limit))


@router.get("/runs/{id}", operation_id="get_run")
async def get(id: str, famulus: App, caller: Caller) -> RunAnswer:
    """One run with its steps, answer and sources."""
    return RunAnswer.model_validate(await famulus.runs.get(caller, id))


@router.post("/runs/{id}/stop", status_code=202, operation_id="stop_run")
async def stop(id: str, famulus: App, caller: Caller) -> RunBrief:
    """Stop a run; what it has produced stays. Does nothing to one that has ended."""
    await famulus.runs.stop(caller, id)
    return RunBrief.model_validate(await famulus.runs.get(caller, id))


@router.get(
    "/runs/{id}/events",
    operation_id="get_run_events",
    response_class=Response,
    responses={
        200: {
            "description": "Events from the given position on; as JSON the durable ones so far.",
            "content": {
                "text/event-stream": {"schema": {"type": "string"}},
                "application/json": {"schema": {"$ref": "#/components/schemas/Page_EventView_"}},
            },
        }
    },
)
async def events(
    id: str,
    famulus: App,
    caller: Caller,
    after: Annotated[str | None, Query(pattern=_PLACE, description="`SEQ` or `SEQ.OFFSET`.")] = None,
    last_event_id: Annotated[str | None, Header(pattern=_PLACE)] = None,
    accept: Annotated[str, Header(max_length=500)] = "",
) -> Response:
    """The run's events: a replay, then live until the last one."""
    # A browser that reconnects by itself sends the header; that is newer than what the address says.
    position = Position.parse(last_event_id or after or "0")
    if "application/json" in accept and "text/event-stream" not in accept:
        items = [event_json(event) for event in await famulus.runs.events(caller, id, position.seq)]
        return JSONResponse({"items": items, "next_cursor": None})
    return EventStream(await famulus.runs.subscribe(caller, id, position))


@router.get(
    "/runs/{id}/artifacts/{artifact_id}",
    operation_id="get_run_artifact",
    response_class=Response,
    responses={200: {"description": "The whole result", "content": {"application/octet-stream": {}}}},
)
async def artifact(id: str, artifact_id: str, famulus: App, caller: Caller) -> Response:
    """A full tool result or a produced file."""
    found = await famulus.runs.artifact(caller, id, artifact_id)
    headers = {"Content-Security-Policy": "default-src 'none'; sandbox", "Content-Disposition": "attachment"}
    kind = found.media_type if found.media_type in ("application/json", "text/plain") else "application/octet-stream"
    return Response(found.content, media_type=kind, headers=headers)


def _statuses(wanted: RunStatus | Literal["active", "ended"] | None) -> frozenset[RunStatus] | None:
    if wanted == "ended":
        return ENDED
    if wanted == "active":
        return ACTIVE
    return None if wanted is None else frozenset({wanted})
