"""`famulus ask`: one run in this process, its steps as they happen, the answer, its numbered sources."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from famulus.cli import common

_FOR_MEANING_S: Final = 60.0


@click.command()
@click.argument("question")
@common.kb_option
@common.docs_option
@common.model_option
@click.option(
    "--allow-web", is_flag=True, help="Allow web search in this run; what is searched for leaves this machine."
)
@click.option(
    "--max-rounds",
    type=click.IntRange(1, 100),
    help="Rounds of tool calls before the model must answer (default: agent.max_rounds of the settings).",
)
@common.data_option
@common.json_option
@common.command
async def ask(
    question: str,
    names: tuple[str, ...],
    docs: tuple[Path, ...],
    model: str | None,
    allow_web: bool,
    max_rounds: int | None,
    data: str | None,
    as_json: bool,
) -> int:
    """Ask a question; the answer cites its sources."""
    from famulus.app.runs import RunOrder
    from famulus.cli.meaning import wait_for_meaning
    from famulus.cli.scope import bases_for, tell_if_empty
    from famulus.cli.trace import Trace

    async with common.opened(common.settings_for(data)) as (famulus, owner):
        chosen = await bases_for(famulus, owner, names, docs, quiet=as_json)
        if not as_json:
            await tell_if_empty(famulus, owner)
        order = RunOrder(
            message=question,
            model=model,
            knowledge_base_ids=chosen,
            allow_web=allow_web,
            max_rounds=max_rounds,
            zone=common.local_zone(),
        )
        # On the shell nobody else prepares it: without the wait each first question would be answered by words alone.
        await wait_for_meaning(famulus, owner, chosen, longest_s=_FOR_MEANING_S, quiet=as_json)
        run_id = await famulus.runs.create(owner, order)
        view = await Trace(famulus.runs, owner, shown=not as_json).follow(run_id)
    if as_json:
        common.print_json(view.json())
    return common.exit_code(view)
