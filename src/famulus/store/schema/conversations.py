"""Tables of conversations: messages in order and what people thought of them.

A turn is two rows with the same `run`: the user's message and the assistant's. The answer is a copy from the run's log, made
when the run has ended; until then `status` is null and the log is asked.
"""

from __future__ import annotations

import sqlalchemy as sa

from famulus.store.columns import JsonText, UtcTime
from famulus.store.schema import metadata

conversation = sa.Table(
    "conversation",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("title", sa.Text, nullable=False, server_default=""),
    sa.Column("profile", sa.Text),
    sa.Column("private", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("session", sa.Text),
    sa.Column("run", sa.Text),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Column("updated_at", UtcTime, nullable=False),
    sa.UniqueConstraint("tenant", "owner", "session"),
)
sa.Index("conversation_recent", conversation.c.tenant, conversation.c.owner, conversation.c.updated_at)

conversation_message = sa.Table(
    "conversation_message",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("conversation", sa.Text, nullable=False),
    sa.Column("ord", sa.Integer, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("run", sa.Text),
    sa.Column("status", sa.Text),
    sa.Column("truncated", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("sources", JsonText, nullable=False),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.UniqueConstraint("tenant", "conversation", "ord"),
)

feedback = sa.Table(
    "feedback",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("message", sa.Text, primary_key=True),
    sa.Column("account", sa.Text, primary_key=True),
    sa.Column("rating", sa.Integer, nullable=False),
    sa.Column("comment", sa.Text, nullable=False, server_default=""),
    sa.Column("created_at", UtcTime, nullable=False),
)
