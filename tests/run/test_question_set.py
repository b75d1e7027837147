"""`builtin/extractive` over the shipped question set, on the whole stack: documents in, runs out, answers judged."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from famulus.app.build import build
from famulus.app.evaluation import Verdict, load_questions, measure, render, table
from famulus.cli.intake import take_in
from famulus.config import load_settings

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


async def verdicts(folder: Path) -> Sequence[Verdict]:
    settings = load_settings(folder, environ={"FAMULUS_EMBEDDING__MODEL": "off"})
    async with build(settings) as famulus:
        owner = (await famulus.accounts.ensure_owner(None))[0]
        base = await famulus.knowledge_bases.find_or_create(owner, "office")
        await take_in(famulus, owner, base.id, [EXAMPLES / "office"], quiet=True)
        questions = load_questions(EXAMPLES / "questions.jsonl")
        return [verdict async for verdict in measure(famulus, owner, questions, (base.id,))]


@pytest.mark.timeout(600 if os.environ.get("CI") else 300)
async def test_question_set_is_answered_with_the_right_passages(tmp_path: Path) -> None:
    """With keyword search alone; vectors only add to it (`famulus eval` measures both)."""
    rows = {row.name: row for row in table(await verdicts(tmp_path / "data"))}
    everything = rows["all"]
    shown = render(list(rows.values()))
    assert everything.cited is not None
    assert everything.keywords is not None
    assert everything.refused is not None
    assert everything.cited >= 0.90, shown
    assert everything.keywords >= 0.80, shown
    assert everything.refused >= 0.85, shown
    assert everything.invented == 0
