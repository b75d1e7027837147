"""The tool gate: who may call what, and what comes back."""

from __future__ import annotations

import asyncio

import pytest

from famulus.errors import ConfigError, EgressRefused, NotFound, ToolError
from famulus.knowledge.base import Scope
from famulus.messages.values import ToolCall
from famulus.policy.limits import Limits
from famulus.policy.redaction import REDACTED, Redactor
from famulus.testing.agent import ANNA
from famulus.testing.scripted import call
from famulus.tools.base import Tool, ToolContext, ToolOutput
from famulus.tools.gate import NOT_FOUND, Gate, GateResult, Prepared, Refused
from famulus.tools.registry import Registry
from famulus.tools.schema import tool

CONTEXT = ToolContext(ANNA, "run-1", Scope("tenant-1", ("kb-1",)), "UTC", "m")


async def echo(context: ToolContext, text: str) -> ToolOutput:
    """Echoes."""
    return ToolOutput({"text": text})


def failing(error: Exception) -> Tool:
    async def fail(context: ToolContext) -> ToolOutput:
        """Fails."""
        raise error

    return tool(fail)


async def execute(gate: Gate, asked: ToolCall) -> GateResult:
    prepared = gate.prepare({asked.tool}, asked)
    assert isinstance(prepared, Prepared)
    return await gate.execute(prepared, CONTEXT)


async def test_allowed_call_runs_and_its_result_is_marked_untrusted() -> None:
    gate = Gate(Registry([tool(echo)]))
    result = await execute(gate, call("echo", {"text": "hi"}))
    assert gate.bound(result).content == '{"untrusted":true,"text":"hi"}'


def test_call_outside_the_allowlist_is_blocked() -> None:
    refused = Gate(Registry([tool(echo)])).prepare({"other"}, call("echo", {"text": "hi"}))
    assert isinstance(refused, Refused)
    assert refused.blocked
    assert "nothing was executed" in refused.error


async def test_handler_that_takes_too_long_is_stopped() -> None:
    async def hang(context: ToolContext) -> ToolOutput:
        """Hangs."""
        await asyncio.Event().wait()
        return ToolOutput({})

    result = await execute(Gate(Registry([tool(hang, timeout_s=0.01)])), call("hang"))
    assert result.status == "failed"
    assert "took longer than 0.01 s" in str(result.error)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ToolError("Give a query."), "Give a query."),
        (NotFound("There is no document 'secret.pdf' of Bob."), NOT_FOUND),
        (EgressRefused("10.0.0.1 is private"), "The address was refused by the network gate (egress_refused)."),
    ],
)
async def test_expected_failures_are_told_in_our_words(error: Exception, text: str) -> None:
    result = await execute(Gate(Registry([failing(error)])), call("fail"))
    assert (result.status, result.error) == ("failed", text)


async def test_unexpected_failure_leaks_nothing_but_a_number() -> None:
    result = await execute(Gate(Registry([failing(ValueError("password=hunter2 at /srv/data"))])), call("fail"))
    assert "hunter2" not in str(result.error)
    assert "/srv" not in str(result.error)
    assert "error" in str(result.error)


async def test_fifth_call_of_one_user_becomes_an_error_text() -> None:
    began, release = [], asyncio.Event()

    async def hold(context: ToolContext) -> ToolOutput:
        """Holds."""
        began.append(1)
        await release.wait()
        return ToolOutput({})

    gate = Gate(Registry([tool(hold)]), limits=Limits(place_wait_s=0.01))
    tasks = [asyncio.ensure_future(execute(gate, call("hold"))) for _ in range(5)]
    fifth = await tasks[4]
    release.set()
    others = await asyncio.gather(*tasks[:4])
    assert fifth.status == "failed"
    assert "running already" in str(fifth.error)
    assert len(began) == 4
    assert all(result.status == "succeeded" for result in others)


async def test_call_that_waits_for_a_place_gets_it() -> None:
    async def short(context: ToolContext) -> ToolOutput:
        """Short."""
        await asyncio.sleep(0)
        return ToolOutput({})

    gate = Gate(Registry([tool(short)]))
    results = await asyncio.gather(*(execute(gate, call("short")) for _ in range(50)))
    assert all(result.status == "succeeded" for result in results)


async def test_large_result_is_bounded_for_the_model_and_kept_whole() -> None:
    async def flood(context: ToolContext) -> ToolOutput:
        """Floods."""
        return ToolOutput({"text": "x" * 5_242_880})

    gate = Gate(Registry([tool(flood)]))
    bounded = gate.bound(await execute(gate, call("flood")))
    assert len(bounded.content) < 24_500
    assert len(bounded.preview) <= 2_000
    assert bounded.truncated
    assert "Ask for less at a time" in bounded.content
    assert len(bounded.full or "") > 5_242_880


def test_recorded_arguments_are_bounded() -> None:
    prepared = Gate(Registry([tool(echo)])).prepare({"echo"}, call("echo", {"text": "x" * 50_000}))
    assert len(str(prepared.recorded["text"])) <= 4_096
    assert prepared.recorded["truncated"] is True


async def test_e09_secrets_in_an_error_of_another_machine_are_redacted() -> None:
    async def fetch(context: ToolContext) -> ToolOutput:
        """Fetches."""
        raise ToolError("500 for Authorization: Bearer abcdefghijkl and our-known-secret-value")

    gate = Gate(Registry([tool(fetch, network=True)]), redactor=Redactor(["our-known-secret-value"]))
    content = gate.bound(await execute(gate, call("fetch"))).content
    assert "abcdefghijkl" not in content
    assert "our-known" not in content
    assert REDACTED in content
    assert content.startswith('{"untrusted":true')


async def test_text_of_a_document_that_looks_like_a_key_stays() -> None:
    gate = Gate(Registry([tool(echo)]))
    key = "sk-abcdefghijklmnopqrstuvwxyz"
    assert key in gate.bound(await execute(gate, call("echo", {"text": key}))).content


def test_two_tools_that_differ_only_in_spelling_are_refused_at_the_start() -> None:
    async def Echo(context: ToolContext) -> ToolOutput:
        """Other."""
        return ToolOutput({})

    with pytest.raises(ConfigError, match="Echo"):
        Registry([tool(echo), tool(Echo)])
