"""The errors of the Anthropic API. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from famulus.models.errors import Kind
from famulus.models.providers.wire import Refusal, as_object, as_text, kind_of_status, parse, retry_after

KINDS: dict[str, Kind] = {
    "rate_limit_error": "rate_limit",
    "overloaded_error": "overloaded",
    "authentication_error": "auth",
    "permission_error": "auth",
    "billing_error": "quota",
    "not_found_error": "not_found",
    "request_too_large": "context_exceeded",
    "timeout_error": "timeout",
    "api_error": "unavailable",
    "invalid_request_error": "rejected",
}
CONTEXT = re.compile(r"prompt is too long|context (?:window|limit|length)|too many (?:input )?tokens", re.IGNORECASE)
QUOTA = re.compile(r"credit balance|billing|usage limit", re.IGNORECASE)
PARAMETER = re.compile(r"^([a-z_]+)(?:\.|:)|`([a-z_]+)`")


def refusal(status: int, headers: Mapping[str, str], body: bytes) -> Refusal:
    error = as_object(as_object(parse(body)).get("error"))
    message = as_text(error.get("message")) or body[:300].decode("utf-8", "replace")
    kind = KINDS.get(as_text(error.get("type")), "unavailable")
    if kind == "unavailable":
        kind = kind_of_status(status)
    if kind == "rejected" and CONTEXT.search(message):
        kind = "context_exceeded"
    if kind in ("rejected", "rate_limit") and QUOTA.search(message):
        kind = "quota"
    named = PARAMETER.search(message)
    return Refusal(kind, message, (named[1] or named[2]) if named else None, retry_after(headers))


def stream_refusal(error: Mapping[str, object]) -> Refusal:
    return Refusal(KINDS.get(as_text(error.get("type")), "unavailable"), as_text(error.get("message")))
