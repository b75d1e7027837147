"""The answer as text: sentences of the documents with their numbers, what was computed from them, and the note on the model."""

from __future__ import annotations

from collections.abc import Sequence

from famulus.models.providers.extractive.compute import Computed
from famulus.models.providers.extractive.evidence import Scored
from famulus.models.providers.extractive.phrases import say
from famulus.models.providers.extractive.plan import Plan
from famulus.models.providers.extractive.select import Chosen

_LONGEST = 600


def compose(plan: Plan, choices: Sequence[Chosen], computed: Sequence[Computed]) -> str:
    """The whole answer; a refusal when no part has anything."""
    answered = [choice for choice in choices if choice.answered]
    if not answered:
        return with_note(say("refusal", plan.language), plan.language)
    several = sum(len(choice.picks) for choice in answered) + len(choices) > 2
    lines = [line.text for line in computed if line.first]
    said: set[tuple[int, int]] = set()
    for choice in choices:
        if not choice.answered:
            lines.append(say("partly", plan.language, part=choice.part.text.strip(" ?")))
            continue
        for pick in choice.picks:
            place = (pick.seen.n, pick.unit.place)
            if place not in said:
                said.add(place)
                lines.append(("- " if several else "") + quote(pick))
    lines += [line.text for line in computed if not line.first]
    return with_note("\n".join(lines), plan.language)


def quote(pick: Scored) -> str:
    """The sentence with its number; a row says first which row it is; a bare label brings its heading along."""
    text = pick.unit.text
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 1].rsplit(" ", 1)[0] + "…"
    return f"{text} [{pick.seen.n}]"


def with_note(text: str, language: str) -> str:
    return f"{text}\n\n{say('note', language)}"
