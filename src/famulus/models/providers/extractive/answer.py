"""The answer as text: sentences of the documents with their numbers, what was computed from them, and the note on the model."""

from __future__ import annotations

from collections.abc import Sequence

from famulus.models.providers.extractive.figures import Calculation
from famulus.models.providers.extractive.judge import Scored
from famulus.models.providers.extractive.phrases import say
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.select import Chosen

_LONGEST = 600
# Of the rows of a whole table only the first are written out.
MOST_SOURCES = 4


def compose(plan: Plan, choices: Sequence[Chosen], lines: Sequence[str] = (), sources: Sequence[Scored] = ()) -> str:
    """The whole answer; `lines` are what was computed, `sources` lent figures for it. A refusal when no part has anything."""
    answered = [choice for choice in choices if choice.answered]
    if not answered and not sources:
        return with_bare_note(say("refusal", plan.language), plan.language)
    quoted = {(pick.seen.n, pick.unit.place) for choice in answered for pick in choice.picks}
    further = [source for source in sources if (source.seen.n, source.unit.place) not in quoted][:MOST_SOURCES]
    several = sum(len(choice.picks) for choice in answered) + len(further) + len(choices) > 2
    said: set[tuple[int, int]] = set()
    found: list[str] = []
    for choice in choices:
        if not choice.answered:
            if further and len(choices) == 1:
                continue
            found.append(say("partly", plan.language, part=choice.part.text.strip(" ?")))
            continue
        for pick in choice.picks:
            place = (pick.seen.n, pick.unit.place)
            if place not in said:
                said.add(place)
                found.append(("- " if several else "") + quote(pick))
    found += [("- " if several else "") + quote(source) for source in further]
    return with_note("\n".join([*found, *(f"\n{line}" for line in lines)]), plan.language)


def quote(pick: Scored) -> str:
    """The sentence as it stands, with its number."""
    text = pick.unit.text
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 1].rsplit(" ", 1)[0] + "…"
    return f"{text} [{pick.seen.n}]"


def computed_line(calculation: Calculation, spoken: str) -> str:
    """What was computed, with the numbers of the passages whose figures went in."""
    marks = "".join(f"[{n}]" for n in calculation.numbers)
    return f"{spoken} {marks}".strip()


def with_note(text: str, language: str) -> str:
    """With what the answer consists of, and how to connect a model."""
    return f"{text}\n\n{say('note', language)}"


def with_bare_note(text: str, language: str) -> str:
    """As `with_note`, where no sentence of a document is given."""
    return f"{text}\n\n{say('bare_note', language)}"
