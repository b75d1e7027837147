"""Accounts and their credentials: the owner at the first start, API tokens, browser sessions, single-use sign-in links.

`authenticate` is the one check for every kind of credential. It reads the store each time, so that a credential that is
revoked, or whose account is disabled, is dead at once.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

import sqlalchemy as sa

from famulus.errors import Invalid, NotFound, Unauthenticated
from famulus.messages.clock import Clock, SystemClock
from famulus.messages.ids import new_id
from famulus.messages.values import Principal
from famulus.store.database import Database
from famulus.store.schema import accounts as tables

CredentialKind = Literal["token", "session", "signin"]
_SIGNIN_LIFETIME = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Account:
    id: str
    tenant: str
    name: str
    role: Literal["admin", "member"]


@dataclass(frozen=True, slots=True)
class Credential:
    """What may be shown of a credential; the secret itself exists only in the answer that made it."""

    id: str
    name: str
    kind: str
    created_at: datetime
    expires_at: datetime | None


def new_secret() -> str:
    """A secret with 256 random bits, recognisable in a leaked text."""
    return "fam_" + secrets.token_urlsafe(32)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


class Accounts:
    """The accounts of one store."""

    def __init__(self, database: Database, *, session_days: int = 30, clock: Clock | None = None) -> None:
        self._database = database
        self._session_lifetime = timedelta(days=session_days)
        self._clock: Clock = clock or SystemClock()

    async def ensure_owner(self, admin_token: str | None = None) -> tuple[Principal, bool]:
        """The owner, and whether this call made the account. `admin_token` counts only then: it becomes an API token."""
        return await self._database.write(lambda connection: self._ensure_owner(connection, admin_token))

    async def owner(self) -> Principal:
        """The owner of the first tenant. Raises NotFound before the first start."""
        found = await self._database.read(_first_owner)
        if found is None:
            raise NotFound("this data folder has no owner yet; start `famulus serve` once")
        return found

    async def account(self, principal: Principal) -> Account:
        query = sa.select(tables.account).where(
            tables.account.c.tenant == principal.tenant, tables.account.c.id == principal.user
        )
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        if row is None:
            raise NotFound(f"there is no account {principal.user!r}")
        return Account(row.id, row.tenant, row.name, row.role)

    async def create_account(self, tenant: str, name: str, role: Literal["admin", "member"] = "member") -> Principal:
        """A new account; the tenant is created when it does not exist."""
        return await self._database.write(lambda connection: self._create(connection, tenant, name, role))

    async def issue_token(self, principal: Principal, name: str, days: int | None = None) -> tuple[Credential, str]:
        """A new API token and its secret, which cannot be read again. Raises Invalid for a name that nobody could see."""
        if not name.strip():
            raise Invalid("The token needs a name that tells what it is for.")
        return await self._issue(principal, "token", name, None if days is None else timedelta(days=days))

    async def tokens(self, principal: Principal) -> list[Credential]:
        table = tables.credential
        query = (
            sa.select(table)
            .where(table.c.tenant == principal.tenant, table.c.account == principal.user, table.c.kind == "token")
            .order_by(table.c.id)
        )
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [Credential(row.id, row.name, row.kind, row.created_at, row.expires_at) for row in rows]

    async def revoke_token(self, principal: Principal, token_id: str) -> None:
        table = tables.credential
        query = sa.delete(table).where(
            table.c.tenant == principal.tenant, table.c.account == principal.user, table.c.id == token_id
        )
        if not await self._database.write(lambda connection: connection.execute(query).rowcount):
            raise NotFound(f"there is no token {token_id!r}; `famulus token list` shows yours")

    async def issue_signin(self, principal: Principal) -> str:
        """The secret of a sign-in link: works once, for a day."""
        return (await self._issue(principal, "signin", "sign-in link", _SIGNIN_LIFETIME))[1]

    async def redeem_signin(self, secret: str) -> str:
        """A new session for a sign-in link, which is used up. Raises Unauthenticated."""
        principal = await self._database.write(lambda connection: self._take_signin(connection, secret))
        if principal is None:
            raise Unauthenticated("this sign-in link was used or has expired; `famulus token signin` makes a new one")
        return await self._open_session(principal)

    async def open_session(self, token: str) -> str:
        """A new session for an API token. Raises Unauthenticated."""
        return await self._open_session(await self.authenticate(token, ("token",)))

    async def close_session(self, secret: str) -> None:
        query = sa.delete(tables.credential).where(
            tables.credential.c.sha256 == _hash(secret), tables.credential.c.kind == "session"
        )
        await self._database.write(lambda connection: connection.execute(query).rowcount)

    async def authenticate(self, secret: str, kinds: tuple[CredentialKind, ...] = ("token", "session")) -> Principal:
        """Who holds this secret. Raises Unauthenticated without saying why."""
        digest, now = _hash(secret), self._clock.now()
        found = await self._database.read(lambda connection: _holder(connection, digest, kinds, now))
        if found is None:
            raise Unauthenticated("the credential is missing, wrong or expired; sign in again or use a valid API token")
        return found

    async def sweep(self) -> None:
        """Drop what has expired."""
        query = sa.delete(tables.credential).where(tables.credential.c.expires_at <= self._clock.now())
        await self._database.write(lambda connection: connection.execute(query).rowcount)

    async def _open_session(self, principal: Principal) -> str:
        return (await self._issue(principal, "session", "browser", self._session_lifetime))[1]

    async def _issue(
        self, principal: Principal, kind: CredentialKind, name: str, lifetime: timedelta | None
    ) -> tuple[Credential, str]:
        secret = new_secret()
        credential = await self._database.write(
            lambda connection: self._insert(connection, principal, kind, name, secret, lifetime)
        )
        return credential, secret

    def _insert(
        self,
        connection: sa.Connection,
        principal: Principal,
        kind: CredentialKind,
        name: str,
        secret: str,
        lifetime: timedelta | None,
    ) -> Credential:
        now = self._clock.now()
        credential = Credential(new_id(), name, kind, now, None if lifetime is None else now + lifetime)
        connection.execute(
            sa.insert(tables.credential).values(
                tenant=principal.tenant,
                id=credential.id,
                account=principal.user,
                kind=kind,
                name=name,
                sha256=_hash(secret),
                created_at=now,
                expires_at=credential.expires_at,
            )
        )
        return credential

    def _ensure_owner(self, connection: sa.Connection, admin_token: str | None) -> tuple[Principal, bool]:
        existing = _first_owner(connection)
        if existing is not None:
            return existing, False
        owner = self._create(connection, new_id(), "owner", "admin")
        if admin_token is not None:
            self._insert(connection, owner, "token", "FAMULUS_ADMIN_TOKEN", admin_token, None)
        return owner, True

    def _create(self, connection: sa.Connection, tenant: str, name: str, role: Literal["admin", "member"]) -> Principal:
        now, account_id = self._clock.now(), new_id()
        known = connection.execute(sa.select(tables.tenant.c.tenant).where(tables.tenant.c.tenant == tenant)).first()
        if known is None:
            connection.execute(sa.insert(tables.tenant).values(tenant=tenant, name=name, created_at=now))
        connection.execute(
            sa.insert(tables.account).values(tenant=tenant, id=account_id, name=name, role=role, created_at=now)
        )
        return Principal(tenant, account_id, role)

    def _take_signin(self, connection: sa.Connection, secret: str) -> Principal | None:
        digest = _hash(secret)
        principal = _holder(connection, digest, ("signin",), self._clock.now())
        query = sa.delete(tables.credential).where(
            tables.credential.c.sha256 == digest, tables.credential.c.kind == "signin"
        )
        # The row count decides, not the read before it: of two that come at once, one deletes the row.
        taken = connection.execute(query).rowcount
        return principal if taken else None


def _first_owner(connection: sa.Connection) -> Principal | None:
    table = tables.account
    query = sa.select(table).where(table.c.role == "admin").order_by(table.c.created_at, table.c.id).limit(1)
    row = connection.execute(query).one_or_none()
    return None if row is None else Principal(row.tenant, row.id, "admin")


def _holder(connection: sa.Connection, digest: str, kinds: tuple[str, ...], now: datetime) -> Principal | None:
    credential, account = tables.credential, tables.account
    query = (
        sa.select(account.c.tenant, account.c.id, account.c.role)
        .join(account, sa.and_(account.c.tenant == credential.c.tenant, account.c.id == credential.c.account))
        .where(
            credential.c.sha256 == digest,
            credential.c.kind.in_(kinds),
            sa.or_(credential.c.expires_at.is_(None), credential.c.expires_at > now),
            account.c.disabled_at.is_(None),
        )
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else Principal(row.tenant, row.id, row.role)
