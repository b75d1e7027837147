"""How close the meaning of sentences is to a question: asked for while a step is worked out, measured between two tries."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

# The cosine of each text with the question, in their order; raises FamulusError where it cannot be found.
Measure = Callable[[str, Sequence[str]], Awaitable[Sequence[float]]]


@dataclass(slots=True)
class Closeness:
    """What is known. Working out a step is one function of what was seen and waits for nothing: what it lacks it leaves in
    `wanted`, and is worked out again once that is known."""

    known: dict[tuple[str, str], float] = field(default_factory=lambda: dict[tuple[str, str], float]())
    wanted: dict[str, dict[str, None]] = field(default_factory=lambda: dict[str, dict[str, None]]())

    def of(self, question: str, texts: Sequence[str]) -> list[float] | None:
        """The cosine of each text; None, and the lacking ones wanted, until all are known."""
        lacking = [text for text in texts if (question, text) not in self.known]
        if lacking:
            self.wanted.setdefault(question, {}).update(dict.fromkeys(lacking))
            return None
        return [self.known[question, text] for text in texts]

    async def fill(self, measure: Measure) -> None:
        """Measures what is wanted."""
        wanted, self.wanted = self.wanted, {}
        for question, texts in wanted.items():
            cosines = await measure(question, list(texts))
            self.known |= {(question, text): cosine for text, cosine in zip(texts, cosines, strict=True)}
