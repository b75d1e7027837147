"""A sentence that points back (`This halves it`) is only said where what it points to is said too."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from conftest import World

SETS = {
    "en": (
        "What does the manual say about cleaning the kiln for heavy use?",
        [
            ("manual.md", "# Cleaning the kiln\n\nFor heavy use, brush the kiln every evening and oil its hinges."),
            ("other.md", "# Cleaning the mixer\n\nEmpty the mixer. This makes heavy cleaning for the manual use rare."),
        ],
        "This makes",
    ),
    "de": (
        "Was sagt das Handbuch über die Reinigung des Ofens bei starker Nutzung?",
        [
            ("handbuch.md", "# Reinigung des Ofens\n\nBei starker Nutzung wird der Ofen jeden Abend gebürstet."),
            (
                "anderes.md",
                "# Mischer\n\nEr wird geleert. Dies macht die Reinigung des Ofens bei starker Nutzung leicht.",
            ),
        ],
        "Dies macht",
    ),
}


@pytest.mark.parametrize("language", SETS)
async def test_a_sentence_that_points_back_to_another_passage_is_left_out(language: str) -> None:
    question, passages, pointing = SETS[language]
    answer = await World(passages).ask(question)
    assert "[1]" in answer
    assert pointing not in answer
