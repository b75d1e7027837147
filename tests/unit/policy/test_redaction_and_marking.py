"""Secrets out of text; untrusted data marked."""

from __future__ import annotations

import pytest

from famulus.policy.redaction import REDACTED, Redactor
from famulus.policy.untrusted import escape_template_tokens, mark


@pytest.mark.parametrize(
    "secret",
    [
        "sk-proj-abcdefghijklmnop",
        "ghp_abcdefghijklmnopqrstuv",
        "AKIAABCDEFGHIJKLMNOP",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefgh",
        "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----",
    ],
)
def test_what_looks_like_a_credential_leaves_foreign_text(secret: str) -> None:
    assert secret not in Redactor().foreign(f"before {secret} after")


def test_named_secret_leaves_foreign_text_and_the_name_stays() -> None:
    assert (
        Redactor().foreign("https://x.example/?api_key=abc123def&x=1") == f"https://x.example/?api_key={REDACTED}&x=1"
    )


def test_known_secret_leaves_every_text_and_short_ones_are_ignored() -> None:
    redactor = Redactor(["a-configured-key", "the"])
    assert redactor.known("the a-configured-key") == f"the {REDACTED}"


def test_mark_comes_first_and_cannot_be_undone_by_the_data() -> None:
    assert next(iter(mark({"text": "x", "untrusted": False}).items())) == ("untrusted", True)
    assert mark(["a"]) == {"untrusted": True, "value": ["a"]}


@pytest.mark.parametrize(
    "token", ["<|im_start|>", "<|eot_id|>", "[INST]", "[/INST]", "<<SYS>>", "</s>", "<start_of_turn>", "</tool_call>"]
)
def test_template_tokens_are_broken_up(token: str) -> None:
    assert token not in escape_template_tokens(f"a{token}b")


def test_ordinary_text_stays() -> None:
    text = "a < b, x[1] = [in] </p> <span> 5 <| 6"
    assert escape_template_tokens(text) == text
