"""The answer as text: sentences of the documents with their numbers, what was computed from them, and the note on the model."""

from __future__ import annotations

from collections.abc import Sequence

from famulus.models.providers.extractive.calculation import Calculation, result_text
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.phrases import say
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.select import Chosen

_LONGEST = 600


def compose(plan: Plan, choices: Sequence[Chosen], lines: Sequence[str] = ()) -> str:
    """The whole answer; `lines` are what was computed. A refusal when no part has anything."""
    answered = [choice for choice in choices if choice.answered]
    if not answered:
        return with_note(say("refusal", plan.language), plan.language)
    several = sum(len(choice.picks) for choice in answered) + len(choices) > 2
    said: set[tuple[int, int]] = set()
    found: list[str] = []
    for choice in choices:
        if not choice.answered:
            found.append(say("partly", plan.language, part=choice.part.text.strip(" ?")))
            continue
        for pick in choice.picks:
            place = (pick.seen.n, pick.unit.place)
            if place not in said:
                said.add(place)
                found.append(("- " if several else "") + quote(pick))
    return with_note("\n".join([*found, *(f"\n{line}" for line in lines)]), plan.language)


def quote(pick: Scored) -> str:
    """The sentence as it stands, with its number."""
    text = pick.unit.text
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 1].rsplit(" ", 1)[0] + "…"
    return f"{text} [{pick.seen.n}]"


def computed_line(calculation: Calculation, result: str, language: str) -> str:
    """What was computed, with the numbers of the passages whose figures went in."""
    values = dict(calculation.values) | {
        "calculation": calculation.shown,
        "result": result_text(result, calculation.unit, language),
    }
    marks = "".join(f"[{n}]" for n in calculation.numbers)
    return f"{say(calculation.phrase, language, **values)} {marks}"


def with_note(text: str, language: str) -> str:
    return f"{text}\n\n{say('note', language)}"
