"""`famulus runs`: look at runs."""

from __future__ import annotations

import click

from famulus.cli import common


@click.group()
def runs() -> None:
    """Look at runs."""


@runs.command("list")
@click.option("-n", "count", type=click.IntRange(1, 1000), default=20, show_default=True, help="How many runs at most.")
@common.data_option
@common.json_option
@common.command
async def list_runs(count: int, data: str | None, as_json: bool) -> None:
    """The newest runs."""
    async with common.looking(common.settings_for(data)) as (found, owner), found.runs() as records:
        views = await records.list(owner, limit=count)
    if as_json:
        common.print_json({"items": [view.json() for view in views]})
        return
    if not views:
        common.tell("There is no run yet; `famulus ask QUESTION` makes one.")
    for view in views:
        click.echo(
            f"{view.id}  {view.status:12}  {view.created_at:%Y-%m-%d %H:%M}  {common.one_line(view.question, 80)}"
        )


@runs.command("show")
@click.argument("run_id", metavar="ID")
@common.data_option
@common.json_option
@common.command
async def show_run(run_id: str, data: str | None, as_json: bool) -> int:
    """One run: its steps, answer and sources."""
    async with common.looking(common.settings_for(data)) as (found, owner), found.runs() as records:
        if as_json:
            view = await records.get(owner, run_id)
            events = list(await records.events(owner, run_id))
            common.print_json(
                {
                    **view.json(),
                    "events": [{"seq": e.seq, "type": e.type, "time": e.time, "data": e.data} for e in events],
                }
            )
            return 0
        from famulus.cli.trace import Trace

        await Trace(records, owner).show(run_id)
    return 0
