"""Tables of the auth room: tenants, accounts and every kind of credential.

API tokens, browser sessions and sign-in links are rows of one table, so that one check decides about all of them. Only the
SHA-256 of a secret is stored: a secret has 256 random bits, which needs no slow hash.
"""

from __future__ import annotations

import sqlalchemy as sa

from famulus.store.columns import UtcTime
from famulus.store.schema import metadata

tenant = sa.Table(
    "tenant",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("created_at", UtcTime, nullable=False),
)

account = sa.Table(
    "account",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Column("disabled_at", UtcTime),
    sa.UniqueConstraint("tenant", "name"),
)

credential = sa.Table(
    "credential",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("account", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("sha256", sa.Text, nullable=False, unique=True),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Column("expires_at", UtcTime),
)
sa.Index("credential_account", credential.c.tenant, credential.c.account)
