"""`famulus kb`: look at and remove knowledge bases."""

from __future__ import annotations

import dataclasses

import click

from famulus.cli import common


@click.group()
def kb() -> None:
    """Look at and remove knowledge bases."""


@kb.command("list")
@common.data_option
@common.json_option
@common.command
async def list_bases(data: str | None, as_json: bool) -> None:
    """All knowledge bases."""
    async with common.looking(common.settings_for(data)) as (found, owner):
        bases = await found.knowledge_bases.list(owner)
    if as_json:
        common.print_json({"items": [dataclasses.asdict(base) for base in bases]})
        return
    if not bases:
        common.tell("There is no knowledge base yet; `famulus add PATH` puts documents into one.")
    for base in bases:
        counts = f"{base.document_count} documents, {base.fact_count} facts"
        click.echo(f"{base.id}  {common.one_line(base.name, 80)}  ({counts})")


@kb.command("show")
@click.argument("name")
@common.data_option
@common.json_option
@common.command
async def show_base(name: str, data: str | None, as_json: bool) -> None:
    """One knowledge base, by its name or id, and its documents."""
    async with common.looking(common.settings_for(data)) as (found, owner):
        base = await common.base_named(found.knowledge_bases, owner, name)
        documents = await found.documents(owner, base.id)
    if as_json:
        items = [dataclasses.asdict(document) for document in documents]
        common.print_json({**dataclasses.asdict(base), "documents": items})
        return
    click.echo(f"{common.printable(base.name)}: {base.document_count} documents, {base.fact_count} facts")
    for document in documents:
        click.echo(f"  {document.id}  {document.status:10}  {common.one_line(document.path, 100)}")


@kb.command("rm")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@common.data_option
@common.command
async def remove_base(name: str, yes: bool, data: str | None) -> None:
    """Delete a knowledge base, by its name or id, with all its documents and facts."""
    async with common.opened(common.settings_for(data), worker=False, new=False) as (famulus, owner):
        base = await common.base_named(famulus.knowledge_bases, owner, name)
        if not yes:
            click.confirm(f"Delete {common.printable(base.name)!r} with {base.document_count} documents?", abort=True)
        await famulus.knowledge_bases.delete(owner, base.id)
    click.echo("Deleted.")
