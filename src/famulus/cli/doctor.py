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
    async with common.opened(settings, worker=False) as (famulus, _):
        health = await famulus.health()
    if as_json:
        checks = {name: {"status": check.status, "detail": check.detail} for name, check in health.checks.items()}
        common.print_json(
            {"status": health.status, "version": health.version, "data": str(settings.data), "checks": checks}
        )
    else:
        click.echo(f"famulus {health.version}, data in {common.printable(str(settings.data))}")
        for name, check in health.checks.items():
            click.echo(f"  {check.status:7} {name}: {common.one_line(check.detail)}")
    return 0 if health.status == "ok" else common.FAILED
