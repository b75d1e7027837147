"""What a round sends to the model, inside its window: which layers, how large, what was left out and why.

Sizes are characters turned into tokens by a ratio that each reported usage corrects. What must go goes in this order: the oldest messages of the
conversation, the oldest tool results of this turn, then the ends of the newest ones. The prompt and the question always stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from famulus.agent.state import RoundState, RunState
from famulus.messages.values import JsonObject, JsonValue, Message, Replay, Text, ToolCall, ToolResult
from famulus.models.base import ModelInfo
from famulus.policy.limits import Limits
from famulus.tools.bounding import encode

_OUTPUT_TOKENS: Final = 4_096
_SHORTEST_RESULT: Final = 400
LEFT_OUT: Final = (
    '{"left_out":true,"note":"This result was left out to fit the context window; call the tool again if you need it."}'
)


class Layer(Struct, frozen=True):
    name: str
    characters: int
    items: int
    left_out: int = 0


class Context(Struct, frozen=True):
    """`messages` fit `limit` tokens as far as they can; `left_out` counts what they lack."""

    messages: tuple[Message, ...]
    layers: tuple[Layer, ...]
    characters: int
    limit: int
    ratio: float
    left_out: int

    @property
    def tokens(self) -> int:
        return int(self.characters / self.ratio)

    def json(self) -> JsonObject:
        layers: list[JsonValue] = [
            {
                "name": layer.name,
                "tokens": int(layer.characters / self.ratio),
                "items": layer.items,
                "left_out": layer.left_out,
            }
            for layer in self.layers
        ]
        return {"tokens": self.tokens, "limit": self.limit, "characters": self.characters, "layers": layers}


def render(
    state: RunState,
    system: str,
    history: Sequence[Message],
    question: str,
    given: Sequence[Message],
    offer: Layer,
    limit: int,
) -> Context:
    """The messages of the next model call. `given` was found for the question beforehand; `offer` is the layer of the tools' schemas.

    `limit` is the most tokens they may take.
    """
    room = int(limit * state.characters_per_token)
    knowledge = sum(map(_size, given))
    fixed = len(system) + len(question) + knowledge + offer.characters
    rounds = [round for round in state.rounds if round.answered]
    sizes = [_round_size(round) for round in rounds]
    kept = _newest(history, room - fixed - sum(sizes))
    history_size = sum(map(_size, kept))
    turn, cut = _fit(rounds, sizes, room - fixed - history_size)
    turn_size = sum(map(_size, turn)) if cut else sum(sizes)
    layers = (
        Layer("instructions", len(system), 1),
        offer,
        Layer("history", history_size, len(kept), len(history) - len(kept)),
        Layer("question", len(question), 1),
        Layer("knowledge", knowledge, len(given) // 2),
        Layer("rounds", turn_size, len(rounds), cut),
    )
    messages = (Message("system", (Text(system),)), *kept, Message("user", (Text(question),)), *given, *turn)
    size = len(system) + offer.characters + history_size + len(question) + knowledge + turn_size
    return Context(messages, layers, size, limit, state.characters_per_token, len(history) - len(kept) + cut)


def prompt_window(info: ModelInfo | None, limits: Limits) -> int:
    """The tokens that a request may take: the window without room for the answer."""
    window = (info.context_window if info else None) or limits.context_tokens
    answer = min((info.max_output_tokens if info else None) or _OUTPUT_TOKENS, _OUTPUT_TOKENS, window // 4)
    return window - answer


def _newest(history: Sequence[Message], room: int) -> list[Message]:
    """The newest messages that fit, in order; it begins with a user's message, as every wire wants it."""
    kept: list[Message] = []
    for message in reversed(history):
        room -= _size(message)
        if room < 0:
            break
        kept.append(message)
    kept.reverse()
    while kept and len(kept) < len(history) and kept[0].role == "assistant":
        kept.pop(0)
    return kept


def _fit(rounds: Sequence[RoundState], sizes: Sequence[int], room: int) -> tuple[list[Message], int]:
    """The messages of the turn and how many results they lack, wholly or in part."""
    turn = [message for round in rounds for message in round.messages()]
    excess = sum(sizes) - room
    if excess <= 0:
        return turn, 0
    newest = len(rounds[-1].messages()) if rounds else 0
    cut = 0
    for index in range(len(turn) - newest):
        if excess <= 0:
            return turn, cut
        freed = _size(turn[index]) - len(LEFT_OUT)
        if turn[index].role == "tool" and freed > 0:
            turn[index] = _with_content(turn[index], LEFT_OUT)
            excess -= freed
            cut += 1
    return _shorten(turn, len(turn) - newest, excess, cut)


def _shorten(turn: list[Message], first: int, excess: int, cut: int) -> tuple[list[Message], int]:
    results = [index for index in range(first, len(turn)) if turn[index].role == "tool"]
    whole = sum(_size(turn[index]) for index in results)
    for index in results:
        size = _size(turn[index])
        share = max(_SHORTEST_RESULT, size - (excess * size // max(whole, 1)) - 120)
        if share < size:
            part: JsonObject = {"untrusted": True, "truncated": True, "text": _content(turn[index])[:share]}
            turn[index] = _with_content(turn[index], encode(part))
            cut += 1
    return turn, cut


def _with_content(message: Message, content: str) -> Message:
    part = message.parts[0]
    assert isinstance(part, ToolResult)
    return Message("tool", (replace(part, content=content),))


def _content(message: Message) -> str:
    part = message.parts[0]
    return part.content if isinstance(part, ToolResult) else ""


def _size(message: Message) -> int:
    total = 0
    for part in message.parts:
        if isinstance(part, ToolCall):
            total += (
                len(part.tool) + (len(encode(part.arguments)) if part.arguments is not None else len(part.raw)) + 20
            )
        elif isinstance(part, ToolResult):
            total += len(part.content)
        else:
            total += len(part.text)
    return total + (_replay_size(message.replay) if message.replay else 0)


def _replay_size(replay: Replay) -> int:
    """The provider's own form repeats the text and the calls; only what it holds beyond them counts, at least nothing."""
    return max(0, len(encode(replay.data)) // 2)


def _round_size(round: RoundState) -> int:
    if round.size is None:
        size = sum(map(_size, round.messages()))
        if not round.complete:
            return size
        round.size = size
    return round.size
