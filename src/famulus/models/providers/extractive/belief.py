"""How far the best sentences and rows are to be believed: one probability of what the rules found and how close the meaning is.

A logistic regression over the best of each judgement. Fitted on 970 questions in four languages over the documents of twelve
invented organisations, 147 of them without an answer, and each answered one once more with its passage taken away; what it gains
on questions it never saw: docs/decisions/belief-in-a-sentence.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from famulus.models.providers.extractive.closeness import Closeness
from famulus.models.providers.extractive.evidence import Evidence
from famulus.models.providers.extractive.plan import Part
from famulus.models.providers.extractive.scored import KIND_ENOUGH, Scored

# Of so many the meaning is measured: the answer is hardly ever further down.
MEASURED: Final = 12
# What a cosine is worth in the order, where scores differ by some .1 and cosines by some .03.
WORTH: Final = 3.0
_WEIGHTS: Final = {
    "solid": 1.6346,
    "kind": 1.5390,
    "other_kind": -1.6617,
    "foreign": 1.5248,
    "lacks_mark": -2.1870,
    "lacks_focus": -0.5527,
    "missing": 0.6407,
    "score_lead": 5.0027,
    "credits": 0.8677,
    "rank": -0.5981,
    "close": 14.6657,
    "closest": 4.8854,
    "close_lead": 18.7711,
    "cells": 0.6144,
}
_BIAS: Final = -20.8864
# Passages that no search found, but that were read, count as this.
_LAST_RANK: Final = 8
_LONGEST: Final = 600


def believed(evidence: Evidence, part: Part, ranked: list[Scored]) -> list[Scored]:
    """`ranked` with the best ordered anew by meaning too, and a belief in each of them; as it is while their meaning is not known."""
    top, rest = ranked[:MEASURED], ranked[MEASURED:]
    if not evidence.by_meaning or len(top) < 2 or evidence.closeness is None:
        return ranked
    close = _close(evidence.closeness, part, top)
    if close is None:
        return ranked
    content = sum(term.kind != "light" for term in part.terms)
    items = [
        (item.score + WORTH * close[index], replace(item, belief=_belief(top, close, index, content)))
        for index, item in enumerate(top)
    ]
    return [item for _, item in sorted(items, key=lambda pair: -pair[0])] + rest


def _close(closeness: Closeness, part: Part, top: Sequence[Scored]) -> list[float] | None:
    # Under its headings, for a sentence out of its chapter is often about "it".
    return closeness.of(part.text, [" . ".join((*item.unit.headings, item.unit.text[:_LONGEST])) for item in top])


def _belief(top: Sequence[Scored], close: Sequence[float], index: int, content: int) -> float:
    """0 to 1. `content` is how many terms of the question are not light words."""
    item = top[index]
    others = [other.score for number, other in enumerate(top) if number != index]
    rest = [value for number, value in enumerate(close) if number != index]
    features = {
        "solid": item.solid,
        "kind": item.kind,
        "other_kind": item.kind < KIND_ENOUGH and item.strict,
        "foreign": item.foreign,
        "lacks_mark": item.lacks_mark,
        "lacks_focus": item.lacks_focus,
        "missing": len(item.missing) / max(1, content),
        "score_lead": item.score - max(others),
        "credits": sum(item.credits.values()) / max(1, len(item.credits)),
        "rank": min(item.seen.rank, _LAST_RANK),
        "close": close[index],
        "closest": max(close),
        "close_lead": close[index] - sum(rest) / len(rest),
        "cells": bool(item.unit.cells),
    }
    return 1 / (1 + math.exp(-_BIAS - sum(_WEIGHTS[name] * value for name, value in features.items())))
