"""`famulus backup`: the data folder in one file."""

from __future__ import annotations

from pathlib import Path

import click

from famulus.cli import common


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@common.data_option
@common.command
async def backup(file: Path, data: str | None) -> None:
    """Copy the data folder into one new FILE (.tar.gz); works while a server is running."""
    import asyncio

    from famulus.app.backup import write_backup
    from famulus.app.look import require_folder

    settings = common.settings_for(data)
    require_folder(settings)
    size = await asyncio.to_thread(write_backup, settings.data, file)
    click.echo(
        f"Wrote {common.printable(str(file))} ({size / 1_000_000:.1f} MB). It holds your documents and conversations: keep it safe."
    )
