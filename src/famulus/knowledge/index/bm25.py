"""Scores matched postings: BM25 with statistics of the visible rows, and the share of the question that a row covers. Pure.

Source: S. Robertson, H. Zaragoza, "The probabilistic relevance framework: BM25 and beyond", 2009; k1 and b tuned on the
training questions of SciFact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from famulus.knowledge.index.hits import KeywordHits, Lookup, Words, no_words
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

    def visible(self, mask: NDArray[np.bool_]) -> Matches:
        """Those of rows that the mask shows."""
        seen = mask[self.rows]
        return Matches(self.rows[seen], self.weights[seen])


def joined(parts: Sequence[tuple[int, NDArray[np.uint16], NDArray[np.uint8]]]) -> Matches:
    """Postings of one form in several segments, each given with the number of rows before it."""
    starts, rows, weights = zip(*parts, strict=True)
    if len(parts) == 1:
        return Matches(rows[0] + np.int64(starts[0]), weights[0])
    before = np.repeat(starts, [len(each) for each in rows])
    return Matches(before + np.concatenate(rows), np.concatenate(weights))


@dataclass(frozen=True, slots=True)
class Scored:
    """A `KeywordMatch`: values of the rows that match, in the order of the searched segments; `order` is what they are sorted by.

    `covered` is the weight of the terms found, of `total`; `exact` counts the identifiers found.
    """

    numbers: NDArray[np.uint32]
    order: NDArray[np.float32]
    scores: NDArray[np.float32]
    covered: NDArray[np.float32]
    exact: NDArray[np.uint8] | None
    total: float
    identifiers: int

    def top(self, k: int) -> KeywordHits:
        """Rows that hold every identifier first, then by score, then by number."""
        order, numbers = self.order, self.numbers
        if not len(order) > k > 0:
            return self._hits(np.lexsort((numbers, -order))[: max(0, k)])
        best = np.flatnonzero(order >= np.partition(order, -k)[-k])
        return self._hits(best[np.lexsort((numbers[best], -order[best]))[:k]])

    def by_number(self) -> Lookup:
        """Sorts all matching rows, which takes some ten microseconds for a thousand of them."""
        rows = np.argsort(self.numbers)
        known = self.numbers[rows]

        def look(numbers: NDArray[np.int64]) -> Words:
            if not len(known):
                return no_words(len(numbers))
            wanted = numbers.astype(np.uint32)
            at = known.searchsorted(wanted)
            hits = self._hits(rows.take(at, mode="clip"))
            found = hits.numbers == numbers
            return Words(found, hits.scores * found, hits.coverage * found, hits.exact & found)

        return look

    def _hits(self, rows: NDArray[np.int64]) -> KeywordHits:
        covered = self.covered[rows]
        return KeywordHits(
            self.numbers[rows].astype(np.int64),
            self.scores[rows],
            np.minimum(covered / self.total if self.total else covered, 1.0),
            np.zeros(len(rows), np.bool_) if self.exact is None else self.exact[rows] == self.identifiers,
        )


_NO_VALUES = np.empty(0, np.float32)
NOTHING_SCORED = Scored(np.empty(0, np.uint32), _NO_VALUES, _NO_VALUES, _NO_VALUES, None, 0.0, 0)


class Scorer:
    """Knows the rows of the searched segments: their chunk numbers and lengths, how many are visible, and the length of all those."""

    def __init__(
        self,
        numbers: NDArray[np.uint32],
        lengths: NDArray[np.uint16],
        visible: int,
        visible_length: int,
    ) -> None:
        self._numbers = numbers
        self._lengths = lengths
        self._visible = visible
        self._average = visible_length / max(1, visible)

    def scored(self, terms: Sequence[TermForms], matches: Mapping[int, Matches]) -> Scored:
        """What each row is worth for these terms."""
        size = len(self._lengths)
        scores, covered = np.zeros(size, np.float32), np.zeros(size, np.float32)
        identifiers = sum(term.term.kind == "identifier" for term in terms)
        exact = np.zeros(size, np.uint8) if identifiers else None
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
            if exact is not None and term.term.kind == "identifier":
                exact[rows] += 1
        found = np.flatnonzero(scores != 0.0)
        worth = scores[found]
        order = worth
        if exact is not None:
            exact = exact[found]
            order = worth.copy()
            # Above any score: rows with every identifier as written.
            order[exact == identifiers] += float(worth.max(initial=0.0)) + 1.0
        return Scored(self._numbers[found], order, worth, covered[found], exact, total, identifiers)

    def _rarity(self, term: TermForms, matches: Mapping[int, Matches]) -> float:
        """Inverse document frequency in the visible rows: of the word itself, or of its compounds where it does not occur."""
        own = [matches[form.hash].rows for form in term.forms if form.weight == 1.0 and form.hash in matches]
        near = [matches[form.hash].rows for form in term.forms if form.weight < 1.0 and form.hash in matches]
        rows = own or near
        count = 0 if not rows else len(rows[0]) if len(rows) == 1 else len(np.unique(np.concatenate(rows)))
        return float(np.log1p((self._visible - count + 0.5) / (count + 0.5)))

    def _joined(
        self, term: TermForms, matches: Mapping[int, Matches]
    ) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32] | np.float32]:
        """Rows that hold any form, without repeats; their weighted counts; the best form's weight."""
        found = [(form.weight, matches[form.hash]) for form in term.forms if form.hash in matches]
        if not found:
            return np.empty(0, np.int64), _NO_VALUES, _NO_VALUES
        counts = [match.weights * np.float32(weight * WEIGHT_UNIT) for weight, match in found]
        if len(found) == 1:
            weight, match = found[0]
            return match.rows, counts[0], np.float32(weight)
        rows, place = np.unique(np.concatenate([match.rows for _, match in found]), return_inverse=True)
        summed = np.bincount(place, np.concatenate(counts), len(rows)).astype(np.float32)
        share = np.zeros(len(rows), np.float32)
        shares = np.concatenate([np.full(len(match.rows), weight, np.float32) for weight, match in found])
        np.maximum.at(share, place, shares)
        return rows, summed, share
