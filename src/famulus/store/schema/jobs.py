"""The table of background jobs. Times are epoch microseconds (UTC).

Of one `(tenant, kind, key)` at most one job waits; a second may be queued while the first runs, and starts after it.
"""

from __future__ import annotations

import sqlalchemy as sa

from famulus.store.schema import metadata

job = sa.Table(
    "job",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False, server_default="queued"),
    sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
    sa.Column("max_attempts", sa.Integer, nullable=False),
    sa.Column("run_at_us", sa.BigInteger, nullable=False),
    sa.Column("owner", sa.Text),
    sa.Column("epoch", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("error", sa.Text),
    sa.Column("created_us", sa.BigInteger, nullable=False),
    sa.Column("finished_us", sa.BigInteger),
)
_queued = job.c.state == "queued"
_running = job.c.state == "running"
sa.Index("job_queued", job.c.run_at_us, sqlite_where=_queued, postgresql_where=_queued)
sa.Index("job_owned", job.c.owner, sqlite_where=_running, postgresql_where=_running)
sa.Index(
    "job_waiting", job.c.tenant, job.c.kind, job.c.key, unique=True, sqlite_where=_queued, postgresql_where=_queued
)
sa.Index("job_key", job.c.tenant, job.c.kind, job.c.key, job.c.created_us)
