"""`famulus add`: files and folders into a knowledge base, with progress."""

from __future__ import annotations

from pathlib import Path

import click

from famulus.cli import common
from famulus.cli.curl import DEFAULT_BASE as DEFAULT


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="PATH...")
@click.option(
    "--kb",
    "name",
    metavar="NAME",
    help=f"The knowledge base, by its name or id (default: {DEFAULT}); it is made when there is none of that name.",
)
@common.data_option
@common.json_option
@common.command
async def add(paths: tuple[Path, ...], name: str | None, data: str | None, as_json: bool) -> int:
    """Put files or folders into a knowledge base. Unchanged files are left as they are."""
    from famulus.cli.intake import take_in
    from famulus.cli.meaning import wait_for_meaning
    from famulus.errors import NotFound

    async with common.opened(common.settings_for(data)) as (famulus, owner):
        try:
            base = await common.base_named(famulus.knowledge_bases, owner, name or DEFAULT)
        except NotFound:
            base = await famulus.knowledge_bases.find_or_create(owner, name or DEFAULT)
        taken = await take_in(famulus, owner, base.id, paths, quiet=as_json)
        await wait_for_meaning(famulus, owner, (base.id,), quiet=as_json)
    if as_json:
        common.print_json({"knowledge_base_id": base.id, "items": taken.items})
    elif not taken.items:
        click.echo("There is no file in what was named; hidden ones are left out.")
    else:
        click.echo(f"{taken.summary} in {common.printable(base.name)!r}.")
    return common.FAILED if taken.failed else 0
