"""From names to providers, and what a failing provider does to the list of models."""

from __future__ import annotations

import pytest

from famulus.errors import Invalid, NotFound
from famulus.messages.values import Principal
from famulus.models.errors import ModelFailed, detail_of
from famulus.models.gateway import Gateway
from famulus.models.providers.build import build_providers
from famulus.models.selector import Selector
from famulus.models.settings import ModelSettings, ProviderKind, ProviderSettings
from famulus.net.client import NetClient
from famulus.net.policy import EgressPolicy
from famulus.testing.model_servers import ScriptedModel


def selector(*names: str) -> Selector:
    return Selector(build_providers([ProviderSettings(name, "openai") for name in names], NetClient(EgressPolicy())))


def test_the_first_slash_ends_the_providers_name() -> None:
    provider, model = selector("router").pick("router/meta-llama/llama-4")
    assert (provider.name, model) == ("router", "meta-llama/llama-4")


@pytest.mark.parametrize(
    ("name", "error"), [("llama", Invalid), ("p/", Invalid), ("", Invalid), ("olama/x", NotFound), ("zzz/x", NotFound)]
)
def test_wrong_names_say_what_there_is(name: str, error: type[Exception]) -> None:
    with pytest.raises(error, match="ollama"):
        selector("ollama").pick(name)


def test_every_kind_has_a_provider() -> None:
    kinds: list[ProviderKind] = ["ollama", "openai", "openai_responses", "anthropic", "mistral", "perplexity"]
    providers = build_providers([ProviderSettings(kind, kind) for kind in kinds], NetClient(EgressPolicy()))
    assert [provider.kind for provider in providers] == kinds


async def test_a_provider_that_is_down_does_not_hide_the_others() -> None:
    async with ScriptedModel("openai") as server:
        settings = [
            ProviderSettings("up", "openai", server.base_url),
            ProviderSettings("down", "openai", "http://127.0.0.1:9999/v1"),
        ]
        net = NetClient(EgressPolicy(providers=frozenset(one.url for one in settings)))
        infos = await Gateway(build_providers(settings, net)).models(Principal("t", "u"))
        await net.aclose()
    assert {info.provider for info in infos} == {"up"}


async def test_a_private_address_that_is_not_the_configured_one_is_refused() -> None:
    settings = [ProviderSettings("p", "openai", "http://127.0.0.1:9999/v1")]
    net = NetClient(EgressPolicy())
    with pytest.raises(ModelFailed, match="refused"):
        await build_providers(settings, net)[0].models()
    await net.aclose()


async def test_configured_models_are_known_while_their_provider_is_down() -> None:
    models = (ModelSettings("llama", context_window=8192),)
    for kind in ("openai", "ollama"):
        settings = [ProviderSettings("down", kind, "http://127.0.0.1:9999", models=models)]
        net = NetClient(EgressPolicy(providers=frozenset({settings[0].url})))
        infos = await Gateway(build_providers(settings, net)).models(Principal("t", "u"))
        await net.aclose()
        assert [(info.name, info.context_window) for info in infos] == [("down/llama", 8192)]


def test_keys_and_control_characters_never_reach_a_message() -> None:
    key = "my-secret-key/with+signs"
    text = detail_of(
        f"bad {key}\n\x1b[31m my-secret-key%2Fwith%2Bsigns Bearer abc sk-abcdefgh1234 https://x/?api_key=zzz&y=1", key
    )
    assert text == "bad *** [31m *** *** *** https://x/?***&y=1"
    assert len(detail_of("x" * 9999, None)) == 500


def test_settings_do_not_print_the_key() -> None:
    assert "secret" not in repr(ProviderSettings("p", "openai", api_key="secret"))
