"""`famulus eval`: asks a question set and shows how good the answers are, per class and language."""

from __future__ import annotations

from pathlib import Path

import click

from famulus.cli import common


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@common.kb_option
@common.docs_option
@common.model_option
@click.option("--failed", is_flag=True, help="Show the answers that are not right.")
@common.data_option
@common.json_option
@common.command
async def eval(
    file: Path,
    names: tuple[str, ...],
    docs: tuple[Path, ...],
    model: str | None,
    failed: bool,
    data: str | None,
    as_json: bool,
) -> int:
    """Measure answers on a question set (JSON Lines; the form is described in examples/README.md)."""
    from famulus.app.evaluation import Verdict, load_questions, measure, render, table
    from famulus.cli.meaning import wait_for_meaning
    from famulus.cli.scope import bases_for

    questions = load_questions(file)
    verdicts: list[Verdict] = []
    async with common.opened(common.settings_for(data)) as (famulus, owner):
        chosen = await bases_for(famulus, owner, names, docs, quiet=as_json)
        await wait_for_meaning(famulus, owner, chosen, quiet=as_json)
        async for verdict in measure(famulus, owner, questions, chosen, model=model):
            verdicts.append(verdict)
            if failed and not verdict.right and not as_json:
                click.echo(
                    f"{common.one_line(verdict.question.id, 60)}: {common.one_line(verdict.question.question, 200)}\n{common.printable(verdict.answer)}\n"
                )
    rows = table(verdicts)
    if as_json:
        common.print_json(
            {"rows": [row.json() for row in rows], "wrong": [v.question.id for v in verdicts if not v.right]}
        )
    else:
        click.echo(common.printable(render(rows)))
    return 0
