"""One answer while it arrives: bytes of a stream in, items of a model out. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from famulus.models.base import ModelItem, ModelResponse, ReasoningDelta, TextDelta
from famulus.models.providers.frames import Framing, frames
from famulus.models.providers.wire import Decoder, Garbled, Refused


class Answer:
    """`started` once an item was given out; `over` when reading on is of no use: the wire said its end, or a frame was broken."""

    def __init__(self, decoder: Decoder, framing: Framing) -> None:
        self.started = False
        self._decoder = decoder
        self._frames = frames(framing)
        self._problem: Garbled | Refused | None = None

    @property
    def over(self) -> bool:
        return self._decoder.done or self._problem is not None

    def take(self, chunk: bytes) -> Sequence[ModelItem]:
        """What one read holds, neighbouring pieces of text as one: a read is the smallest thing that anybody can see.

        Raises `FrameTooLong`. A broken frame is told by `response`, after what came before it.
        """
        return self._decode(self._frames.feed(chunk))

    def rest(self) -> Sequence[ModelItem]:
        """What a stream that ended without its last separator leaves."""
        return self._decode(self._frames.rest())

    def response(self) -> ModelResponse:
        """The whole answer. Raises `Garbled` and `Refused`."""
        if self._problem is not None:
            raise self._problem
        response = self._decoder.response()
        self.started = True
        return response

    def _decode(self, frames: Sequence[bytes]) -> Sequence[ModelItem]:
        items: list[ModelItem] = []
        try:
            self._decoder.read(frames, items)
        except (Garbled, Refused) as problem:
            self._problem = problem
        if items:
            self.started = True
        return joined(items) if len(items) > 1 else items


def joined(items: Sequence[ModelItem]) -> list[ModelItem]:
    """The same items; neighbouring deltas of one kind are one delta."""
    if {type(item) for item in items} == {TextDelta}:
        return [TextDelta("".join([item.text for item in cast("Sequence[TextDelta]", items)]))]
    found: list[ModelItem] = []
    kind: type[TextDelta] | type[ReasoningDelta] = TextDelta
    pieces: list[str] = []
    for item in items:
        if isinstance(item, (TextDelta, ReasoningDelta)):
            if pieces and type(item) is not kind:
                found.append(kind("".join(pieces)))
                pieces.clear()
            kind = type(item)
            pieces.append(item.text)
        else:
            if pieces:
                found.append(kind("".join(pieces)))
                pieces.clear()
            found.append(item)
    if pieces:
        found.append(kind("".join(pieces)))
    return found
