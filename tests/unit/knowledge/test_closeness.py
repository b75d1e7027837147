"""How close sentences are to a question."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from numpy.typing import NDArray

from famulus.knowledge import closeness
from famulus.knowledge.closeness import SentenceCloseness, Unmeasured


class Letters:
    """One dimension for each letter; counts what it was asked."""

    def __init__(self) -> None:
        self.questions: list[str] = []
        self.sentences: list[str] = []

    async def embed_queries(self, texts: list[str]) -> NDArray[np.float32]:
        self.questions += texts
        return self._rows(texts)

    def _rows(self, texts: list[str]) -> NDArray[np.float32]:
        rows = np.array([[text.count(chr(97 + number)) for number in range(26)] for text in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    async def embed_sentences(self, texts: list[str]) -> NDArray[np.float32]:
        self.sentences += texts
        return self._rows(texts)


async def test_cosines_come_in_the_order_of_the_sentences() -> None:
    assert await SentenceCloseness(Letters())("aa", ["b", "aaa", "ab"]) == pytest.approx([0.0, 1.0, 2**-0.5])


async def test_a_question_and_a_sentence_are_embedded_once() -> None:
    embedder = Letters()
    measure = SentenceCloseness(embedder)
    assert await measure("a", ["ab", "b"]) == pytest.approx(await measure("a", ["ab", "b"]))
    await measure("b", ["b", "c"])
    assert (embedder.questions, embedder.sentences) == (["a", "b"], ["ab", "b", "c"])


async def test_no_more_sentences_are_kept_than_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closeness, "KEPT", 2)
    embedder = Letters()
    measure = SentenceCloseness(embedder)
    assert await measure("a", ["a", "b", "c"]) == pytest.approx([1.0, 0.0, 0.0])
    await measure("a", ["c", "a"])
    assert embedder.sentences == ["a", "b", "c", "a"]


async def test_sentences_pushed_out_by_another_question_are_still_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closeness, "KEPT", 1)
    measure = SentenceCloseness(Letters())
    await measure("a", ["a"])
    found = await asyncio.gather(measure("a", ["a", "b"]), measure("a", ["c", "d"]))
    assert found == [pytest.approx([1.0, 0.0]), pytest.approx([0.0, 0.0])]


async def test_few_sentences_at_a_time_so_that_searches_get_their_turn() -> None:
    class Sizes(Letters):
        async def embed_sentences(self, texts: list[str]) -> NDArray[np.float32]:
            assert len(texts) <= closeness.AT_ONCE
            return await super().embed_sentences(texts)

    assert len(await SentenceCloseness(Sizes())("a", [chr(97 + number) for number in range(11)])) == 11


async def test_a_process_that_cannot_be_started_is_told() -> None:
    class Gone(Letters):
        async def embed_queries(self, texts: list[str]) -> NDArray[np.float32]:
            raise OSError("no more processes")

    with pytest.raises(Unmeasured, match="no more processes"):
        await SentenceCloseness(Gone())("a", ["b"])


async def test_an_embedder_that_does_not_answer_is_told_in_time() -> None:
    class Silent(Letters):
        async def embed_sentences(self, texts: list[str]) -> NDArray[np.float32]:
            return await asyncio.get_running_loop().create_future()

    with pytest.raises(Unmeasured, match="did not answer within"):
        await SentenceCloseness(Silent(), timeout_s=0.01)("a", ["b"])
