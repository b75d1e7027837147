"""How close sentences are to a question by the embedder of this process: for the built-in model, which chooses among them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from famulus.errors import FamulusError

# Of 1.5 kB each. One question looks at some dozens, and asks for them anew at each of its steps.
KEPT: Final = 4_096


class Unmeasured(FamulusError):
    """The embedder did not answer in time."""

    code = "vectors_failed"


class SentenceEmbedder(Protocol):
    """Rows are float32, L2-normalised."""

    async def embed_queries(self, texts: list[str]) -> NDArray[np.float32]: ...

    async def embed_sentences(self, texts: list[str]) -> NDArray[np.float32]: ...


class SentenceCloseness:
    """Call it with a question and texts: their cosines, in order. Vectors are kept, the least recently used go first."""

    def __init__(self, embedder: SentenceEmbedder, *, timeout_s: float = 20.0) -> None:
        self._embedder = embedder
        self._timeout_s = timeout_s
        self._kept: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    async def __call__(self, question: str, sentences: Sequence[str]) -> list[float]:
        """Raises FamulusError when the embedder fails or is too slow."""
        try:
            async with asyncio.timeout(self._timeout_s):
                asked = (await self._embedder.embed_queries([question]))[0]
                lacking = [text for text in sentences if text not in self._kept]
                found = (
                    dict(zip(lacking, await self._embedder.embed_sentences(lacking), strict=True)) if lacking else {}
                )
        except TimeoutError as error:
            raise Unmeasured(
                f"the embedder did not answer within {self._timeout_s:g} s; ask again, or set embedding.model to 'off'"
            ) from error
        rows = [found[text] if text in found else self._kept[text] for text in sentences]
        self._keep(sentences, rows)
        return [float(row @ asked) for row in rows]

    def _keep(self, sentences: Sequence[str], rows: Sequence[NDArray[np.float32]]) -> None:
        for text, row in zip(sentences, rows, strict=True):
            self._kept[text] = row
            self._kept.move_to_end(text)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
