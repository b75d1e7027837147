"""Figures and days that `builtin/extractive` works out over documents of many trades, kind by kind, in four languages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import worked_out_dutch
import worked_out_english
import worked_out_french
import worked_out_german

from conftest import DOCUMENT, EVERY, World

LANGUAGES = (worked_out_english, worked_out_german, worked_out_dutch, worked_out_french)


@pytest.mark.parametrize(
    ("documents", "name", "question", "expected"),
    [
        pytest.param(texts.DOCUMENTS, name, *case, id=f"{name}-{case[0]}")
        for texts in LANGUAGES
        for name, cases in texts.CASES.items()
        for case in cases
    ],
)
async def test_the_figure_stands_in_the_answer(
    documents: dict[str, str], name: str, question: str, expected: str
) -> None:
    """Beside another document of the same language, whose figures are none of this question."""
    names = list(documents)
    other = names[(names.index(name) + 1) % len(names)]
    world = World([(name, documents[name]), (other, documents[other])])
    assert expected in await world.ask(question, tools=(*EVERY, DOCUMENT))
