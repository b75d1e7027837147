"""Cuts an extracted document into passages along its structure; offsets point into the document's text.

A chunk starts at a heading where there is one, never crosses a page, and cuts neither a table row nor a code block
unless that alone is longer than a chunk may be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from semantic_text_splitter import TextSplitter

from famulus.knowledge.extract.base import Block, Extracted

# The splitter takes time in the square of a word's length; words longer than this are cut before it sees them.
_LONGEST_WORD = 400
_SPLITTER_CHARS = 20_000
_LONG_WORD = re.compile(r"\S{%d,}" % _LONGEST_WORD)  # noqa: UP031
_LINE_KINDS = frozenset({"table", "code", "list"})
_DELIMITER_ROW = re.compile(r"[\s|:-]+")
# Short sections that follow each other are joined, but not beyond a part of the size: small passages are found better.
_JOIN_SHARE = 0.75


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """A passage before it has an id. `text` is exactly `extracted.text[start:end]`.

    `context` says where it stands: the headings above it that the text itself does not show, and for a part of a table
    its header row. It is indexed with the text, but never quoted.
    """

    ord: int
    start: int
    end: int
    text: str
    context: str
    page: int | None
    section: tuple[str, ...]

    @property
    def index_text(self) -> str:
        """What is embedded and indexed."""
        return f"{self.context}\n{self.text}" if self.context else self.text


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch that is not cut any more."""

    start: int
    end: int
    block: Block


def chunk(extracted: Extracted, *, max_chars: int = 1200, min_chars: int = 200) -> list[ChunkDraft]:
    """Passages in order, not overlapping, covering all text that is not white space; none longer than `max_chars`."""
    text = extracted.text
    groups: list[list[_Piece]] = []
    for section in _sections(_complete(extracted)):
        pieces = [piece for block in section for piece in _pieces(text, block, max_chars)]
        groups.extend(_packed(pieces, max_chars))
    joined = _joined(groups, max_chars, min_chars)
    return [_draft(ord, group, text) for ord, group in enumerate(joined)]


def _draft(ord: int, group: list[_Piece], text: str) -> ChunkDraft:
    first = group[0].block
    start, end = group[0].start, group[-1].end
    return ChunkDraft(ord, start, end, text[start:end], _context(group, text), first.page, first.section)


def _context(group: list[_Piece], text: str) -> str:
    first = group[0]
    path = first.block.section[:-1] if first.block.kind == "heading" else first.block.section
    lines = [" > ".join(path)] if path else []
    header = first.block.header
    if header and not text.startswith(header, first.start):
        lines.append(header)
    return "\n".join(lines)


def _complete(extracted: Extracted) -> list[Block]:
    """The blocks, with a text block for any stretch between them that is not blank."""
    found: list[Block] = []
    position = 0
    for block in (*extracted.blocks, None):
        start = block.start if block else len(extracted.text)
        if extracted.text[position:start].strip():
            page = found[-1].page if found else None
            found.append(Block(position, start, "text", page=page, section=found[-1].section if found else ()))
        if block is not None:
            found.append(block)
            position = block.end
    return found


def _sections(blocks: Iterable[Block]) -> Iterator[list[Block]]:
    """Runs of blocks that may share a chunk: a heading opens a run, another page or section path ends it."""
    run: list[Block] = []
    for block in blocks:
        if run and (block.page != run[-1].page or _opens(run, block)):
            yield run
            run = []
        run.append(block)
    if run:
        yield run


def _opens(run: list[Block], block: Block) -> bool:
    """Headings in direct succession stay together: a title alone is no passage."""
    if block.kind == "heading":
        return run[-1].kind != "heading" or len(block.section) <= len(run[-1].section)
    return block.section != run[-1].section


def _pieces(text: str, block: Block, max_chars: int) -> Iterator[_Piece]:
    start, end = _trimmed(text, block.start, block.end)
    if end <= start:
        return
    if end - start <= max_chars:
        # Long tables are cut between any rows anyway; a short one stays whole.
        yield _Piece(start, end, block)
    elif block.kind in _LINE_KINDS:
        yield from _line_pieces(text, replace(block, start=start, end=end), max_chars)
    else:
        yield from _text_pieces(text, start, end, block, max_chars)


def _line_pieces(text: str, block: Block, max_chars: int) -> Iterator[_Piece]:
    """Whole lines together up to the limit; a single line that is longer is cut like text."""
    begin, position = block.start, block.start
    for stop in _line_stops(text, block.start, block.end):
        if stop - begin > max_chars:
            if position > begin:
                yield from _trimmed_piece(text, begin, position, block)
                begin = position
            if stop - begin > max_chars:
                yield from _text_pieces(text, *_trimmed(text, begin, stop), block, max_chars)
                begin = stop
        position = stop
    yield from _trimmed_piece(text, begin, block.end, block)


def _line_stops(text: str, start: int, end: int) -> Iterator[int]:
    """Where lines end. The delimiter row of a table never ends a piece: the header must stay with a first row."""
    position = start
    while position < end:
        at = text.find("\n", position, end)
        stop = end if at < 0 else at + 1
        following = text[stop : text.find("\n", stop, end) if text.find("\n", stop, end) >= 0 else end]
        if not (position == start and following.startswith("|") and _DELIMITER_ROW.fullmatch(following)):
            yield stop
        position = stop


def _text_pieces(text: str, start: int, end: int, block: Block, max_chars: int) -> Iterator[_Piece]:
    """Cut at paragraphs, sentences, then words."""
    splitter = TextSplitter(max_chars)
    for begin, stop in _windows(text, start, end, max_chars):
        if stop - begin <= max_chars:
            yield from _trimmed_piece(text, begin, stop, block)
            continue
        for offset, part in splitter.chunk_indices(text[begin:stop]):
            yield from _trimmed_piece(text, begin + offset, begin + offset + len(part), block)


def _windows(text: str, start: int, end: int, max_chars: int) -> Iterator[tuple[int, int]]:
    """Stretches that the splitter handles quickly: words beyond any language are cut out and cut up by length."""
    position = start
    for word in _LONG_WORD.finditer(text, start, end):
        yield from _bounded(text, position, word.start())
        yield from ((at, min(at + max_chars, word.end())) for at in range(word.start(), word.end(), max_chars))
        position = word.end()
    yield from _bounded(text, position, end)


def _bounded(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Stretches of bounded length, cut at a line end or else at a space."""
    while end - start > _SPLITTER_CHARS:
        window = start + _SPLITTER_CHARS
        cut = max(text.rfind("\n", start + 1, window), text.rfind(". ", start + 1, window) + 1)
        cut = cut if cut > start + _SPLITTER_CHARS // 2 else max(text.rfind(" ", start + 1, window), cut)
        cut = cut if cut > start else window
        yield start, cut
        start = cut
    if end > start:
        yield start, end


def _packed(pieces: list[_Piece], max_chars: int) -> list[list[_Piece]]:
    """Pieces of one section together up to the limit; a heading is never the last of a chunk that could hold more."""
    groups: list[list[_Piece]] = []
    for piece in pieces:
        if groups and piece.end - groups[-1][0].start <= max_chars:
            groups[-1].append(piece)
            continue
        groups.append([piece])
        if len(groups) > 1:
            _move_trailing_headings(groups[-2], groups[-1], max_chars)
    return [group for group in groups if group]


def _move_trailing_headings(before: list[_Piece], after: list[_Piece], max_chars: int) -> None:
    while len(before) > 1 and before[-1].block.kind == "heading" and after[-1].end - before[-1].start <= max_chars:
        after.insert(0, before.pop())


def _joined(groups: list[list[_Piece]], max_chars: int, min_chars: int) -> list[list[_Piece]]:
    """A chunk shorter than `min_chars` takes in the next one of its page when both belong to the same part."""
    joined: list[list[_Piece]] = []
    for group in groups:
        previous = joined[-1] if joined else None
        if previous and _may_join(previous, group, max_chars, min_chars):
            previous.extend(group)
        else:
            joined.append(list(group))
    return joined


def _may_join(before: list[_Piece], after: list[_Piece], max_chars: int, min_chars: int) -> bool:
    a, b = before[0].block, after[0].block
    length, size = before[-1].end - before[0].start, after[-1].end - before[0].start
    if a.page != b.page or size > max_chars or a.section[:1] != b.section[:1]:
        return False
    if _small_rest(before, after, min_chars):
        return True
    parent = b.section[: max(0, len(a.section) - 1)] == a.section[:-1] if a.section else not b.section
    return length < min_chars and size <= max_chars * _JOIN_SHARE and parent


def _small_rest(before: list[_Piece], after: list[_Piece], min_chars: int) -> bool:
    """The short end of the same section goes back to what it ends."""
    return after[0].block.section == before[-1].block.section and after[-1].end - after[0].start < min_chars // 2


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _trimmed_piece(text: str, start: int, end: int, block: Block) -> Iterator[_Piece]:
    start, end = _trimmed(text, start, end)
    if end > start:
        yield _Piece(start, end, block)
