"""`famulus doctor`: checks the installation and says what to do about what is wrong."""

from __future__ import annotations

import click

from famulus.cli import common


@click.command()
@common.data_option
@common.json_option
@common.command
async def doctor(data: str | None, as_json: bool) -> int:
    """Check the installation."""
    settings = common.settings_for(data)
    async with common.looking(settings) as (found, _):
        health, address = await found.health(), found.address
    if as_json:
        checks = {name: {"status": check.status, "detail": check.detail} for name, check in health.checks.items()}
        told = {"status": health.status, "version": health.version, "data": str(settings.data), "server": address}
        common.print_json({**told, "checks": checks})
    else:
        click.echo(f"famulus {health.version}, data in {common.printable(str(settings.data))}")
        if address is not None:
            click.echo(f"  ok      server: answers at {common.printable(address)}")
        for name, check in health.checks.items():
            click.echo(f"  {check.status:7} {name}: {common.one_line(check.detail)}")
    return 0 if health.status == "ok" else common.FAILED
