"""The input of a run: what it accepts, and that the log keeps it whole."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from famulus.agent.request import Budget, RunInput, from_json, to_json, tools_of_run
from famulus.errors import Invalid
from famulus.messages.values import Message, Text
from famulus.testing.agent import AgentBench
from famulus.testing.scripted import Say, ScriptedModel
from famulus.tools.base import SearchDefaults


class NoWeb:
    """Stands for the network; must not be asked."""

    async def get(self, url: str, **_: object) -> object:
        raise AssertionError("a request left the machine")


REGISTRY = AgentBench(ScriptedModel(Say("hi")), web=NoWeb()).gate.registry


@pytest.mark.parametrize("value", ["true", "false", 1, 0, 1.0, None, [True], {}, np.bool_(True), "yes"])
def test_b03_only_true_itself_grants_the_web(value: object) -> None:
    with pytest.raises(Invalid, match="allow_web"):
        RunInput("q", "m", allow_web=value)  # type: ignore[arg-type]
    if not isinstance(value, np.bool_):
        with pytest.raises(Invalid, match="allow_web"):
            from_json({"message": "q", "model": "m", "allow_web": value})  # type: ignore[dict-item]


def test_input_comes_back_equal_from_the_log() -> None:
    request = RunInput(
        "q",
        "m/x",
        history=(Message("user", (Text("before"),)), Message("assistant", (Text("answer"),))),
        knowledge_base_ids=("k1", "k2"),
        search=SearchDefaults(7, 0.2, ("a",)),
        tools=("calculate",),
        allow_web=True,
        mode="pipeline",
        max_rounds=3,
        max_calls_per_round=2,
        budget=Budget(Decimal("0.10"), "EUR"),
        temperature=None,
        zone="Europe/Zurich",
        directives=("Be short",),
        conversation_id="c",
        message_id="m",
    )
    assert from_json(to_json(request)) == request


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_rounds": 0},
        {"max_rounds": 101},
        {"max_rounds": True},
        {"mode": "x"},
        {"temperature": "0"},
        {"tools": "all"},
        {"message": 5},
    ],
)
def test_wrong_values_are_told(wrong: dict[str, object]) -> None:
    with pytest.raises(Invalid):
        from_json({"message": "q", "model": "m"} | wrong)  # type: ignore[arg-type]


def test_b01_web_search_is_absent_unless_the_run_allows_it() -> None:
    without = tools_of_run(RunInput("q", "m", knowledge_base_ids=("k",)), REGISTRY)
    asked = tools_of_run(RunInput("q", "m", tools=("web_search", "calculate")), REGISTRY)
    allowed = tools_of_run(RunInput("q", "m", knowledge_base_ids=("k",), allow_web=True), REGISTRY)
    assert "web_search" not in without
    assert asked == ("calculate",)
    assert "web_search" in allowed


def test_run_without_knowledge_has_no_knowledge_tools() -> None:
    names = tools_of_run(RunInput("q", "m", knowledge_base_ids=("k",), use_knowledge=False), REGISTRY)
    assert names == ("get_current_datetime", "calculate")
