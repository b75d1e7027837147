"""`famulus eval`: asks a question set and shows how good the answers are, per class and language."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from famulus.cli import common

if TYPE_CHECKING:
    from famulus.app.evaluation import Verdict


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
    """Measure answers on your own questions: which are right, by class and by language.

    FILE holds one question a line, as JSON:

    \b
    {"id": "1", "language": "en", "class": "single", "answerable": true,
     "question": "What is the notice period?",
     "expect": [{"document": "lease.pdf", "passage": "twelve months"}],
     "keywords": [["twelve", "12"]]}

    `expect` names what must be cited, word for word; of each list of `keywords` one must be in the answer. A question that the
    documents do not answer has "answerable": false and neither of the two. Each one must stand on one line.
    """
    from famulus.app.evaluation import load_questions, measure, render, table
    from famulus.cli.meaning import wait_for_meaning
    from famulus.cli.progress import Progress
    from famulus.cli.scope import bases_for

    questions = load_questions(file)
    verdicts: list[Verdict] = []
    async with common.opened(common.settings_for(data)) as (famulus, owner):
        chosen = await bases_for(famulus, owner, names, docs, quiet=as_json)
        await wait_for_meaning(famulus, owner, chosen, quiet=as_json)
        progress = Progress(shown=not as_json)
        progress.show(_asked(verdicts, len(questions)))
        async for verdict in measure(famulus, owner, questions, chosen, model=model):
            verdicts.append(verdict)
            if failed and not verdict.right and not as_json:
                progress.clear()
                click.echo(_shown(verdict))
            progress.show(_asked(verdicts, len(questions)))
        progress.clear()
    rows = table(verdicts)
    if as_json:
        common.print_json(
            {"rows": [row.json() for row in rows], "wrong": [v.question.id for v in verdicts if not v.right]}
        )
    else:
        click.echo(common.printable(render(rows)))
    return 0


def _asked(verdicts: list[Verdict], of: int) -> str:
    right = sum(verdict.right for verdict in verdicts)
    return f"  asked {len(verdicts)} of {of} questions, {right} right"


def _shown(verdict: Verdict) -> str:
    question = verdict.question
    name = common.one_line(question.id, 60)
    return f"{name}: {common.one_line(question.question, 200)}\n{common.printable(verdict.answer)}\n"
