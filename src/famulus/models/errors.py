"""How a model call fails: one taxonomy for all providers, made to decide whether to try again and what to tell the user."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal
from urllib.parse import quote

from famulus.errors import ModelError

Kind = Literal[
    "rate_limit", "quota", "overloaded", "unavailable", "connection", "timeout", "rejected", "context_exceeded", "auth", "not_found",
]  # fmt: skip
RETRYABLE: frozenset[Kind] = frozenset({"rate_limit", "overloaded", "unavailable", "connection", "timeout"})

ADVICE: dict[Kind, str] = {
    "rate_limit": "it limits how often it answers; try again later",
    "quota": "the account's quota or credit is used up",
    "overloaded": "it is overloaded; try again later",
    "unavailable": "it has an error of its own; try again later",
    "connection": "the connection failed; check that it is running and its base_url is right",
    "timeout": "it did not answer in time",
    "rejected": "it refused the request",
    "context_exceeded": "the conversation is longer than the model's context window",
    "auth": "it refused the API key; check api_key",
    "not_found": "it does not have this model or path; check the model's name and base_url",
}


class ModelFailed(ModelError):
    """A model call that failed. `before_first_token`: nothing of the answer had come, so trying again repeats nothing.

    `kind` is one of `Kind`, the code `model_<kind>`. The message never holds the provider's key.
    """

    def __init__(
        self,
        kind: Kind,
        provider: str,
        detail: str = "",
        *,
        retry_after_s: float | None = None,
        before_first_token: bool = True,
        status: int | None = None,
        param: str | None = None,
    ) -> None:
        text = f"model provider {provider!r}: {ADVICE[kind]}"
        super().__init__(f"{text} ({detail})" if detail else text, code=f"model_{kind}")
        self.kind: Kind = kind
        self.provider = provider
        self.detail = detail
        self.retry_after_s = retry_after_s
        self.before_first_token = before_first_token
        self.status = status
        self.param = param

    @property
    def retryable(self) -> bool:
        return self.before_first_token and self.kind in RETRYABLE


class BudgetExceeded(ModelError):
    """The run's cost limit does not allow another call, or the price is unknown, and unknown is not free."""

    code = "budget_exceeded"

    def __init__(self, message: str, *, limit: Decimal, spent: Decimal, code: str | None = None) -> None:
        super().__init__(message, code=code)
        self.limit = limit
        self.spent = spent


SECRET = re.compile(r"(?i)\b(sk-[a-z0-9_-]{6,}|bearer\s+\S+|(?:api[_-]?key|key|token|secret|password)=[^\s&\"']+)")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
MAX_DETAIL = 500


def detail_of(text: str, api_key: str | None) -> str:
    """A provider's words as an error may show them: one line, bounded, without the key in any form it may echo."""
    for form in forms_of(api_key):
        text = text.replace(form, "***")
    text = CONTROL.sub(" ", SECRET.sub("***", text)).strip()
    return text if len(text) <= MAX_DETAIL else text[: MAX_DETAIL - 1] + "…"


def forms_of(api_key: str | None) -> list[str]:
    """The key, escaped for URLs, and its long head, which some providers echo with the tail masked."""
    if not api_key:
        return []
    forms = {api_key, quote(api_key, safe="")}
    if len(api_key) >= 16:
        forms.add(api_key[:12])
    return sorted(forms, key=len, reverse=True)
