"""One order out of what both legs found: the best hits with their absolute scores, without their passages. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from famulus.knowledge.index.hits import KeywordHits, VectorHits, Words
from famulus.knowledge.score import Calibration, Evidence, order, scores


@dataclass(frozen=True, slots=True)
class Rated:
    """A hit before its passage is read; the scores of the legs are None where the leg did not find it."""

    number: int
    score: float
    keyword_score: float | None
    vector_score: float | None


def evidence_of(near: VectorHits, of_near: Words, found: KeywordHits) -> Evidence:
    """What is known of the nearest chunks, and behind them of those found by words alone."""
    known = set(near.numbers.tolist())
    others = [at for at, number in enumerate(found.numbers.tolist()) if number not in known]
    evidence = Evidence(
        near.numbers,
        of_near.coverage.astype(np.float64),
        of_near.scores.astype(np.float64),
        near.cosines.astype(np.float64),
        of_near.exact,
        of_near.found,
    )
    return evidence + evidence_of_words(found)[np.array(others)] if others else evidence


def evidence_of_words(found: KeywordHits) -> Evidence:
    """What is known where no vector is."""
    return Evidence(
        found.numbers,
        found.coverage.astype(np.float64),
        found.scores.astype(np.float64),
        np.full(len(found), np.nan),
        found.exact,
        np.ones(len(found), np.bool_),
    )


def best(evidence: Evidence, calibration: Calibration, k: int, threshold: float) -> tuple[Rated, ...]:
    """Up to `k` hits whose score reaches the threshold, best first."""
    rows = order(evidence, calibration)
    if threshold > 0.0:
        rows = rows[scores(evidence, calibration)[0][rows] >= threshold]
    chosen = evidence[rows[: max(0, k)]]
    columns = (values.tolist() for values in (chosen.numbers, chosen.keyword, *scores(chosen, calibration)))
    return tuple(
        Rated(number, round(score, 4), round(by_words, 4) if found else None, _known(by_vector))
        for number, found, score, by_words, by_vector in zip(*columns, strict=True)
    )


def _known(score: float) -> float | None:
    return round(score, 4) if score == score else None
