"""The errors of Chat Completions and Responses, and of servers that only resemble them. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from famulus.models.errors import Kind
from famulus.models.providers.wire import Refusal, as_list, as_object, as_text, kind_of_status, parse, retry_after

CONTEXT = re.compile(
    r"context.?(?:length|window|size)|maximum context|too many tokens|prompt is too long|input (?:length|is too long)|"
    r"exceeds? the (?:available )?context|reduce the length|max(?:imum)?.{0,20}tokens.{0,40}(?:prompt|input)",
    re.IGNORECASE,
)
QUOTA = re.compile(
    r"insufficient_quota|exceeded your current quota|billing|credit|payment|insufficient balance", re.IGNORECASE
)
NO_MODEL = re.compile(
    r"model.{0,80}(?:not (?:found|exist)|does not exist|unknown)|invalid model|no such model", re.IGNORECASE
)


def refusal(status: int, headers: Mapping[str, str], body: bytes) -> Refusal:
    error = error_of(body)
    message, code, kind = message_of(error, body), as_text(error.get("code")), as_text(error.get("type"))
    return Refusal(classify(status, code, kind, message), message, param_of(error), retry_after(headers))


def stream_refusal(data: bytes) -> Refusal:
    """An error frame in a stream that began with 200."""
    error = error_of(data)
    message, kind = message_of(error, data), as_text(error.get("type")) or as_text(error.get("code"))
    code = error.get("code")
    status = code if isinstance(code, int) else 0
    if not status:
        named = {"rate_limit": 429, "overloaded": 529, "server": 500, "timeout": 504, "invalid": 400}
        status = next((number for word, number in named.items() if word in kind), 500)
    return Refusal(classify(status, "", kind, message), message)


def error_of(body: bytes) -> Mapping[str, object]:
    """The error object wherever a server puts it: under `error`, under `detail`, or at the top."""
    value = as_object(parse(body))
    error = value.get("error")
    if isinstance(error, str):
        return {"message": error} | {k: v for k, v in value.items() if k != "error"}
    return as_object(error) or value


def message_of(error: Mapping[str, object], body: bytes) -> str:
    message = error.get("message") or error.get("detail")
    if isinstance(message, str) and message:
        return message
    details = as_list(as_object(message).get("detail")) or as_list(message)
    told = [
        f"{'.'.join(map(str, as_list(as_object(d).get('loc'))))}: {as_text(as_object(d).get('msg'))}" for d in details
    ]
    return "; ".join(told) or plain(body)


def plain(body: bytes) -> str:
    """The text of a body that is no JSON, for example a proxy's page."""
    text = re.sub(r"<[^>]*>", " ", body[:4000].decode("utf-8", "replace"))
    return re.sub(r"\s+", " ", text).strip()[:300]


def param_of(error: Mapping[str, object]) -> str | None:
    """The parameter that a refusal names: its own field, or the place in a list of validation errors."""
    param = error.get("param")
    if isinstance(param, str) and param:
        return param
    message = error.get("message") or error.get("detail")
    details = as_list(as_object(message).get("detail")) or as_list(message)
    places = as_list(as_object(details[0]).get("loc")) if details else []
    return str(places[-1]) if places else None


def classify(status: int, code: str, kind: str, message: str) -> Kind:
    told = f"{code} {kind} {message}"
    if status in (400, 413, 422) and CONTEXT.search(told):
        return "context_exceeded"
    if status in (402, 429) and QUOTA.search(told):
        return "quota"
    if status in (400, 404) and NO_MODEL.search(told):
        return "not_found"
    if status in (400, 403) and "api key" in message.lower():
        return "auth"
    if "overloaded" in told.lower() and status != 429:
        return "overloaded"
    return kind_of_status(status)
