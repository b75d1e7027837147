"""Condensing several passages into one paragraph: by the run's model, or by picking the best sentences where there is none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Final

from famulus.errors import ModelError
from famulus.messages.values import JsonObject, JsonValue, Passage
from famulus.policy.limits import DEFAULTS, Limits
from famulus.tools.base import Tool, ToolContext, ToolOutput
from famulus.tools.builtin.search import describe
from famulus.tools.ports import DocumentReader, Summariser
from famulus.tools.schema import Length, not_both_missing, tool

_SENTENCE_END: Final = re.compile(r"(?<=[.!?…])\s+|\n{2,}")
_WORD: Final = re.compile(r"\w{4,}")
_SUMMARY: Final = 1_200
_SENTENCES: Final = 6


def summarise_tool(reader: DocumentReader, summariser: Summariser | None, limits: Limits = DEFAULTS) -> Tool:
    async def summarise_chunks(
        context: ToolContext,
        chunk_ids: Annotated[list[str] | None, Length(1, 20)] = None,
        texts: Annotated[list[str] | None, Length(1, 20)] = None,
        focus: Annotated[str, Length(0, 500)] = "",
    ) -> ToolOutput:
        """Condenses passages or texts into one paragraph. Use it when many passages were gathered.

        Args:
            chunk_ids: Passages to condense, by their chunk_id.
            texts: Texts to condense, instead of passages.
            focus: What the summary should be about.
        """
        not_both_missing("chunk_ids or texts", chunk_ids, texts)
        passages = [
            (await reader.chunk(context.scope, chunk_id)).passage for chunk_id in dict.fromkeys(chunk_ids or ())
        ]
        everything = [*(passage.text for passage in passages), *(texts or ())]
        return await _summary(context, summariser, everything, passages, focus)

    return tool(summarise_chunks, timeout_s=max(limits.tool_timeout_s, 60))


async def _summary(
    context: ToolContext, summariser: Summariser | None, texts: Sequence[str], passages: Sequence[Passage], focus: str
) -> ToolOutput:
    notices: tuple[str, ...] = ()
    made = None
    if summariser is not None:
        try:
            made = await summariser.summarise(context, texts, focus)
        except ModelError:
            notices = ("summary_without_model",)
    written = made.text.strip() if made is not None else ""
    chunks: list[JsonValue] = [describe(passage) for passage in passages]
    data: JsonObject = {
        "summary": written or pick_sentences(texts, focus),
        "method": "model" if written else "extract",
        "chunks": chunks,
    }
    return ToolOutput(data, tuple(passages), notices, None if made is None else made.usage)


def pick_sentences(texts: Sequence[str], focus: str) -> str:
    """The sentences that share most words with the focus (without one: with all the texts), in their order; at most 1,200 characters."""
    sentences = [part.strip() for text in texts for part in _SENTENCE_END.split(text) if part.strip()]
    weights = Counter(_WORD.findall(focus.casefold())) or Counter(_WORD.findall(" ".join(texts).casefold()))

    def value(index: int) -> float:
        words = set(_WORD.findall(sentences[index].casefold()))
        return sum(weights[word] for word in words) / (len(words) + 5)

    best = sorted(sorted(range(len(sentences)), key=value, reverse=True)[:_SENTENCES])
    picked, size = list[str](), 0
    for index in best:
        sentence = sentences[index][: _SUMMARY - size]
        if sentence:
            picked.append(sentence)
            size += len(sentence) + 1
    return " ".join(picked)
