"""What there is of models, as far as this machine alone can tell; the guard of the tests fails on a packet to another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from famulus.app.health import Finding
from famulus.app.model_check import check_models
from famulus.config import load_settings
from famulus.testing.model_servers import ScriptedModel, Served

AWAY = "[[providers]]\nname='away'\nkind='anthropic'\napi_key='env:KEY'\n"


async def findings(folder: Path, text: str, agent: str = "") -> dict[str, Finding]:
    (folder / "famulus.toml").write_text(f"{text}\n[agent]\n{agent}\n")
    found = await check_models(load_settings(folder, environ={"KEY": "sk-something"}))
    return {finding.name: finding for finding in found}


async def test_a_server_on_this_machine_is_asked_and_its_model_is_used(tmp_path: Path) -> None:
    async with ScriptedModel("ollama", [], served=Served(models=("qwen3:8b",), context_window=8192)) as server:
        text = f"[[providers]]\nname='here'\nkind='ollama'\nbase_url='{server.base_url}'\nlocal=true\n"
        found = await findings(tmp_path, text)
        paths = {request.path for request in server.requests}
    assert found["provider here"].detail.endswith("1 model: qwen3:8b")
    assert found["model"].detail == "here/qwen3:8b, the first that can call tools (tools, 8,192 tokens, stays here)"
    assert not {path for path in paths if path.endswith(("/chat", "/generate", "/completions"))}


async def test_a_provider_on_another_machine_is_not_asked(tmp_path: Path) -> None:
    found = await findings(tmp_path, AWAY + "[[providers.models]]\nname='m'\ncontext_window=9\ntools=true\n")
    assert "was not asked; 1 model configured" in found["provider away"].detail
    assert found["model"].detail.startswith("away/m, the first that can call tools (tools, 9 tokens, leaves")
    assert "was not asked here" in (await findings(tmp_path, AWAY))["model"].detail


@pytest.mark.parametrize(
    ("model", "status", "said"),
    [
        ("nobody/m", "failed", "no such provider"),
        ("down/m", "failed", "cannot be used now"),
        ("away/m", "ok", "its provider was not asked"),
        ("builtin/extractive", "ok", "no language model is used"),
    ],
)
async def test_the_model_of_the_settings_is_compared_with_what_is_there(
    tmp_path: Path, model: str, status: str, said: str
) -> None:
    down = "[[providers]]\nname='down'\nkind='openai'\nbase_url='http://127.0.0.1:9/v1'\n"
    found = await findings(tmp_path, AWAY + down, f"model='{model}'")
    assert (found["model"].status, said in found["model"].detail) == (status, True)
    assert (found["model"].next is None) == (status == "ok")
    assert found["provider down"].status == "warn"


async def test_a_missing_key_is_told(tmp_path: Path) -> None:
    (tmp_path / "famulus.toml").write_text(AWAY)
    found = await check_models(load_settings(tmp_path, environ={}))
    assert (found[0].status, "'KEY' is not set" in found[0].detail) == ("warn", True)
