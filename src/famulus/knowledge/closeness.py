"""How close sentences are to a question by the embedder of this process: for the built-in model, which chooses among them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from famulus.errors import FamulusError

# Of 1.5 kB each. One question looks at some dozens, and asks for them anew at each of its steps.
KEPT: Final = 4_096
# Between so few the question of somebody else's search gets its turn.
AT_ONCE: Final = 4


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
        # Taken now: while this waits, another question may push them out.
        rows = {text: self._kept[text] for text in sentences if text in self._kept}
        lacking = [text for text in dict.fromkeys(sentences) if text not in rows]
        try:
            async with asyncio.timeout(self._timeout_s):
                asked = (await self._embedder.embed_queries([question]))[0]
                for few in (lacking[at : at + AT_ONCE] for at in range(0, len(lacking), AT_ONCE)):
                    rows |= zip(few, await self._embedder.embed_sentences(few), strict=True)
        except TimeoutError as error:
            raise Unmeasured(
                f"the embedder did not answer within {self._timeout_s:g} s; ask again, or set embedding.model to 'off'"
            ) from error
        except OSError as error:
            raise Unmeasured(f"the embedder's process could not be used: {error}; ask again") from error
        self._keep(rows)
        return [float(rows[text] @ asked) for text in sentences]

    def _keep(self, rows: Mapping[str, NDArray[np.float32]]) -> None:
        for text, row in rows.items():
            self._kept[text] = row
            self._kept.move_to_end(text)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
