"""What a scripted model says: the rounds of a script as values. Not a server and not a wire format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Say:
    """Answer text. `chunks` = number of pieces it is streamed in (None: one per word), `delay_s` waits between pieces."""

    text: str
    chunks: int | None = None
    delay_s: float = 0.0

    def pieces(self) -> list[str]:
        return cut_text(self.text, self.chunks)


@dataclass(frozen=True, slots=True)
class Think:
    """Reasoning text; `signature` is the opaque proof that Anthropic and Responses want back verbatim."""

    text: str
    signature: str = "c2lnbmVkLXRoaW5raW5n"


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call. `raw` replaces the JSON text of `arguments` (to send broken JSON); `pieces` = number of argument deltas."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    raw: str | None = None
    call_id: str | None = None
    pieces: int = 2


@dataclass(frozen=True, slots=True)
class Tokens:
    """The usage this round reports; otherwise it is computed from the lengths."""

    input: int
    output: int
    cached: int = 0
    reasoning: int = 0


@dataclass(frozen=True, slots=True)
class Stall:
    """Sends nothing for so long, at this place of the round. `started` servers count as stalled until the client leaves."""

    seconds: float = 3600.0


@dataclass(frozen=True, slots=True)
class Cut:
    """The connection dies after that many frames of the round (0: before the first byte of the answer)."""

    after: int = 1


@dataclass(frozen=True, slots=True)
class Garble:
    """Bytes that are no frame of the wire, at this place of the round; then the stream ends."""

    data: bytes = b'\xff\xfe{"choices": [{"delta": {"con'


@dataclass(frozen=True, slots=True)
class Split:
    """The round's bytes are written so many at a time, across frame and character borders."""

    size: int = 1


@dataclass(frozen=True, slots=True)
class Finish:
    """Ends the round with another reason than its content says: `length`, `content_filter`."""

    reason: str = "length"


@dataclass(frozen=True, slots=True)
class Status:
    """An HTTP error instead of an answer; without `body` the wire's own error shape around `message` and `kind`."""

    code: int
    body: str | bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    message: str = "scripted failure"
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class StreamError:
    """The wire's own error frame inside a stream that began with 200."""

    message: str = "scripted stream failure"
    kind: str = "overloaded_error"


Item: TypeAlias = Say | Think | Call | Tokens | Stall | Cut | Garble | Split | Finish | Status | StreamError
Round: TypeAlias = Item | Sequence[Item]
Rounds: TypeAlias = Sequence[Round] | Callable[[dict[str, Any], int], Round]


def items_of(round_: Round) -> list[Item]:
    return list(round_) if isinstance(round_, Sequence) else [round_]


def cut_text(text: str, count: int | None) -> list[str]:
    """The text in `count` pieces of about equal length, or word by word; joined they are the text."""
    if count is None:
        words = text.split(" ")
        return [word if i == 0 else " " + word for i, word in enumerate(words)]
    size = max(1, -(-len(text) // max(1, count)))
    return [text[i : i + size] for i in range(0, len(text), size)] or [""]
