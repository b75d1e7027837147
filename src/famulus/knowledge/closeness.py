"""How close sentences are to a question by the embedder of this process: for the built-in model, which chooses among them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
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
        self._questions = _Kept(embedder.embed_queries)
        self._sentences = _Kept(embedder.embed_sentences)
        self._timeout_s = timeout_s

    async def __call__(self, question: str, sentences: Sequence[str]) -> list[float]:
        """Raises FamulusError when the embedder fails or is too slow."""
        try:
            async with asyncio.timeout(self._timeout_s):
                (asked,) = await self._questions.rows([question])
                rows = await self._sentences.rows(sentences)
        except TimeoutError as error:
            raise Unmeasured(
                f"the embedder did not answer within {self._timeout_s:g} s; ask again, or set embedding.model to 'off'"
            ) from error
        except OSError as error:
            raise Unmeasured(f"the embedder's process could not be used: {error}; ask again") from error
        return [float(row @ asked) for row in rows]


class _Kept:
    """Vectors by their text: what is not there is embedded, a few at a time."""

    def __init__(self, embed: Callable[[list[str]], Awaitable[NDArray[np.float32]]]) -> None:
        self._embed = embed
        self._rows: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    async def rows(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        # Taken now: while this waits, another question may push them out.
        found = {text: self._rows[text] for text in texts if text in self._rows}
        lacking = [text for text in dict.fromkeys(texts) if text not in found]
        for few in (lacking[at : at + AT_ONCE] for at in range(0, len(lacking), AT_ONCE)):
            found |= zip(few, await self._embed(few), strict=True)
        for text, row in found.items():
            self._rows[text] = row
            self._rows.move_to_end(text)
        while len(self._rows) > KEPT:
            self._rows.popitem(last=False)
        return [found[text] for text in texts]
