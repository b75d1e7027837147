"""Tables of the event log: runs, their events and artifacts, the workers that own runs, and text that is still streaming.

Times are epoch microseconds (UTC). `run.next_seq` with `run.epoch` is the fence: an append names both, and changes nothing when
either has moved. A worker has one row with its lease, so that renewing it touches no run.
"""

from __future__ import annotations

import sqlalchemy as sa

from famulus.store.schema import metadata

run = sa.Table(
    "run",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("user", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("scopes", sa.Text, nullable=False),
    sa.Column("conversation", sa.Text),
    sa.Column("request", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False, server_default="queued"),
    sa.Column("owner", sa.Text),
    sa.Column("epoch", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("next_seq", sa.BigInteger, nullable=False, server_default="1"),
    sa.Column("interruptions", sa.Integer, nullable=False, server_default="0"),
    sa.Column("stop_requested", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("created_us", sa.BigInteger, nullable=False),
    sa.Column("started_us", sa.BigInteger),
    sa.Column("finished_us", sa.BigInteger),
)
_queued = run.c.status == "queued"
_owned = run.c.owner.is_not(None)
_going = sa.and_(run.c.conversation.is_not(None), run.c.finished_us.is_(None))
sa.Index("run_queued", run.c.created_us, sqlite_where=_queued, postgresql_where=_queued)
sa.Index("run_owned", run.c.owner, sqlite_where=_owned, postgresql_where=_owned)
sa.Index("run_going", run.c.tenant, run.c.conversation, unique=True, sqlite_where=_going, postgresql_where=_going)
sa.Index("run_recent", run.c.tenant, run.c.user, run.c.created_us)

run_event = sa.Table(
    "run_event",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("run", sa.Text, primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("type", sa.Text, nullable=False),
    sa.Column("at_us", sa.BigInteger, nullable=False),
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("private", sa.Text),
)

run_artifact = sa.Table(
    "run_artifact",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("run", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("call_id", sa.Text, nullable=False),
    sa.Column("media_type", sa.Text, nullable=False),
    sa.Column("size", sa.BigInteger, nullable=False),
    sa.Column("data", sa.LargeBinary),
    sa.Column("sha256", sa.Text),
    sa.Column("created_us", sa.BigInteger, nullable=False),
)
sa.Index("run_artifact_blob", run_artifact.c.sha256)

worker = sa.Table(
    "worker",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("instance", sa.Text, nullable=False),
    sa.Column("lease_until_us", sa.BigInteger, nullable=False),
)

run_live = sa.Table(
    "run_live",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("run", sa.Text, primary_key=True),
    sa.Column("watched_until_us", sa.BigInteger, nullable=False),
    sa.Column("seq", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("text_start", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("text", sa.Text, nullable=False, server_default=""),
    sa.Column("reasoning_start", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("reasoning", sa.Text, nullable=False, server_default=""),
)
# Text on its way: worthless after a crash, so PostgreSQL keeps it out of the write-ahead log (`UNLOGGED`, see the migration).
