"""What of a chunk is embedded, and what stands before every text."""

from __future__ import annotations

from famulus.knowledge.index.base import IndexedChunk

# The words that the model was trained with in front of every text. Source: model card of multilingual-e5-small.
QUERY_PREFIX = "query: "
PASSAGE_PREFIX = "passage: "


def passage_text(chunk: IndexedChunk) -> str:
    """Title, context and text, one under the other: a passage out of its document is often about "it"."""
    return "\n".join(part for part in (chunk.title, chunk.context, chunk.text) if part)
