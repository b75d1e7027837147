"""The errors of Ollama: one sentence, no codes. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from famulus.models.errors import Kind
from famulus.models.providers.wire import Refusal, as_object, as_text, kind_of_status, parse, retry_after

SENTENCES: tuple[tuple[str, Kind], ...] = (
    (r"context length|prompt is too long|exceeds? the context|input length", "context_exceeded"),
    (r"model .*not found|no such model|pull the model", "not_found"),
    (r"requires more system memory|out of memory|unable to load|loading model|busy|queue", "overloaded"),
    (r"usage limit|subscription", "quota"),
)
PARAMETER = re.compile(r"does not support (thinking|tools)")


def refusal(status: int, headers: Mapping[str, str], body: bytes) -> Refusal:
    message = as_text(as_object(parse(body)).get("error")) or body[:300].decode("utf-8", "replace")
    named = PARAMETER.search(message)
    param = {"thinking": "think", "tools": "tools"}[named[1]] if named else None
    return Refusal(kind_of(message, status), message, param, retry_after(headers))


def kind_of(message: str, status: int) -> Kind:
    for words, kind in SENTENCES:
        if re.search(words, message, re.IGNORECASE):
            return kind
    return kind_of_status(status)
