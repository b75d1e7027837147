"""The context window of native Ollama, and finding it on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.models.conftest import MakeBench

from famulus.messages.values import Message, Text
from famulus.models import settings as model_settings
from famulus.models.base import ModelNotice, ModelRequest
from famulus.models.errors import ModelFailed
from famulus.models.providers.ollama.provider import discover
from famulus.models.providers.ollama.request import window
from famulus.models.settings import ModelSettings
from famulus.net.client import NetClient
from famulus.net.policy import EgressPolicy
from famulus.testing.model_servers import Say, ScriptedModel, Served, Tokens

LONG = (
    Message("system", (Text("The code word is ZEBRA."),)),
    Message("user", (Text("word " * 5000 + "and the question"),)),
)


async def test_case_34_the_window_is_large_enough_for_the_whole_conversation(bench: MakeBench) -> None:
    async with bench("ollama", [Say("ok")]) as b:
        items = await b.ask(*LONG)
    options = b.server.bodies[0]["options"]
    assert options["num_ctx"] % 4096 == 0
    assert options["num_ctx"] >= 6250 + 2048
    assert not [item for item in items if isinstance(item, ModelNotice)]


async def test_case_34_a_prompt_that_the_server_cut_is_told(bench: MakeBench) -> None:
    async with bench("ollama", [[Say("ok"), Tokens(input=600, output=1)]]) as b:
        items = await b.ask(*LONG)
    notices = [item for item in items if isinstance(item, ModelNotice)]
    assert [notice.code for notice in notices] == ["context_cut"]
    assert "600" in notices[0].message


async def test_a_prompt_over_the_cap_is_refused_instead_of_cut(bench: MakeBench) -> None:
    async with bench("ollama", [Say("no")], models=(ModelSettings("test-model", context_window=4096),)) as b:
        with pytest.raises(ModelFailed) as caught:
            await b.ask(*LONG)
    assert caught.value.kind == "context_exceeded"
    assert b.server.bodies[0]["options"]["num_ctx"] == 4096


async def test_the_window_never_shrinks_for_each_change_reloads_the_model(bench: MakeBench) -> None:
    async with bench("ollama", [Say("a"), Say("b")]) as b:
        await b.ask(*LONG)
        await b.ask()
    first, second = (body["options"]["num_ctx"] for body in b.server.bodies)
    assert first == second > 4096


@pytest.mark.parametrize(
    ("needed", "model", "cap", "before", "size"),
    [(100, 131072, 32768, 0, 4096), (4097, 131072, 32768, 0, 8192), (40000, 131072, 32768, 0, 32768), (9000, 8192, 32768, 0, 8192), (100, None, 32768, 12288, 12288), (100, 2048, 32768, 0, 2048)],
)  # fmt: skip
def test_windows_are_steps_up_to_the_cap(needed: int, model: int | None, cap: int, before: int, size: int) -> None:
    assert window(needed, model, cap, before) == size


async def test_the_window_shown_is_the_one_used(bench: MakeBench) -> None:
    async with bench("ollama", [], served=Served(context_window=8192)) as b:
        assert (await b.gateway.info("p/test-model")).context_window == 8192


async def test_ollama_is_found_at_its_usual_address(monkeypatch: pytest.MonkeyPatch) -> None:
    async with ScriptedModel("ollama") as server:
        monkeypatch.setitem(model_settings.DEFAULT_URLS, "ollama", server.base_url)
        net = NetClient(EgressPolicy(providers=frozenset({server.base_url})))
        found = await discover(net)
        await net.aclose()
    assert found is not None
    assert (found.kind, found.local, found.url) == ("ollama", True, server.base_url)


async def test_nothing_there_is_nothing_found(monkeypatch: pytest.MonkeyPatch) -> None:
    async with ScriptedModel("openai") as server:
        monkeypatch.setitem(model_settings.DEFAULT_URLS, "ollama", server.origin)
        net = NetClient(EgressPolicy(providers=frozenset({server.origin})))
        other = await discover(net)
        closed = NetClient(EgressPolicy())
        refused = await discover(closed)
        await net.aclose()
        await closed.aclose()
    assert (other, refused) == (None, None)


def test_requests_have_no_output_limit_of_their_own() -> None:
    assert ModelRequest("p/m", ()).max_output_tokens is None
