"""Settings: layers in order, and a wrong key stops the start with its name."""

from pathlib import Path

import pytest

from famulus.config import load_settings
from famulus.errors import ConfigError


def test_later_layers_win(tmp_path: Path) -> None:
    (tmp_path / "famulus.toml").write_text("[agent]\nmax_rounds = 3\nmax_calls_per_round = 2\n[server]\nport = 1\n")
    settings = load_settings(
        tmp_path, {"server.port": 3}, {"FAMULUS_AGENT__MAX_ROUNDS": "5", "FAMULUS_SERVER__PORT": "2"}
    )
    assert (settings.agent.max_rounds, settings.agent.max_calls_per_round, settings.server.port) == (5, 2, 3)


def test_data_folder_comes_from_the_environment(tmp_path: Path) -> None:
    assert load_settings(environ={"FAMULUS_DATA": str(tmp_path)}).data == tmp_path


def test_tool_settings_have_their_own_names(tmp_path: Path) -> None:
    environ = {"TOOLS_ACCESS_MODE": "all-users", "TOOLS_PRIVATE_NETWORK_ALLOWLIST": "a.lan, b.lan"}
    tools = load_settings(tmp_path, environ=environ).tools
    assert (tools.access_mode, tools.private_network_allowlist) == ("all-users", ("a.lan", "b.lan"))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[agent]\nmax_roundz = 3", "agent.max_roundz"),
        ("[agnt]\nmax_rounds = 3", "agnt"),
        ("[agent]\nmax_rounds = 'many'", "agent.max_rounds"),
        ("[[providers]]\nname = 'a'\nkind = 'olama'", "providers[0].kind"),
        ("[[providers]]\nname = 'builtin'\nkind = 'openai'", "providers[0].name"),
        ("data = '/elsewhere'", "'data'"),
        ("agent = [", "famulus.toml"),
    ],
)
def test_wrong_key_in_the_file_is_named(tmp_path: Path, text: str, named: str) -> None:
    (tmp_path / "famulus.toml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_settings(tmp_path, environ={})
    assert named in str(caught.value)
    assert "famulus.toml" in str(caught.value)


@pytest.mark.parametrize(
    "name", ["FAMULUS_AGENT__MAX_ROUNDZ", "FAMULUS_SURPRISE", "FAMULUS_ADMIN_TOKEN", "FAMULUS_DATABASE_URL"]
)
def test_wrong_variable_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match=name):
        load_settings(tmp_path, environ={name: "short"})


def test_key_is_read_from_variable_or_file_and_hidden(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("from-file\n")
    (tmp_path / "famulus.toml").write_text(
        "[[providers]]\nname='a'\nkind='openai'\napi_key='env:KEY'\n[[providers]]\nname='b'\nkind='openai'\napi_key='file:key'\n"
    )
    settings = load_settings(tmp_path, environ={"KEY": "from-variable"})
    keys = [provider.api_key.get_secret_value() for provider in settings.providers if provider.api_key]
    assert keys == ["from-variable", "from-file"]
    assert "from-" not in repr(settings)
    assert settings.warnings == ()


def test_written_out_key_is_warned_about(tmp_path: Path) -> None:
    path = tmp_path / "famulus.toml"
    path.write_text("[[providers]]\nname='a'\nkind='openai'\napi_key='sk-literal'\n")
    assert "providers[0].api_key" in load_settings(tmp_path, environ={}).warnings[0]


@pytest.mark.parametrize("key", ["env:ABSENT", "file:ABSENT"])
def test_key_that_is_not_there_takes_only_its_provider_out(tmp_path: Path, key: str) -> None:
    text = f"[[providers]]\nname='a'\nkind='openai'\napi_key='{key}'\n[[providers]]\nname='b'\nkind='ollama'\n"
    (tmp_path / "famulus.toml").write_text(text)
    settings = load_settings(tmp_path, environ={})
    assert list(settings.unusable) == ["a"]
    assert "ABSENT" in settings.unusable["a"]
    assert "until then the models of provider 'a' cannot be used" in settings.warnings[0]


@pytest.mark.parametrize(
    ("text", "environ", "meant"),
    [
        ("[agent]\nmax_roundz = 3", {}, "agent.max_rounds"),
        ("[agnt]\nmax_rounds = 3", {}, "agent"),
        ("[server]\nmax_rounds = 3", {}, "agent.max_rounds"),
        ("[[providers]]\nname = 'a'\nkind = 'openai'\napikey = 'env:A'", {}, "providers[0].api_key"),
        ("max_rounds = 3", {}, "agent.max_rounds"),
        ("", {"FAMULUS_SERVER__PROT": "1"}, "server.port"),
        ("", {"FAMULUS_DATABASE_URI": "postgresql://x"}, "database_url"),
    ],
)
def test_near_name_is_offered_for_an_unknown_one(
    tmp_path: Path, text: str, environ: dict[str, str], meant: str
) -> None:
    (tmp_path / "famulus.toml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_settings(tmp_path, environ=environ)
    assert f"is not a setting; did you mean {meant!r}?" in str(caught.value)


def test_nothing_is_offered_where_nothing_is_near(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings(tmp_path, environ={"FAMULUS_COLOUR__PURPLE": "x"})
    assert "did you mean" not in str(caught.value)
