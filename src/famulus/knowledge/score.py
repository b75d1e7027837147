"""How good is a hit? Absolute scores in 0..1 from what each leg saw, and the order of hits. Pure.

A score says how likely the passage is about the question, whatever else was found: the best hit of a base that holds nothing
relevant is bad. Explained, with the calibration, in docs/explanation-scores.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

from famulus.knowledge.index.base import KeywordHit


@dataclass(frozen=True, slots=True)
class Calibration:
    """What cosines of one embedder mean.

    joint: logistic over coverage and cosine; alone: logistic over the cosine where the words say nothing (another language).
    `order_coverage` is what full coverage is worth in the order, as a difference of cosines.
    """

    joint_coverage: float
    joint_cosine: float
    joint_bias: float
    alone_cosine: float
    alone_middle: float
    order_coverage: float


# Source: logistic regression on XQuAD (German, English) against SciFact claims, slopes halved; the order: SciFact train; see above.
E5 = Calibration(8.9, 23.9, -22.8, 60.0, 0.865, 0.1)
# An embedder whose cosines were never measured: the usual spread of sentence embeddings, and words weigh more.
UNKNOWN = Calibration(10.0, 6.0, -5.0, 12.0, 0.65, 0.5)

KEYWORD_SLOPE = 10.9
KEYWORD_BIAS = -3.5


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of one chunk: `coverage` 0 where no word was found, `cosine` None where it has no vector."""

    number: int
    coverage: float
    cosine: float | None
    exact: bool = False
    keyword: KeywordHit | None = None


def calibration_of(identity: str | None) -> Calibration:
    """The calibration of an embedder by its identity."""
    return E5 if identity is not None and identity.startswith("multilingual-e5-small/") else UNKNOWN


def keyword_score(coverage: float) -> float:
    return _logistic(KEYWORD_SLOPE * coverage + KEYWORD_BIAS)


def vector_score(cosine: float, calibration: Calibration) -> float:
    return _logistic(calibration.alone_cosine * (cosine - calibration.alone_middle))


def score(evidence: Evidence, calibration: Calibration) -> float:
    """The absolute score of a hit: both legs together, or the vector alone where it is sure; the words alone without a vector."""
    if evidence.cosine is None:
        return keyword_score(evidence.coverage)
    together = (
        calibration.joint_coverage * evidence.coverage
        + calibration.joint_cosine * evidence.cosine
        + calibration.joint_bias
    )
    return max(_logistic(together), vector_score(evidence.cosine, calibration))


def order_key(evidence: Evidence, calibration: Calibration) -> tuple[bool, float]:
    """Sorts hits, larger first: exact identifiers, then the cosine with a bonus for coverage.

    A chunk that has no vector yet stands where a cosine that would give it the same score stands.
    """
    cosine = evidence.cosine
    if cosine is None:
        alone = KEYWORD_SLOPE * evidence.coverage + KEYWORD_BIAS
        rest = alone - calibration.joint_coverage * evidence.coverage - calibration.joint_bias
        cosine = rest / calibration.joint_cosine
    return evidence.exact, cosine + calibration.order_coverage * evidence.coverage


def _logistic(value: float) -> float:
    return 1.0 / (1.0 + exp(-max(-60.0, min(60.0, value))))
