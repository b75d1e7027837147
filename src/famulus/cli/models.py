"""`famulus models`: which models can be used."""

from __future__ import annotations

import dataclasses

import click

from famulus.cli import common


@click.command()
@common.data_option
@common.json_option
@common.command
async def models(data: str | None, as_json: bool) -> None:
    """Which models can be used; a star marks the default. Each provider is asked."""
    from famulus.app.model_check import listed_models

    listing = await listed_models(common.settings_for(data))
    if as_json:
        common.print_json({"items": [dataclasses.asdict(item) for item in listing.items], "default": listing.default})
        return
    from famulus.app.models import tools_in_words

    for item in listing.items:
        mark = "*" if item.name == listing.default else " "
        tools = tools_in_words(item.tools)
        window = f"{item.context_window:,} tokens" if item.context_window else "window unknown"
        place = "stays here" if item.local else "leaves this machine"
        click.echo(f"{mark} {common.one_line(item.name, 80)}  ({tools}, {window}, {place})")
        if item.detail:
            click.echo(f"    {common.one_line(item.detail, 200)}")
