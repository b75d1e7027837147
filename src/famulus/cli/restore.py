"""`famulus restore`: a data folder from a backup."""

from __future__ import annotations

from pathlib import Path

import click

from famulus.cli import common


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@common.data_option
@common.command
async def restore(file: Path, data: str | None) -> None:
    """Make the data folder that --data names from a backup; it must be new or empty."""
    import asyncio

    from famulus.app.backup import read_backup

    settings = common.settings_for(data)
    await asyncio.to_thread(read_backup, file, settings.data)
    click.echo(f"Restored into {common.printable(str(settings.data))}.")
    common.tell("`famulus serve` starts a server on it.")
