"""`famulus search`: retrieval alone, without a model."""

from __future__ import annotations

import dataclasses
from typing import Final

import click

from famulus.cli import common

_NEXT: Final = {"vectors_pending": " `famulus serve` prepares it."}


@click.command()
@click.argument("query")
@common.kb_option
@click.option("-k", "count", type=click.IntRange(1, 100), default=5, show_default=True, help="How many hits at most.")
@click.option(
    "--mode",
    type=click.Choice(["hybrid", "keyword", "vector"]),
    default="hybrid",
    show_default=True,
    help="Search by words (keyword), by meaning (vector), or by both (hybrid).",
)
@common.data_option
@common.json_option
@common.command
async def search(query: str, names: tuple[str, ...], count: int, mode: str, data: str | None, as_json: bool) -> int:
    """Search the documents without a model."""
    from famulus.cli.scope import bases_for, tell_if_empty
    from famulus.knowledge.base import SearchQuery
    from famulus.messages.notices import notice_text

    async with common.opened(common.settings_for(data), worker=False, new=False) as (famulus, owner):
        chosen = await bases_for(famulus, owner, names, (), quiet=True)
        wanted = "keyword" if mode == "keyword" else "vector" if mode == "vector" else "hybrid"
        result = await famulus.search(owner, SearchQuery(query, k=count, mode=wanted), chosen)
        if not result.hits and not as_json:
            await tell_if_empty(famulus, owner)
    if as_json:
        hits = [
            {**dataclasses.asdict(hit.passage), "keyword_score": hit.keyword_score, "vector_score": hit.vector_score}
            for hit in result.hits
        ]
        common.print_json(
            {
                "hits": hits,
                "used_modes": list(result.used_modes),
                "took_ms": result.took_ms,
                "notices": list(result.notices),
            }
        )
        return 0
    for hit in result.hits:
        passage = hit.passage
        place = f", page {passage.page}" if passage.page else ""
        place += f", {' › '.join(passage.section)}" if passage.section else ""
        click.echo(f"{hit.passage.score:.2f}  {common.one_line(passage.document_name + place)}")
        click.echo(f"      {common.one_line(passage.text, 200)}")
    if not result.hits:
        click.echo("Nothing was found.")
    for notice in result.notices:
        common.tell(notice_text(notice) + _NEXT.get(notice, ""))
    click.echo(f"{', '.join(result.used_modes)} in {result.took_ms:.0f} ms", err=True)
    return 0
