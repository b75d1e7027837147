"""The interface of one wire format of a scripted server, and the pieces that all five share."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Protocol, cast

from famulus.testing.model_servers.script import Call, Think, Tokens


@dataclass(frozen=True, slots=True)
class Refusal(Exception):
    """The server's refusal of a request, in the words of the real one."""

    status: int
    message: str
    kind: str | None = None
    param: str | None = None
    code: str | None = None


@dataclass(slots=True)
class Served:
    """What the server offers: the models it knows and how they behave."""

    models: tuple[str, ...] = ("test-model", "o4-mini", "gpt-4o", "gpt-4-test")
    api_key: str | None = None
    context_window: int = 128_000
    tools: bool = True
    thinking: bool = False


class Encoder(Protocol):
    """Writes one answer as frames of bytes."""

    def start(self) -> list[bytes]: ...

    def say(self, piece: str) -> list[bytes]: ...

    def think(self, thought: Think) -> list[bytes]: ...

    def call(self, call: Call, call_id: str) -> list[bytes]: ...

    def end(self, finish: str, tokens: Tokens) -> list[bytes]: ...

    def error(self, message: str, kind: str) -> list[bytes]: ...


class Wire(Protocol):
    """One wire format: where it answers, what it refuses, how it writes."""

    chat_path: str
    base_path: str
    content_type: str

    def check(self, body: dict[str, Any], headers: dict[str, str], served: Served) -> None: ...

    def encoder(self, body: dict[str, Any]) -> Encoder: ...

    def refusal(self, refusal: Refusal) -> dict[str, Any]: ...

    def model_list(self, served: Served) -> dict[str, Any]: ...


def dump(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def sse(value: Any, event: str | None = None) -> bytes:
    head = f"event: {event}\n".encode() if event else b""
    return head + b"data: " + dump(value) + b"\n\n"


def arguments_text(call: Call) -> str:
    return call.raw if call.raw is not None else json.dumps(dict(call.arguments), ensure_ascii=False)


def new_call_id(prefix: str, number: int, length: int = 24) -> str:
    """Stable and unlike any other: the same script gives the same ids."""
    return prefix + hashlib.sha256(f"{prefix}{number}".encode()).hexdigest()[:length]


def estimated_tokens(value: Any) -> int:
    return max(1, len(dump(value)) // 4)


REASONING_MODELS = ("o1", "o3", "o4", "gpt-5")


def is_reasoning(model: str) -> bool:
    return model.startswith(REASONING_MODELS)


def objects(value: Any) -> list[dict[str, Any]]:
    """The list of objects that a body field must be."""
    if not isinstance(value, list):
        raise Refusal(400, "Invalid type: expected an array of objects.", "invalid_request_error")
    found = cast("list[Any]", value)
    if not all(isinstance(item, dict) for item in found):
        raise Refusal(400, "Invalid type: expected an object.", "invalid_request_error")
    return found


def fields(value: Any) -> dict[str, Any]:
    """The value as an object; empty when it is none."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def listed(value: Any) -> list[Any]:
    """The value as a list; empty when it is none."""
    return cast("list[Any]", value) if isinstance(value, list) else []
