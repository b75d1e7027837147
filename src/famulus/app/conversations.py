"""Use cases of conversations: messages in order, one run at a time, branches, feedback, export.

The answer of a turn is the run's, read from its log until the run has ended; then a copy is kept with the message, so that a
long conversation is read without its logs.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal, TypedDict, cast

import sqlalchemy as sa

from famulus.agent.request import from_json, to_json
from famulus.app.runs import RunOrder, Runs
from famulus.errors import Invalid, NotFound
from famulus.events.log import EventLog
from famulus.events.types import ENDED
from famulus.messages.ids import new_id
from famulus.messages.values import JsonObject, Message, Principal, Text
from famulus.store.database import Database
from famulus.store.schema.conversations import conversation, conversation_message, feedback

TITLE_LENGTH = 80
# A reader looks back over a few answers; each run's request carries the list.
_EARLIER_RUNS = 20
_HISTORY_OF = frozenset({"completed", "max_rounds_reached", "budget_exceeded", "stopped"})


@dataclass(frozen=True, slots=True)
class Conversation:
    """`running_run_id` is the run that is going, if any."""

    id: str
    title: str
    profile_id: str | None
    private: bool
    created_at: datetime
    updated_at: datetime
    run_id: str | None
    running_run_id: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One message. `status`, `truncated` and `sources` belong to an assistant's."""

    id: str
    role: Literal["user", "assistant"]
    text: str
    created_at: datetime
    ord: int
    run_id: str | None
    status: str | None
    truncated: bool
    sources: list[JsonObject]
    feedback: int | None


class ConversationChanges(TypedDict, total=False):
    title: str
    profile_id: str | None


class Conversations:
    def __init__(self, database: Database, log: EventLog, runs: Runs) -> None:
        self._database = database
        self._log = log
        self._runs = runs

    async def create(
        self, principal: Principal, title: str = "", *, profile_id: str | None = None, private: bool = False
    ) -> Conversation:
        return await self._database.write(lambda c: _insert(c, principal, title, profile_id, private, None))

    async def for_session(self, principal: Principal, session: str) -> Conversation:
        """The conversation of a session that an outside chat client named; made when it is new."""

        def find(connection: sa.Connection) -> Conversation:
            query = sa.select(conversation).where(*_owned(principal), conversation.c.session == session)
            row = connection.execute(query).one_or_none()
            return _insert(connection, principal, "", None, False, session) if row is None else _conversation(row)

        return await self._database.write(find)

    async def get(self, principal: Principal, conversation_id: str) -> Conversation:
        """Raises NotFound."""
        found = await self._database.read(lambda c: _read(c, principal, conversation_id))
        return await self._with_running(principal, found)

    async def list(
        self, principal: Principal, *, q: str | None = None, before: str = "", limit: int = 50
    ) -> list[Conversation]:
        """Newest first; `q` is looked for in titles and messages; `before` is the id of the last one of the page before."""
        found = await self._database.read(lambda c: _list(c, principal, q, before, limit))
        return [await self._with_running(principal, item) for item in found]

    async def update(self, principal: Principal, conversation_id: str, changes: ConversationChanges) -> Conversation:
        """Raises NotFound."""

        def change(connection: sa.Connection) -> Conversation:
            _read(connection, principal, conversation_id)
            values: dict[str, object] = {}
            if "title" in changes:
                values["title"] = changes["title"][:200]
            if "profile_id" in changes:
                values["profile"] = changes["profile_id"]
            if values:
                where = *_owned(principal), conversation.c.id == conversation_id
                connection.execute(sa.update(conversation).where(*where).values(values))
            return _read(connection, principal, conversation_id)

        return await self._with_running(principal, await self._database.write(change))

    async def delete(self, principal: Principal, conversation_id: str) -> None:
        """Stops the run that is going and removes the messages. Raises NotFound."""
        found = await self.get(principal, conversation_id)
        if found.running_run_id is not None:
            await self._runs.stop(principal, found.running_run_id)

        def remove(connection: sa.Connection) -> None:
            _read(connection, principal, conversation_id)
            _remove_messages(connection, principal.tenant, conversation_id, 0)
            where = *_owned(principal), conversation.c.id == conversation_id
            connection.execute(sa.delete(conversation).where(*where))

        await self._database.write(remove)

    async def messages(
        self, principal: Principal, conversation_id: str, *, after: int = -1, limit: int | None = None
    ) -> list[Turn]:
        """Oldest first, behind the message number `after`; all when there is no `limit`. Raises NotFound."""

        def read(connection: sa.Connection) -> list[Turn]:
            _read(connection, principal, conversation_id)
            return _turns(connection, principal, conversation_id, after, limit)

        return [await self._settled(principal, turn) for turn in await self._database.read(read)]

    async def start_run(
        self, principal: Principal, conversation_id: str, order: RunOrder, *, replaces_message_id: str | None = None
    ) -> str:
        """The id of the new run; its two messages stand at once. Raises NotFound, Invalid and, while a run is going, Conflict.

        `replaces_message_id`: that message of the user and all after it leave the conversation first. The runs that answered
        it until now stand in the new run's request; a title that is no more than that message follows its new words.
        """
        found = await self.get(principal, conversation_id)
        turns = await self.messages(principal, conversation_id)
        cut = None if replaces_message_id is None else _place_of(turns, replaces_message_id)
        kept = [turn for turn in turns if cut is None or turn.ord < cut]
        if found.private:
            # A private chat offers no tools, and without them no knowledge.
            order = replace(order, tools=(), use_knowledge=False, allow_web=False)
        order = replace(order, history=_history(kept))
        message_id = new_id()
        earlier = await self._earlier_runs(principal, turns[len(kept)]) if len(kept) < len(turns) else ()
        request = await self._runs.prepare(principal, order, message_id)
        request = replace(request, conversation_id=conversation_id, earlier_runs=earlier)
        untold = ("",) if cut is None or kept else ("", title_of(turns[0].text))

        def book(connection: sa.Connection, run_id: str) -> None:
            _read(connection, principal, conversation_id)
            if cut is not None:
                _remove_messages(connection, principal.tenant, conversation_id, cut)
            _book_turn(connection, principal, conversation_id, order.message, message_id, run_id, untold)

        return await self._log.create(principal, to_json(request), conversation_id, also=book)

    async def branch(self, principal: Principal, conversation_id: str, before_message_id: str | None) -> Conversation:
        """A new conversation with the messages before that one, or with all. Raises NotFound."""
        origin = await self.get(principal, conversation_id)
        turns = await self.messages(principal, conversation_id)
        if before_message_id is not None:
            place = _place_of(turns, before_message_id, any_role=True)
            turns = [turn for turn in turns if turn.ord < place]

        def copy(connection: sa.Connection) -> Conversation:
            made = _insert(connection, principal, origin.title, origin.profile_id, origin.private, None)
            for number, turn in enumerate(turns):
                values = _row(principal, made.id, number, turn.role, turn.text, new_id())
                status = turn.status if turn.status in ENDED else None
                values |= {"status": status, "truncated": turn.truncated, "sources": turn.sources}
                connection.execute(sa.insert(conversation_message).values(**values, run=turn.run_id))
            return made

        return await self._database.write(copy)

    async def rate(self, principal: Principal, message_id: str, rating: Literal[1, -1], comment: str = "") -> None:
        """What the caller thinks of an answer; a later rating replaces it. Raises NotFound."""

        def book(connection: sa.Connection) -> None:
            same = conversation_message.c.conversation == conversation.c.id
            query = sa.select(conversation_message.c.id).join(
                conversation, sa.and_(same, conversation_message.c.tenant == conversation.c.tenant)
            )
            query = query.where(
                *_owned(principal), conversation_message.c.id == message_id, conversation_message.c.role == "assistant"
            )
            if connection.execute(query).first() is None:
                raise NotFound(f"there is no answer {message_id!r}")
            key = {"tenant": principal.tenant, "message": message_id, "account": principal.user}
            where = [feedback.c[name] == value for name, value in key.items()]
            connection.execute(sa.delete(feedback).where(*where))
            connection.execute(
                sa.insert(feedback).values(**key, rating=rating, comment=comment, created_at=datetime.now(UTC))
            )

        await self._database.write(book)

    async def _with_running(self, principal: Principal, found: Conversation) -> Conversation:
        if found.run_id is None:
            return found
        try:
            record = await self._log.record(principal.tenant, found.run_id)
        except NotFound:
            return found
        return found if record.ended else replace(found, running_run_id=found.run_id)

    async def _earlier_runs(self, principal: Principal, replaced: Turn) -> tuple[str, ...]:
        """The runs that answered this message and what it was edited from, oldest first."""
        if replaced.run_id is None:
            return ()
        try:
            request = (await self._log.record(principal.tenant, replaced.run_id)).request
        except NotFound:
            return ()
        return (*from_json(request).earlier_runs, replaced.run_id)[-_EARLIER_RUNS:]

    async def _settled(self, principal: Principal, turn: Turn) -> Turn:
        """The assistant's message with the answer of its run; kept once the run has ended."""
        if turn.role == "user" or turn.run_id is None or turn.status is not None:
            return turn
        try:
            view = await self._runs.get(principal, turn.run_id)
        except NotFound:
            return turn
        current = replace(turn, text=view.answer, status=view.status, truncated=view.truncated, sources=view.sources)
        if view.status in ENDED:
            values = {"text": view.answer, "status": view.status, "truncated": view.truncated, "sources": view.sources}
            table = conversation_message.c
            query = sa.update(conversation_message).where(table.tenant == principal.tenant, table.id == turn.id)
            await self._database.write(lambda c: c.execute(query.values(values)).rowcount)
        return current


def title_of(message: str) -> str:
    """The first line of a message as a title."""
    line = " ".join(unicodedata.normalize("NFC", message).split())
    return line if len(line) <= TITLE_LENGTH else line[: TITLE_LENGTH - 1].rstrip() + "…"


def _owned(principal: Principal) -> tuple[sa.ColumnElement[bool], sa.ColumnElement[bool]]:
    return conversation.c.tenant == principal.tenant, conversation.c.owner == principal.user


def _read(connection: sa.Connection, principal: Principal, conversation_id: str) -> Conversation:
    query = sa.select(conversation).where(*_owned(principal), conversation.c.id == conversation_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(f"there is no conversation {conversation_id!r}")
    return _conversation(row)


def _list(
    connection: sa.Connection, principal: Principal, q: str | None, before: str, limit: int
) -> list[Conversation]:
    query = sa.select(conversation).where(*_owned(principal))
    if q:
        text = q.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        found = sa.select(conversation_message.c.conversation).where(
            conversation_message.c.tenant == principal.tenant,
            conversation_message.c.text.ilike(f"%{text}%", escape="\\"),
        )
        titled = conversation.c.title.ilike(f"%{text}%", escape="\\")
        query = query.where(sa.or_(titled, conversation.c.id.in_(found)))
    if before:
        # Ordered by the last use; of equal times the id decides.
        place = sa.select(conversation.c.updated_at).where(*_owned(principal), conversation.c.id == before)
        since = connection.execute(place).scalar_one_or_none()
        if since is None:
            raise Invalid("The cursor is not one that this server gave, or its conversation is gone; begin again.")
        query = query.where(
            sa.tuple_(conversation.c.updated_at, conversation.c.id)
            < sa.tuple_(sa.bindparam(None, since, conversation.c.updated_at.type), before)
        )
    query = query.order_by(conversation.c.updated_at.desc(), conversation.c.id.desc()).limit(limit)
    return [_conversation(row) for row in connection.execute(query)]


def _insert(
    connection: sa.Connection,
    principal: Principal,
    title: str,
    profile_id: str | None,
    private: bool,
    session: str | None,
) -> Conversation:
    now = datetime.now(UTC)
    made = Conversation(new_id(), title[:200], profile_id, private, now, now, None)
    values = {"tenant": principal.tenant, "id": made.id, "owner": principal.user, "title": made.title}
    values |= {"profile": profile_id, "private": private, "session": session, "created_at": now, "updated_at": now}
    connection.execute(sa.insert(conversation).values(values))
    return made


def _conversation(row: sa.Row[Any]) -> Conversation:
    return Conversation(row.id, row.title, row.profile, row.private, row.created_at, row.updated_at, row.run)


def _turns(
    connection: sa.Connection, principal: Principal, conversation_id: str, after: int, limit: int | None
) -> list[Turn]:
    table = conversation_message
    mine = sa.and_(
        feedback.c.tenant == table.c.tenant, feedback.c.message == table.c.id, feedback.c.account == principal.user
    )
    query = (
        sa.select(table, feedback.c.rating)
        .join_from(table, feedback, mine, isouter=True)
        .where(table.c.tenant == principal.tenant, table.c.conversation == conversation_id, table.c.ord > after)
        .order_by(table.c.ord)
        .limit(limit)
    )
    return [
        Turn(
            row.id,
            row.role,
            row.text,
            row.created_at,
            row.ord,
            row.run,
            row.status,
            row.truncated,
            cast("list[JsonObject]", row.sources),
            row.rating,
        )
        for row in connection.execute(query)
    ]


def _row(
    principal: Principal, conversation_id: str, number: int, role: str, text: str, message_id: str
) -> dict[str, Any]:
    return {
        "tenant": principal.tenant,
        "id": message_id,
        "conversation": conversation_id,
        "ord": number,
        "role": role,
        "text": text,
        "sources": [],
        "created_at": datetime.now(UTC),
    }


def _book_turn(
    connection: sa.Connection,
    principal: Principal,
    conversation_id: str,
    message: str,
    message_id: str,
    run_id: str,
    untold: Sequence[str],
) -> None:
    """`untold`: the titles that nobody chose, which the message takes over."""
    table = conversation_message
    last = sa.select(sa.func.coalesce(sa.func.max(table.c.ord), -1)).where(
        table.c.tenant == principal.tenant, table.c.conversation == conversation_id
    )
    number: int = connection.execute(last).scalar_one() + 1
    for place, (role, text, row_id) in enumerate((("user", message, new_id()), ("assistant", "", message_id))):
        values = _row(principal, conversation_id, number + place, role, text, row_id)
        connection.execute(sa.insert(table).values(**values, run=run_id))
    now = datetime.now(UTC)
    untitled = sa.case((conversation.c.title.in_(untold), title_of(message)), else_=conversation.c.title)
    where = *_owned(principal), conversation.c.id == conversation_id
    connection.execute(sa.update(conversation).where(*where).values(run=run_id, updated_at=now, title=untitled))


def _remove_messages(connection: sa.Connection, tenant: str, conversation_id: str, from_number: int) -> None:
    table = conversation_message
    where = table.c.tenant == tenant, table.c.conversation == conversation_id, table.c.ord >= from_number
    ids = sa.select(table.c.id).where(*where)
    connection.execute(sa.delete(feedback).where(feedback.c.tenant == tenant, feedback.c.message.in_(ids)))
    connection.execute(sa.delete(table).where(*where))


def _place_of(turns: Sequence[Turn], message_id: str, *, any_role: bool = False) -> int:
    found = next((turn for turn in turns if turn.id == message_id), None)
    if found is None:
        raise NotFound(f"there is no message {message_id!r} in this conversation")
    if found.role != "user" and not any_role:
        raise Invalid("Only a message of the user can be replaced; name that one.")
    return found.ord


def _history(turns: Sequence[Turn]) -> tuple[Message, ...]:
    return tuple(
        Message(turn.role, (Text(turn.text),))
        for turn in turns
        if turn.text and (turn.role == "user" or turn.status in _HISTORY_OF)
    )
