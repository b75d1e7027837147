"""`famulus token`: API tokens and sign-in links."""

from __future__ import annotations

import click

from famulus.cli import common


@click.group()
def token() -> None:
    """Make and revoke API tokens and sign-in links."""


@token.command("create")
@click.argument("name")
@click.option("--days", type=click.IntRange(1, 3650), help="How long it is valid; for ever when not given.")
@common.data_option
@common.command
async def create_token(name: str, days: int | None, data: str | None) -> None:
    """Make an API token and print it, alone on the line; it cannot be shown again. NAME says what it is for."""
    async with common.looking(common.settings_for(data)) as (found, owner):
        _, secret = await found.accounts.issue_token(owner, name, days)
    click.echo(secret)


@token.command("list")
@common.data_option
@common.command
async def list_tokens(data: str | None) -> None:
    """The API tokens, without their secrets."""
    async with common.looking(common.settings_for(data)) as (found, owner):
        tokens = await found.accounts.tokens(owner)
    if not tokens:
        common.tell("There is no token yet; `famulus token create NAME` makes one.")
    for item in tokens:
        until = f"until {item.expires_at:%Y-%m-%d}" if item.expires_at else "for ever"
        click.echo(f"{item.id}  {common.one_line(item.name, 60)}  since {item.created_at:%Y-%m-%d}, {until}")


@token.command("revoke")
@click.argument("token_id", metavar="ID")
@common.data_option
@common.command
async def revoke_token(token_id: str, data: str | None) -> None:
    """Revoke an API token; it is dead at once. `token list` shows the IDs."""
    async with common.looking(common.settings_for(data)) as (found, owner):
        await found.accounts.revoke_token(owner, token_id)
    click.echo("Revoked.")


@token.command("signin")
@common.data_option
@common.command
async def signin_link(data: str | None) -> None:
    """Make a sign-in link for a browser; it works once."""
    settings = common.settings_for(data)
    async with common.looking(settings) as (found, owner):
        secret = await found.accounts.issue_signin(owner)
    address = found.address or f"http://{common.shown_host(settings.server.host)}:{settings.server.port}"
    click.echo(f"{address}/signin?token={secret}")
    if found.address is None and settings.database_url is None:
        common.tell("No server runs on this data folder, so nobody answers there yet: start `famulus serve`.")
