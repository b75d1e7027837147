"""Routes of conversations and their messages."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Literal, cast

from fastapi import APIRouter, Query, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import BeforeValidator, Field

from famulus.api.documents import content_disposition
from famulus.api.runs import RunAccepted, RunRequest, SourceView, Zone, accepted
from famulus.api.shapes import (
    COMMON,
    CONFLICT,
    App,
    Body,
    Caller,
    CleanText,
    CursorParameter,
    Id,
    Limit,
    Page,
    View,
    decode_cursor,
    encode_cursor,
    next_cursor,
)
from famulus.app.conversations import Conversation, ConversationChanges, Turn
from famulus.errors import Invalid
from famulus.events.types import RunStatus

router = APIRouter(prefix="/api/v1", tags=["conversations"], responses=COMMON)
Title = Annotated[CleanText, Field(max_length=200)]


class NewConversation(Body):
    title: Title = ""
    profile_id: Id | None = None
    private: bool = False


class ConversationPatch(Body):
    title: Title | None = None
    profile_id: Id | None = None


class ConversationView(View):
    id: str
    title: str
    profile_id: str | None
    private: bool
    running_run_id: str | None
    created_at: datetime
    updated_at: datetime


class MessageView(View):
    """`status`, `truncated` and `sources` belong to an answer; `text` of one that still works is what there is so far."""

    id: str
    role: Literal["user", "assistant"]
    text: str
    created_at: datetime
    run_id: str | None
    status: RunStatus | None
    truncated: bool
    sources: list[SourceView]
    feedback: Literal[1, -1] | None


class ConversationRunRequest(RunRequest):
    """`replaces_message_id`: that message of the user and all after it leave the conversation first."""

    replaces_message_id: Id | None = None


class NewBranch(Body):
    before_message_id: Id | None = None


def _no_boolean(value: object) -> object:
    """`True` equals 1 in Python, and is not a rating."""
    if isinstance(value, bool):
        raise ValueError("must be 1 or -1")
    return value


class Rating(Body):
    rating: Annotated[Literal[1, -1], BeforeValidator(_no_boolean)]
    comment: Annotated[CleanText, Field(max_length=5_000)] = ""


@router.post("/conversations", status_code=201, operation_id="create_conversation")
async def create(body: NewConversation, famulus: App, caller: Caller) -> ConversationView:
    """Begin a conversation. A private one offers no tools and no knowledge."""
    made = await famulus.conversations.create(caller, body.title, profile_id=body.profile_id, private=body.private)
    return ConversationView.model_validate(made)


@router.get("/conversations", operation_id="list_conversations")
async def list_all(
    famulus: App,
    caller: Caller,
    q: Annotated[CleanText | None, Query(max_length=500)] = None,
    limit: Limit = 50,
    cursor: CursorParameter = None,
) -> Page[ConversationView]:
    """The caller's conversations, last used first; `q` is looked for in titles and messages."""
    found = await famulus.conversations.list(caller, q=q, before=decode_cursor(cursor), limit=limit)
    items = [ConversationView.model_validate(item) for item in found]
    return Page(items=items, next_cursor=next_cursor(items, limit))


@router.get("/conversations/{id}", operation_id="get_conversation")
async def get(id: str, famulus: App, caller: Caller) -> ConversationView:
    """One conversation."""
    return ConversationView.model_validate(await famulus.conversations.get(caller, id))


@router.patch("/conversations/{id}", operation_id="update_conversation")
async def update(id: str, body: ConversationPatch, famulus: App, caller: Caller) -> ConversationView:
    """Change what is given."""
    given = body.model_dump(exclude_unset=True)
    changes = cast("ConversationChanges", {k: v for k, v in given.items() if v is not None or k == "profile_id"})
    return ConversationView.model_validate(await famulus.conversations.update(caller, id, changes))


@router.delete("/conversations/{id}", status_code=204, operation_id="delete_conversation")
async def delete(id: str, famulus: App, caller: Caller) -> Response:
    """Delete a conversation; a run that is going is stopped."""
    await famulus.conversations.delete(caller, id)
    return Response(status_code=204)


@router.get("/conversations/{id}/messages", operation_id="list_messages")
async def messages(
    id: str, famulus: App, caller: Caller, limit: Limit = 50, cursor: CursorParameter = None
) -> Page[MessageView]:
    """The messages, oldest first."""
    turns = await famulus.conversations.messages(caller, id, after=_number(cursor), limit=limit)
    items = [_message(turn) for turn in turns]
    return Page(items=items, next_cursor=encode_cursor(str(turns[-1].ord)) if len(turns) >= limit else None)


@router.post("/conversations/{id}/runs", status_code=202, operation_id="create_conversation_run", responses=CONFLICT)
async def start_run(
    id: str, body: ConversationRunRequest, famulus: App, caller: Caller, zone: Zone = None
) -> RunAccepted:
    """Add a message and start the run that answers it; 409 while another run of this conversation is going."""
    run_id = await famulus.conversations.start_run(
        caller, id, body.order(zone), replaces_message_id=body.replaces_message_id
    )
    return accepted(run_id, id)


@router.post("/conversations/{id}/branches", status_code=201, operation_id="branch_conversation")
async def branch(id: str, body: NewBranch, famulus: App, caller: Caller) -> ConversationView:
    """A new conversation with a copy of the messages before the named one, or of all."""
    return ConversationView.model_validate(await famulus.conversations.branch(caller, id, body.before_message_id))


@router.get(
    "/conversations/{id}/export",
    operation_id="export_conversation",
    response_class=Response,
    responses={
        200: {
            "description": "The conversation as a file",
            "content": {
                "text/markdown": {"schema": {"type": "string"}},
                "application/json": {"schema": {"type": "object"}},
            },
        }
    },
)
async def export(
    id: str, famulus: App, caller: Caller, format: Annotated[Literal["md", "json"], Query()] = "md"
) -> Response:
    """The whole conversation with its sources, as Markdown or JSON."""
    found = await famulus.conversations.get(caller, id)
    turns = await famulus.conversations.messages(caller, id)
    headers = {"Content-Disposition": content_disposition(f"{_file_name(found.title)}.{format}")}
    if format == "json":
        view = ConversationView.model_validate(found).model_dump(mode="json")
        return JSONResponse(
            {**view, "messages": [_message(turn).model_dump(mode="json") for turn in turns]}, headers=headers
        )
    return PlainTextResponse(_markdown(found, turns), media_type="text/markdown", headers=headers)


@router.post("/messages/{id}/feedback", status_code=204, operation_id="rate_message")
async def rate(id: str, body: Rating, famulus: App, caller: Caller) -> Response:
    """What the caller thinks of an answer; a later rating replaces it."""
    await famulus.conversations.rate(caller, id, body.rating, body.comment)
    return Response(status_code=204)


def _number(cursor: str | None) -> int:
    position = decode_cursor(cursor) or "-1"
    if position != "-1" and not (position.isascii() and position.isdigit() and len(position) < 10):
        raise Invalid("The cursor is not one that this server gave; begin again without it.")
    return int(position)


def _message(turn: Turn) -> MessageView:
    return MessageView.model_validate(turn)


def _file_name(title: str) -> str:
    """The title as the name of a file on every system: what a browser would replace by `_` is left out."""
    return " ".join(re.sub(r'[\\/:*?"<>|\x00-\x1f]', " ", title).split()).strip(". ") or "conversation"


def _markdown(found: Conversation, turns: list[Turn]) -> str:
    parts = [f"# {found.title or 'Conversation'}", f"{found.created_at:%Y-%m-%d %H:%M} UTC"]
    for turn in turns:
        parts += ["## Question" if turn.role == "user" else "## Answer", turn.text]
        if cited := [SourceView.model_validate(source) for source in turn.sources]:
            parts.append("\n".join(f"- [{one.n}] {one.document_name}{_place(one)}: “{_quoted(one)}”" for one in cited))
    return "\n\n".join(parts) + "\n"


def _place(source: SourceView) -> str:
    place = f", page {source.page}" if source.page else ""
    return place + (f", {' › '.join(source.section)}" if source.section else "")


def _quoted(source: SourceView) -> str:
    """The sentences that back the answer; the beginning of the passage where none could be told apart."""
    return " … ".join(_line(quote.text) for quote in source.quotes) or _line(source.quote)


def _line(text: str) -> str:
    return " ".join(text.split())
