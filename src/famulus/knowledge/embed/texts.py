"""What of a chunk is embedded."""

from __future__ import annotations

from famulus.knowledge.index.base import IndexedChunk


def passage_text(chunk: IndexedChunk) -> str:
    """Title, context and text, one under the other: a passage out of its document is often about "it"."""
    return "\n".join(part for part in (chunk.title, chunk.context, chunk.text) if part)
