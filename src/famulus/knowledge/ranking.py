"""One order out of what both legs found: the best hits with their absolute scores, without their passages. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from famulus.knowledge.index.hits import KeywordHits, VectorHits
from famulus.knowledge.score import Calibration, Evidence, keyword_scores, order, scores, vector_scores


@dataclass(frozen=True, slots=True)
class Rated:
    """A hit before its passage is read; the scores of the legs are None where the leg did not find it."""

    number: int
    score: float
    keyword_score: float | None
    vector_score: float | None


def best(near: VectorHits, words: KeywordHits, calibration: Calibration, k: int, threshold: float) -> tuple[Rated, ...]:
    """Up to `k` hits whose score reaches the threshold, best first."""
    evidence = _evidence(near, words)
    rows = order(evidence, calibration)
    if threshold > 0.0:
        rows = rows[scores(evidence, calibration)[rows] >= threshold]
    chosen = evidence[rows[: max(0, k)]]
    columns = (
        chosen.numbers.tolist(),
        scores(chosen, calibration).tolist(),
        chosen.keyword.tolist(),
        keyword_scores(chosen).tolist(),
        vector_scores(chosen, calibration).tolist(),
    )
    return tuple(
        Rated(number, round(score, 4), round(by_words, 4) if found else None, _known(by_vector))
        for number, score, found, by_words, by_vector in zip(*columns, strict=True)
    )


def _known(score: float) -> float | None:
    return round(score, 4) if score == score else None


def _evidence(near: VectorHits, words: KeywordHits) -> Evidence:
    """Everything known of every chunk that either leg found."""
    numbers = np.union1d(near.numbers, words.numbers)
    coverage, bm25 = np.zeros(len(numbers)), np.zeros(len(numbers))
    exact, keyword = np.zeros(len(numbers), np.bool_), np.zeros(len(numbers), np.bool_)
    cosine = np.full(len(numbers), np.nan)
    cosine[np.searchsorted(numbers, near.numbers)] = near.cosines
    at = np.searchsorted(numbers, words.numbers)
    coverage[at], bm25[at], exact[at], keyword[at] = words.coverage, words.scores, words.exact, True
    return Evidence(numbers, coverage, bm25, cosine, exact, keyword)
