"""How sure a sentence is as an answer, from what was measured of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Features:
    """What was measured of one sentence for one part, each in 0..1."""

    near: float
    inside: float
    solid: float
    kind: float
    misfit: float
    exact_misfit: float
    unfocused: float
    foreign: float
    own: float
    best: float
    first: float
    lead: float
    found: float
    words: float
    missing: float
    unknown: float
    elsewhere: float
    lexical: float
    density: float
    phrases: float
    row: float
    language: float
    brief: float
    unmarked: float
    meaning: float
    score: float
