"""Chunks and questions made up for measuring speed: the same on every machine, and readable without the product installed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DIM, CLUSTERS, BASES, WORDS = 384, 500, 1_000, 50_000
QUERIES = 200


@dataclass(frozen=True)
class Corpus:
    vectors: NDArray[np.float32]
    texts: list[str]
    bases: NDArray[np.int64]
    questions: list[str]
    question_vectors: NDArray[np.float32]


def vocabulary() -> list[str]:
    """Pronounceable words that no stemmer of ours touches."""
    syllables = [consonant + vowel for consonant in "bdfgklmprtvz" for vowel in "aiou"]
    size = len(syllables)
    return [
        syllables[n % size] + syllables[n // size % size] + syllables[n // size**2 % size] + "k" for n in range(WORDS)
    ]


def corpus(count: int) -> Corpus:
    random = np.random.default_rng(7)
    centres = random.standard_normal((CLUSTERS, DIM)).astype(np.float32) + 0.6
    cluster = random.integers(0, CLUSTERS, count + QUERIES)
    rows = centres[cluster] + random.standard_normal((count + QUERIES, DIM)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    share = np.cumsum(np.arange(1, WORDS + 1, dtype=np.float64) ** -1.05)
    words = vocabulary()
    picks = np.searchsorted(share / share[-1], random.random((count, 200)))
    texts = [" ".join([words[pick] for pick in row]) for row in picks.tolist()]
    chosen = random.integers(0, count, QUERIES)
    # Not the hundred most frequent words: nobody asks for them.
    questions = [
        " ".join(words[pick] for pick in random.permutation(np.unique(picks[row][picks[row] > 100]))[:3])
        for row in chosen
    ]
    return Corpus(rows[:count], texts, random.integers(0, BASES, count), questions, rows[count:])
