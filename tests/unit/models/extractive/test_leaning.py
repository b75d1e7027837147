"""A sentence that points back (`This halves it`) is only said where what it points to is said too."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from conftest import World

KILN = ("manual.md", "# Cleaning the kiln\n\nFor heavy use, brush the kiln every evening and oil its hinges.")
MIXER = (
    "other.md",
    "# Cleaning the mixer\n\nEmpty the mixer. This makes heavy cleaning for the manual use rare.",
)


async def test_a_sentence_that_points_back_to_another_passage_is_left_out() -> None:
    answer = await World([KILN, MIXER]).ask("What does the manual say about cleaning the kiln for heavy use?")
    assert "brush the kiln every evening and oil its hinges. [1]" in answer
    assert "This makes" not in answer
