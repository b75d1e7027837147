"""`famulus doc`: look at and remove documents."""

from __future__ import annotations

import dataclasses

import click

from famulus.cli import common, hints


@click.group()
def doc() -> None:
    """Look at and remove documents."""


@doc.command("list")
@click.option("--kb", "name", metavar="NAME", help="Of this knowledge base only, by its name or id.")
@common.data_option
@common.json_option
@common.command
async def list_documents(name: str | None, data: str | None, as_json: bool) -> None:
    """Documents: their ids, how far each is, and why one failed."""
    async with common.looking(common.settings_for(data)) as (found, owner):
        bases = (
            [await common.base_named(found.knowledge_bases, owner, name)]
            if name
            else await found.knowledge_bases.list(owner)
        )
        documents = [document for base in bases for document in await found.documents(owner, base.id)]
    if as_json:
        common.print_json({"items": [dataclasses.asdict(document) for document in documents]})
        return
    if not documents:
        common.tell(
            f"There is no document yet; {hints.written('add', 'PATH', *(['--kb', name] if name else []))} puts some in."
        )
    for document in documents:
        click.echo(
            f"{document.id}  {document.status:10}  {document.chunk_count:5} passages  {common.one_line(document.path, 100)}"
        )
        if document.error:
            click.echo(f"    {common.one_line(document.error, 200)}")


@doc.command("rm")
@click.argument("document_id", metavar="ID")
@common.data_option
@common.command
async def remove_document(document_id: str, data: str | None) -> None:
    """Delete a document, its passages and its bytes; `doc list` shows the IDs."""
    async with common.opened(common.settings_for(data), worker=False, new=False) as (famulus, owner):
        await famulus.documents.delete(owner, document_id)
    click.echo("Deleted.")
