"""How good is a hit? Absolute scores in 0..1 from what each leg saw, and the order of hits. Pure.

A score says how likely the passage is about the question, whatever else was found: the best hit of a base that holds nothing
relevant is bad. Explained, with the calibration, in docs/explanation-scores.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Calibration:
    """What cosines of one embedder mean.

    joint: logistic over coverage and cosine; alone: logistic over the cosine where the words say nothing (another language).
    In the order, as differences of cosines: `order_coverage` is what full coverage is worth, `order_bm25` what the most that
    BM25 can say is worth beside it; `order_words` what full coverage is worth where there is no vector.
    """

    joint_coverage: float
    joint_cosine: float
    joint_bias: float
    alone_cosine: float
    alone_middle: float
    order_coverage: float
    order_bm25: float
    order_words: float


# Source: logistic regression on XQuAD (German, English) against SciFact claims, slopes halved; the order: SciFact train; see above.
E5 = Calibration(8.9, 23.9, -22.8, 60.0, 0.865, 0.05, 0.15, 0.1)
# An embedder whose cosines were never measured: the usual spread of sentence embeddings, and words weigh more.
UNKNOWN = Calibration(10.0, 6.0, -5.0, 12.0, 0.65, 0.5, 0.0, 0.5)
# A BM25 of this size says half of what BM25 can say.
BM25_HALF = 30.0

KEYWORD_SLOPE = 10.9
KEYWORD_BIAS = -3.5


Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of some chunks, an array each: `coverage` and `bm25` 0 where no word was found, `cosine` NaN without a vector.

    `keyword` says whether any word was found, `exact` whether every identifier of the query was.
    """

    numbers: NDArray[np.int64]
    coverage: Values
    bm25: Values
    cosine: Values
    exact: NDArray[np.bool_]
    keyword: NDArray[np.bool_]

    def __add__(self, other: Evidence) -> Evidence:
        """These chunks and then the others."""
        return Evidence(
            np.concatenate([self.numbers, other.numbers]),
            np.concatenate([self.coverage, other.coverage]),
            np.concatenate([self.bm25, other.bm25]),
            np.concatenate([self.cosine, other.cosine]),
            np.concatenate([self.exact, other.exact]),
            np.concatenate([self.keyword, other.keyword]),
        )

    def __getitem__(self, rows: NDArray[np.int64]) -> Evidence:
        return Evidence(
            self.numbers[rows],
            self.coverage[rows],
            self.bm25[rows],
            self.cosine[rows],
            self.exact[rows],
            self.keyword[rows],
        )


def calibration_of(identity: str | None) -> Calibration:
    """The calibration of an embedder by its identity."""
    return E5 if identity is not None and identity.startswith("multilingual-e5-small/") else UNKNOWN


def scores(evidence: Evidence, calibration: Calibration) -> tuple[Values, Values, Values]:
    """Absolute scores, then those of the words alone and of the vector alone, which are NaN where there is no vector.

    Both legs together, or the vector alone where it is sure; the words alone where there is no vector.
    """
    together = (
        calibration.joint_coverage * evidence.coverage
        + calibration.joint_cosine * evidence.cosine
        + calibration.joint_bias
    )
    by_words = _logistic(KEYWORD_SLOPE * evidence.coverage + KEYWORD_BIAS)
    by_vector = _logistic(calibration.alone_cosine * (evidence.cosine - calibration.alone_middle))
    both = np.maximum(_logistic(together), by_vector)
    return np.where(np.isnan(evidence.cosine), by_words, both), by_words, by_vector


def order(evidence: Evidence, calibration: Calibration) -> NDArray[np.int64]:
    """Rows best first: exact identifiers, then the cosine with a bonus for coverage and BM25, then the number."""
    coverage = evidence.coverage
    bonus = calibration.order_coverage * coverage + calibration.order_bm25 * evidence.bm25 / (evidence.bm25 + BM25_HALF)
    value = evidence.cosine + bonus
    without = np.isnan(value)
    if without.any():
        value[without] = _instead(coverage[without], calibration)
    return np.lexsort((evidence.numbers, -value, ~evidence.exact))


def _instead(coverage: Values, calibration: Calibration) -> Values:
    """Where a chunk without a vector stands: where a cosine that would give it the same score stands, and a bonus."""
    alone = KEYWORD_SLOPE * coverage + KEYWORD_BIAS
    cosine = (alone - calibration.joint_coverage * coverage - calibration.joint_bias) / calibration.joint_cosine
    return cosine + calibration.order_words * coverage


def _logistic(value: Values) -> Values:
    return 0.5 + 0.5 * np.tanh(0.5 * value)
