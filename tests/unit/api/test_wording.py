"""A refused value is told in plain words: what must be there instead, without a validator's terms."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest
from pydantic import ValidationError
from pydantic_core.core_schema import ErrorType

from famulus.api.conversations import Rating
from famulus.api.runs import RunRequest
from famulus.api.search import SearchBody
from famulus.api.wording import wording

JARGON = re.compile(
    r"input|instance|valid (string|integer|dict)|constrain|pattern|pars(e|able)|nonetype|pydantic|literal", re.I
)
FACTS = {
    "expected": "'a' or 'b'",
    "gt": 1,
    "ge": 1,
    "lt": 9,
    "le": 9.5,
    "min_length": 1,
    "max_length": 20_000,
    "pattern": "^[0-9]+$",
}


@pytest.mark.parametrize("kind", get_args(ErrorType))
def test_no_kind_of_error_speaks_like_a_validator(kind: str) -> None:
    said = wording(kind, "Value error, must be odd" if kind.endswith("_error") else "Input should be a str", FACTS)
    assert said.startswith(("must ", "is ", "does "))
    assert JARGON.search(said) is None


@pytest.mark.parametrize(
    ("model", "value", "said"),
    [
        (SearchBody, {}, "is missing; add it"),
        (SearchBody, {"query": "x", "k": 1000}, "must be at most 100"),
        (SearchBody, {"query": "x", "k": "5"}, "must be a whole number"),
        (SearchBody, {"query": ""}, "must not be empty"),
        (SearchBody, {"query": "x", "mode": "both"}, "must be 'hybrid', 'keyword' or 'vector'"),
        (SearchBody, {"query": "x", "knowledge_base_ids": ["a"] * 65}, "must have at most 64 items; send fewer"),
        (SearchBody, {"query": "x", "created_after": "soon"}, "must be a time like 2026-03-31T12:00:00Z"),
        (SearchBody, {"query": "x", "kk": 1}, "is an unknown field; remove it or correct its name"),
        (RunRequest, {"message": "x", "use_knowledge": "yes"}, "must be true or false"),
        (RunRequest, {"message": "x", "knowledge_options": 1}, "must be an object with fields"),
        (RunRequest, {"message": "x" * 200_001}, "must have at most 200,000 characters; shorten it"),
        (Rating, {"rating": True}, "must be 1 or -1"),
    ],
)
def test_refusal_says_what_must_be_there(model: Any, value: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(value)
    [error] = caught.value.errors(include_url=False)
    assert wording(error["type"], error["msg"], error.get("ctx") or {}) == said
