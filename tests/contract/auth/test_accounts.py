"""Accounts on both databases: credentials that work once, end, and belong to one person."""

from contextlib import suppress

import anyio
import pytest

from famulus.auth.accounts import Accounts
from famulus.errors import Invalid, NotFound, Unauthenticated
from famulus.store.database import Database
from famulus.testing.clock import FakeClock

ADMIN_TOKEN = "a" * 40


async def test_first_start_makes_one_owner_and_takes_the_admin_token_once(database: Database) -> None:
    accounts = Accounts(database)
    owner, first = await accounts.ensure_owner(ADMIN_TOKEN)
    again, second = await accounts.ensure_owner("b" * 40)
    assert (first, second, again) == (True, False, owner)
    assert await accounts.authenticate(ADMIN_TOKEN) == owner
    with pytest.raises(Unauthenticated):
        await accounts.authenticate("b" * 40)


async def test_token_works_until_it_is_revoked(database: Database) -> None:
    accounts = Accounts(database)
    owner, _ = await accounts.ensure_owner()
    with pytest.raises(Invalid, match="name"):
        await accounts.issue_token(owner, "  ")
    credential, secret = await accounts.issue_token(owner, "laptop")
    assert await accounts.authenticate(secret) == owner
    await accounts.revoke_token(owner, credential.id)
    with pytest.raises(Unauthenticated):
        await accounts.authenticate(secret)


async def test_token_of_another_person_cannot_be_revoked(database: Database) -> None:
    accounts = Accounts(database)
    owner, _ = await accounts.ensure_owner()
    other = await accounts.create_account("elsewhere", "other", "admin")
    credential, _ = await accounts.issue_token(owner, "laptop")
    with pytest.raises(NotFound):
        await accounts.revoke_token(other, credential.id)
    assert await accounts.tokens(other) == []


async def test_signin_link_works_once_even_when_opened_ten_times_at_once(database: Database) -> None:
    accounts = Accounts(database)
    owner, _ = await accounts.ensure_owner()
    secret, sessions = await accounts.issue_signin(owner), list[str]()

    async def open_link() -> None:
        with suppress(Unauthenticated):
            sessions.append(await accounts.redeem_signin(secret))

    async with anyio.create_task_group() as group:
        for _ in range(10):
            group.start_soon(open_link)
    assert len(sessions) == 1
    assert await accounts.authenticate(sessions[0]) == owner


async def test_credentials_end_by_time_and_by_signing_out(database: Database) -> None:
    clock = FakeClock()
    accounts = Accounts(database, session_days=1, clock=clock)
    owner, _ = await accounts.ensure_owner(ADMIN_TOKEN)
    short = (await accounts.issue_token(owner, "short", days=1))[1]
    session = await accounts.open_session(ADMIN_TOKEN)
    link = await accounts.issue_signin(owner)
    clock.advance(86_401)
    for secret in (short, session):
        with pytest.raises(Unauthenticated):
            await accounts.authenticate(secret)
    with pytest.raises(Unauthenticated):
        await accounts.redeem_signin(link)
    session = await accounts.open_session(ADMIN_TOKEN)
    await accounts.close_session(session)
    with pytest.raises(Unauthenticated):
        await accounts.authenticate(session)


async def test_link_is_no_token_and_session_opens_no_session(database: Database) -> None:
    accounts = Accounts(database)
    owner, _ = await accounts.ensure_owner(ADMIN_TOKEN)
    link = await accounts.issue_signin(owner)
    with pytest.raises(Unauthenticated):
        await accounts.authenticate(link)
    with pytest.raises(Unauthenticated):
        await accounts.open_session(await accounts.open_session(ADMIN_TOKEN))
    with pytest.raises(Unauthenticated):
        await accounts.redeem_signin(ADMIN_TOKEN)
    assert await accounts.authenticate(ADMIN_TOKEN) == owner
