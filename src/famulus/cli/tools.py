"""`famulus tools`: which tools a run may use."""

from __future__ import annotations

import click

from famulus.cli import common


@click.command()
@common.data_option
@common.json_option
@common.command
async def tools(data: str | None, as_json: bool) -> None:
    """Which tools a run may use."""
    async with common.opened(common.settings_for(data), worker=False) as (famulus, owner):
        found = famulus.tools(owner)
    if as_json:
        common.print_json({"items": [tool.json() for tool in found]})
        return
    for tool in found:
        marks = ", ".join([tool.effect, *(["leaves this machine"] if tool.network else [])])
        click.echo(f"{common.one_line(tool.name, 80)}  ({marks})")
        click.echo(f"    {common.one_line(tool.description, 200)}")
