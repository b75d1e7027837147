"""The first step of the encoder: the vector of each token at its place, read from a memory-mapped file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from famulus.knowledge.embed.graph import unpack
from famulus.knowledge.embed.tokens import PAD
from famulus.knowledge.embed.weights import BLOCK, BLOCK_BYTES, DIM, Weights


class Table:
    """Immutable, and usable from several threads at once."""

    def __init__(self, folder: Path) -> None:
        self._words = np.memmap(folder / "words.q4", np.uint8, "r").reshape(-1, DIM // BLOCK, BLOCK_BYTES)
        self._positions = np.asarray(np.load(folder / "positions.npy"), np.float32)

    def rows(self, texts: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """float32 (texts, longest, 384); shorter texts are filled up with padding."""
        longest = max(map(len, texts))
        tokens = np.full((len(texts), longest), PAD, np.int64)
        for row, ids in enumerate(texts):
            tokens[row, : len(ids)] = ids
        words = unpack(self._words[tokens.reshape(-1)]).reshape(len(texts), longest, DIM)
        return words + self._positions[:longest]


def write_table(weights: Weights, folder: Path) -> None:
    """Writes what `Table` reads."""
    weights.matrices["emb.word"].tofile(folder / "words.q4")
    positions = weights.vectors["emb.pos"].reshape(-1, weights.hidden) + weights.vectors["emb.type"][: weights.hidden]
    np.save(folder / "positions.npy", positions)
