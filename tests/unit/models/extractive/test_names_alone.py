"""A question about nothing but a name is answered by what is said of that name, not by what stands beside it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from conftest import World
from famulus.models.providers.extractive.phrases import is_refusal

OFFER = (
    "offer.html",
    "# Partner offer\n\nOrchard Cooperative, third edition, February 2026. Contact: Maeve Corrigan, orchard manager.",
)


@pytest.mark.parametrize("question", ["Who is Maeve Corrigan?", "Qui est Maeve Corrigan ?", "Wie is Maeve Corrigan?"])
async def test_who_somebody_is_takes_the_sentence_with_the_name(question: str) -> None:
    answer = await World([OFFER]).ask(question)
    assert "Contact: Maeve Corrigan, orchard manager. [1]" in answer
    assert "third edition" not in answer


async def test_a_name_that_no_sentence_has_is_refused() -> None:
    assert is_refusal(await World([OFFER]).ask("Who is Padraig Dunmore?"))
