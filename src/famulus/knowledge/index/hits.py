"""What a leg of a search found: one value each where somebody looks at a hit, arrays where hundreds are compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class KeywordHit:
    """`score` is BM25, comparable inside one result only; `coverage` in 0..1 is the weight of the query's terms found.

    `exact` is True where the chunk holds every identifier and every quoted phrase word of the query as written.
    """

    number: int
    score: float
    coverage: float
    exact: bool = False


@dataclass(frozen=True, slots=True)
class VectorHit:
    """`cosine` of the query with the stored vector, exact to float16."""

    number: int
    cosine: float


@dataclass(frozen=True, slots=True)
class KeywordHits:
    """`KeywordHit`s, an array for each of their fields."""

    numbers: NDArray[np.int64]
    scores: NDArray[np.float32]
    coverage: NDArray[np.float32]
    exact: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, at: int) -> KeywordHit:
        return KeywordHit(int(self.numbers[at]), float(self.scores[at]), float(self.coverage[at]), bool(self.exact[at]))

    def __iter__(self) -> Iterator[KeywordHit]:
        return map(self.__getitem__, range(len(self)))


@dataclass(frozen=True, slots=True)
class VectorHits:
    """`VectorHit`s, an array for each of their fields."""

    numbers: NDArray[np.int64]
    cosines: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, at: int) -> VectorHit:
        return VectorHit(int(self.numbers[at]), float(self.cosines[at]))

    def __iter__(self) -> Iterator[VectorHit]:
        return map(self.__getitem__, range(len(self)))


NO_KEYWORD_HITS = KeywordHits(
    np.empty(0, np.int64), np.empty(0, np.float32), np.empty(0, np.float32), np.empty(0, np.bool_)
)
NO_VECTOR_HITS = VectorHits(np.empty(0, np.int64), np.empty(0, np.float32))


@dataclass(frozen=True, slots=True)
class Words:
    """What words say of chunks that somebody else has found, one value for each of them: nothing where not `found`."""

    found: NDArray[np.bool_]
    scores: NDArray[np.float32]
    coverage: NDArray[np.float32]
    exact: NDArray[np.bool_]


def no_words(count: int) -> Words:
    none, nothing = np.zeros(count, np.bool_), np.zeros(count, np.float32)
    return Words(none, nothing, nothing, none)


# By the numbers of chunks, in their order.
Lookup = Callable[[NDArray[np.int64]], Words]
