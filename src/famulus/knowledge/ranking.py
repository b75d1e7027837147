"""One order out of what both legs found: the best hits with their absolute scores, without their passages. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from famulus.knowledge.index.hits import KeywordHits, VectorHits
from famulus.knowledge.score import Calibration, Evidence, order, scores


@dataclass(frozen=True, slots=True)
class Rated:
    """A hit before its passage is read; the scores of the legs are None where the leg did not find it."""

    number: int
    score: float
    keyword_score: float | None
    vector_score: float | None


def best(near: VectorHits, words: KeywordHits, calibration: Calibration, k: int, threshold: float) -> tuple[Rated, ...]:
    """Up to `k` hits whose score reaches the threshold, best first. Chunks of `words` may occur twice if they are near as well."""
    evidence = _evidence(near, words)
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


def _evidence(near: VectorHits, words: KeywordHits) -> Evidence:
    """Everything known of every chunk that either leg found: those that are near, then the others."""
    if not len(near):
        found = words.coverage.astype(np.float64), words.scores.astype(np.float64), np.full(len(words), np.nan)
        return Evidence(words.numbers, *found, words.exact, np.ones(len(words), np.bool_))
    ordered = np.argsort(near.numbers)
    at = ordered.take(near.numbers.searchsorted(words.numbers, sorter=ordered), mode="clip")
    other = near.numbers[at] != words.numbers
    numbers = np.concatenate([near.numbers, words.numbers[other]])
    at[other] = np.arange(len(near), len(numbers))
    coverage, bm25, cosine = np.zeros(len(numbers)), np.zeros(len(numbers)), np.full(len(numbers), np.nan)
    exact, keyword = np.zeros(len(numbers), np.bool_), np.zeros(len(numbers), np.bool_)
    cosine[: len(near)] = near.cosines
    coverage[at], bm25[at], exact[at], keyword[at] = words.coverage, words.scores, words.exact, True
    return Evidence(numbers, coverage, bm25, cosine, exact, keyword)
