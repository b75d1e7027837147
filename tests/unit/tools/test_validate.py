"""Arguments: coercion by the documented rule, everything else refused with what is allowed."""

from __future__ import annotations

import time
from typing import Literal

import pytest

from famulus.errors import Invalid, ToolError
from famulus.tools.base import ToolContext, ToolOutput
from famulus.tools.schema import schema_of
from famulus.tools.validate import ArgumentValidator, check_schema


async def find_items(
    context: ToolContext,
    query: str,
    max_price: int | None = None,
    ratio: float | None = None,
    exact: bool = False,
    tags: list[str] | None = None,
    order: Literal["up", "down"] = "up",
) -> ToolOutput:
    """Finds."""
    return ToolOutput(query)


VALIDATOR = ArgumentValidator("find_items", schema_of(find_items).parameters)


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"max_price": "5"}, {"max_price": 5}),
        ({"max_price": " -5 "}, {"max_price": -5}),
        ({"max_price": 5.0}, {"max_price": 5}),
        ({"ratio": "0.5"}, {"ratio": 0.5}),
        ({"ratio": "7"}, {"ratio": 7}),
        ({"exact": "True"}, {"exact": True}),
        ({"tags": "one"}, {"tags": ["one"]}),
        ({"max_price": None}, {}),
    ],
)
def test_lossless_forms_are_read(given: dict[str, object], read: dict[str, object]) -> None:
    assert VALIDATOR.check({"query": "a"} | given) == {"query": "a"} | read


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_price": "5.5"},
        {"max_price": "five"},
        {"max_price": "05"},
        {"max_price": "1e2"},
        {"max_price": True},
        {"max_price": ""},
        {"ratio": "NaN"},
        {"ratio": "٣"},
        {"exact": "yes"},
        {"exact": 1},
        {"tags": [1]},
        {"order": "sideways"},
        {"query": None},
        {"query": 5},
    ],
)
def test_lossy_and_wrong_forms_are_refused_with_the_allowed_names(wrong: dict[str, object]) -> None:
    with pytest.raises(ToolError, match="find_items takes: query \\(required\\), max_price"):
        VALIDATOR.check({"query": "a"} | wrong)


def test_invented_name_is_refused_with_the_near_one() -> None:
    with pytest.raises(ToolError, match=r"Unknown argument 'maximum_price'.*Did you mean 'max_price'"):
        VALIDATOR.check({"query": "a", "maximum_price": 5})


def test_missing_argument_is_told() -> None:
    with pytest.raises(ToolError, match='"query" is a required property'):
        VALIDATOR.check({})


def deep(levels: int) -> object:
    value: object = "x"
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "bomb",
    [
        {"query": "x" * 5_000_000},
        {"query": deep(10_000)},
        {"query": "a", "max_price": 10**70_000},
        {"query": "a", "ratio": float("nan")},
        {"query": "a", "ratio": float("inf")},
        {"query": "\ud800"},
        {"query": "a", "tags": ["x"] * 100_000},
        {f"k{index}": 1 for index in range(100_000)},
    ],
)
def test_b08_argument_bombs_are_refused_quickly_and_told_shortly(bomb: dict[str, object]) -> None:
    started = time.process_time()
    with pytest.raises(ToolError) as caught:
        VALIDATOR.check(bomb)
    assert len(str(caught.value)) < 1_000
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"$ref": "http://127.0.0.1:1/x"}, "inside itself"),
        ({"$ref": "file:///etc/passwd"}, "inside itself"),
        ({"properties": {"a": {"$dynamicRef": "other.json"}}}, "inside itself"),
        ({"enum": ["x"] * 6_000}, "too many"),
        ({"description": "x" * 300_000}, "larger than"),
    ],
)
def test_dangerous_schema_never_reaches_the_validator(schema: dict[str, object], reason: str) -> None:
    with pytest.raises(Invalid, match=reason):
        check_schema(schema)


def test_catastrophic_pattern_is_harmless() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}},
        "additionalProperties": False,
    }
    started = time.process_time()
    with pytest.raises(ToolError):
        ArgumentValidator("t", schema).check({"a": "a" * 30 + "!"})
    assert time.process_time() - started < 0.5
