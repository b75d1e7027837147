"""Scores matched postings: BM25 with statistics of the visible rows, and the share of the question that a row covers. Pure.

Source: S. Robertson, H. Zaragoza, "The probabilistic relevance framework: BM25 and beyond", 2009; k1 and b tuned on the
training questions of SciFact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from famulus.knowledge.index.hits import NO_KEYWORD_HITS, KeywordHits, Lookup
from famulus.knowledge.index.postings import WEIGHT_UNIT
from famulus.text.query import QueryTerm

K1 = 1.2
B = 0.75


@dataclass(frozen=True, slots=True)
class Form:
    """One key that counts as a term, by hash; `weight` 1 for the term itself, less for a compound or a part."""

    hash: int
    weight: float


@dataclass(frozen=True, slots=True)
class TermForms:
    term: QueryTerm
    forms: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class Matches:
    """Visible postings of one form: row (through all segments) and weighted count."""

    rows: NDArray[np.int64]
    weights: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Scored:
    """A `KeywordMatch`: one value for each row of the searched segments; `order` is 0 where nothing matches."""

    numbers: NDArray[np.uint32]
    order: NDArray[np.float32]
    scores: NDArray[np.float32]
    coverage: NDArray[np.float32]
    exact: NDArray[np.uint8]
    identifiers: int

    def top(self, k: int) -> KeywordHits:
        """Rows that hold every identifier first, then by score, then by number."""
        rows = np.flatnonzero(self.order)
        if len(rows) > k > 0:
            found = self.order[rows]
            rows = rows[found >= np.partition(found, -k)[-k]]
        return self._hits(rows[np.lexsort((self.numbers[rows], -self.order[rows]))[: max(0, k)]])

    def by_number(self) -> Lookup:
        """Sorts all matching rows, which takes some ten microseconds for a thousand of them."""
        rows = np.flatnonzero(self.order)
        rows = rows[np.argsort(self.numbers[rows])]
        known = self.numbers[rows]

        def look(numbers: NDArray[np.int64]) -> KeywordHits:
            if not len(known):
                return NO_KEYWORD_HITS
            wanted = numbers.astype(np.uint32)
            at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
            return self._hits(rows[at[known[at] == wanted]])

        return look

    def _hits(self, rows: NDArray[np.int64]) -> KeywordHits:
        complete = (self.exact[rows] == self.identifiers) if self.identifiers else np.zeros(len(rows), np.bool_)
        return KeywordHits(self.numbers[rows].astype(np.int64), self.scores[rows], self.coverage[rows], complete)


class Scorer:
    """Knows the rows of the searched segments: their chunk numbers, lengths, and which are visible."""

    def __init__(
        self, segments: Sequence[tuple[NDArray[np.uint32], NDArray[np.uint16], NDArray[np.bool_] | None]]
    ) -> None:
        self._numbers = np.concatenate([np.empty(0, np.uint32), *(numbers for numbers, _, _ in segments)])
        self._lengths = np.concatenate([np.empty(0, np.uint16), *(lengths for _, lengths, _ in segments)])
        seen = [lengths if mask is None else lengths[mask] for _, lengths, mask in segments]
        self._visible = sum(map(len, seen))
        self._average = sum(int(lengths.sum(dtype=np.int64)) for lengths in seen) / max(1, self._visible)

    def scored(self, terms: Sequence[TermForms], matches: Mapping[int, Matches]) -> Scored:
        """What each row is worth for these terms."""
        scores = np.zeros(len(self._lengths), np.float32)
        covered = np.zeros(len(self._lengths), np.float32)
        exact = np.zeros(len(self._lengths), np.uint8)
        identifiers = sum(term.term.kind == "identifier" for term in terms)
        total = 0.0
        for term in terms:
            rarity = self._rarity(term, matches) * term.term.weight
            total += rarity
            rows, counts, share = self._joined(term, matches)
            if not len(rows):
                continue
            norm = K1 * (1 - B + B * self._lengths[rows] / self._average)
            scores[rows] += rarity * counts * (K1 + 1) / (counts + norm)
            covered[rows] += rarity * share
            if term.term.kind == "identifier":
                exact[rows] += 1
        coverage = np.minimum(covered / total if total else covered, 1.0)
        order = scores.copy()
        if identifiers and len(scores):
            # Above any score: rows with every identifier as written.
            order[exact == identifiers] += float(scores.max()) + 1.0
        return Scored(self._numbers, order, scores, coverage, exact, identifiers)

    def _rarity(self, term: TermForms, matches: Mapping[int, Matches]) -> float:
        """Inverse document frequency in the visible rows: of the word itself, or of its compounds where it does not occur."""
        own = [matches[form.hash].rows for form in term.forms if form.weight == 1.0 and form.hash in matches]
        near = [matches[form.hash].rows for form in term.forms if form.weight < 1.0 and form.hash in matches]
        rows = own or near
        count = 0 if not rows else len(rows[0]) if len(rows) == 1 else len(np.unique(np.concatenate(rows)))
        return float(np.log1p((self._visible - count + 0.5) / (count + 0.5)))

    def _joined(
        self, term: TermForms, matches: Mapping[int, Matches]
    ) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
        """Rows that hold any form, without repeats; their weighted counts; the best form's weight."""
        found = [(form.weight, matches[form.hash]) for form in term.forms if form.hash in matches]
        if not found:
            return np.empty(0, np.int64), np.empty(0, np.float32), np.empty(0, np.float32)
        counts = [match.weights * np.float32(weight * WEIGHT_UNIT) for weight, match in found]
        if len(found) == 1:
            weight, match = found[0]
            return match.rows, counts[0], np.full(len(match.rows), weight, np.float32)
        rows, place = np.unique(np.concatenate([match.rows for _, match in found]), return_inverse=True)
        summed = np.bincount(place, np.concatenate(counts), len(rows)).astype(np.float32)
        share = np.zeros(len(rows), np.float32)
        shares = np.concatenate([np.full(len(match.rows), weight, np.float32) for weight, match in found])
        np.maximum.at(share, place, shares)
        return rows, summed, share
