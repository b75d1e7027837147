"""The typed settings: defaults, then `famulus.toml` in the data folder, then the environment, then flags.

This module alone reads the environment. Rooms get their section as an argument. A key that is unknown or has a wrong value
stops the start with the key's name and the place it came from.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from types import UnionType
from typing import Annotated, Literal, TypeAlias, Union, cast, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from famulus.config_hints import explain, meant
from famulus.errors import ConfigError

FILE_NAME = "famulus.toml"
ProviderKind = Literal["ollama", "openai", "openai_responses", "anthropic", "mistral", "perplexity"]
WebSearchEngine = Literal["duckduckgo", "tavily", "perplexity", "searxng", "brave", "off"]
Toml: TypeAlias = "str | int | float | bool | list[Toml] | dict[str, Toml] | None"

# Names of the environment that do not follow FAMULUS_SECTION__KEY.
_NAMED = {
    "FAMULUS_DATABASE_URL": ("database_url",),
    "FAMULUS_ADMIN_TOKEN": ("admin_token",),
    "FAMULUS_PROVIDERS": ("providers",),
    "TOOLS_ACCESS_MODE": ("tools", "access_mode"),
    "TOOLS_PRIVATE_NETWORK_ALLOWLIST": ("tools", "private_network_allowlist"),
}


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class Price(_Section):
    """What a model costs. A model without a price has an unknown cost, not a cost of zero."""

    input: float = Field(ge=0, description="Price of `per_tokens` input tokens.")
    output: float = Field(ge=0, description="Price of `per_tokens` output tokens.")
    currency: str = Field(default="CHF", pattern=r"^[A-Z]{3}$", description="Currency code (ISO 4217).")
    per_tokens: int = Field(default=1_000_000, gt=0, description="Number of tokens that the prices are for.")


class ModelSettings(_Section):
    """What is known about one model of a provider; whatever is missing is asked from the provider."""

    name: str = Field(min_length=1, description="Name of the model at its provider.")
    context_window: int | None = Field(default=None, gt=0, description="Context window in tokens.")
    max_output_tokens: int | None = Field(default=None, gt=0, description="Longest answer in tokens.")
    tools: bool | Literal["json_schema"] | None = Field(
        default=None, description="Native tool calls; `json_schema` emulates them with constrained JSON."
    )
    price: Price | None = Field(default=None, description="Price table `{input, output, currency, per_tokens}`.")


class ProviderSettings(_Section):
    """One place that serves models."""

    name: str = Field(
        pattern=r"^[a-z0-9][a-z0-9._-]{0,62}$", description="The part before the slash in a model's name."
    )
    kind: ProviderKind = Field(description="The wire that the provider speaks.")
    base_url: str | None = Field(
        default=None,
        description="Address as in the provider's own SDK: OpenAI kinds with `/v1`, Anthropic and Ollama without.",
    )
    api_key: SecretStr | None = Field(
        default=None, description="`env:VARIABLE` or `file:PATH`; a literal is accepted and warned about."
    )
    local: bool = Field(default=False, description="True when data sent there stays on this machine or site.")
    timeout_s: float = Field(default=600.0, gt=0, le=3600, description="Longest time that one model call may take.")
    models: tuple[ModelSettings, ...] = Field(default=(), description="Models and what is known about them.")

    @field_validator("name")
    @classmethod
    def _not_reserved(cls, name: str) -> str:
        if name == "builtin":
            raise ValueError("'builtin' is the name of the models that come with the product; choose another")
        return name

    @field_validator("base_url")
    @classmethod
    def _is_http(cls, url: str | None) -> str | None:
        if url is not None and not url.startswith(("http://", "https://")):
            raise ValueError("must begin with http:// or https://")
        return url.rstrip("/") if url else None


class ServerSettings(_Section):
    """The HTTP server."""

    host: str = Field(default="127.0.0.1", description="Address to listen on.")
    port: int = Field(default=8710, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    allowed_hosts: tuple[str, ...] = Field(
        default=(), description="Names under which browsers may reach the server, besides loopback."
    )
    secure_cookies: bool = Field(default=False, description="Set the `Secure` mark on cookies; for service behind TLS.")
    session_days: int = Field(default=30, ge=1, le=365, description="How long a browser stays signed in.")


class AgentSettings(_Section):
    """The loop of a run."""

    model: str | None = Field(
        default=None, description="Default model, `provider/model`; without any provider `builtin/extractive`."
    )
    max_rounds: int = Field(
        default=8, ge=1, le=100, description="Rounds before a last answer without tools is asked for."
    )
    max_calls_per_round: int = Field(default=8, ge=1, le=64, description="Tool calls taken from one model response.")
    approval_timeout_s: float = Field(
        default=120.0, gt=0, le=86_400, description="Time after which a silent approval is a refusal."
    )
    budget_amount: Decimal | None = Field(default=None, gt=0, description="Highest cost of a run; none by default.")
    budget_currency: str = Field(default="CHF", pattern=r"^[A-Z]{3}$", description="Currency of `budget_amount`.")


class EmbeddingSettings(_Section):
    """The embedder behind vector search."""

    model: str = Field(
        default="builtin/multilingual-e5-small", description="`builtin/…` needs no network; `off` uses keywords only."
    )
    idle_release_s: float = Field(
        default=120.0, ge=0, description="Memory of an embedder unused for so long is given back."
    )


class ToolSettings(_Section):
    """Which tools exist and who may use them."""

    access_mode: Literal["admins", "all-users"] = Field(
        default="admins", description="Who may use tools (TOOLS_ACCESS_MODE)."
    )
    private_network_allowlist: tuple[str, ...] = Field(
        default=(), description="Exact private hosts that tools may reach (TOOLS_PRIVATE_NETWORK_ALLOWLIST)."
    )
    web_search: WebSearchEngine = Field(
        default="duckduckgo", description="Engine of `web_search`; `off` removes the tool."
    )
    web_search_url: str | None = Field(default=None, description="Address of the SearXNG server.")
    web_search_key: SecretStr | None = Field(
        default=None, description="Key of the engine: `env:VARIABLE` or `file:PATH`."
    )


class LimitSettings(_Section):
    """Sizes and counts that a caller cannot exceed."""

    upload_bytes: int = Field(default=100_000_000, gt=0, description="Largest file of an upload.")
    upload_files: int = Field(default=500, gt=0, description="Most files of one upload.")
    upload_total_bytes: int = Field(default=1_000_000_000, gt=0, description="Largest upload of several files.")
    request_bytes: int = Field(default=4_000_000, gt=0, description="Largest body of any other request.")
    request_idle_s: float = Field(
        default=30.0, gt=0, description="A body of which nothing arrives for so long is given up."
    )
    uploads_at_once: int = Field(default=8, gt=0, description="Uploads that are received at the same time.")
    runs_at_once: int = Field(default=1000, gt=0, description="Runs that one worker process executes at the same time.")


class LogSettings(_Section):
    """The operator's log on standard error; it never holds content or secrets."""

    level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="Least level that is written."
    )


class Settings(_Section):
    """Everything that an operator sets."""

    data: Path = Field(description="The data folder (`--data`, FAMULUS_DATA).")
    database_url: SecretStr | None = Field(
        default=None,
        description="`postgresql://…` selects PostgreSQL (FAMULUS_DATABASE_URL); default: SQLite in the data folder.",
    )
    admin_token: SecretStr | None = Field(
        default=None,
        description="The owner's API token, taken at the first start (FAMULUS_ADMIN_TOKEN); at least 32 characters.",
    )
    providers: tuple[ProviderSettings, ...] = Field(default=(), description="Where models come from.")
    server: ServerSettings = Field(default_factory=ServerSettings)
    agent: AgentSettings = Field(default_factory=AgentSettings)
    embedding: EmbeddingSettings = Field(default_factory=EmbeddingSettings)
    tools: ToolSettings = Field(default_factory=ToolSettings)
    limits: LimitSettings = Field(default_factory=LimitSettings)
    log: LogSettings = Field(default_factory=LogSettings)
    warnings: Annotated[tuple[str, ...], Field(exclude=True)] = ()
    # Provider → why it cannot be used. The others, and all that needs no model of it, go on.
    unusable: Annotated[dict[str, str], Field(exclude=True)] = Field(default_factory=dict[str, str])

    @field_validator("admin_token")
    @classmethod
    def _long_enough(cls, token: SecretStr | None) -> SecretStr | None:
        if token is not None and len(token.get_secret_value()) < 32:
            raise ValueError("must have at least 32 characters")
        return token

    @field_validator("database_url")
    @classmethod
    def _is_postgresql(cls, url: SecretStr | None) -> SecretStr | None:
        if url is not None and not url.get_secret_value().startswith(("postgresql://", "postgres://")):
            raise ValueError("must begin with postgresql://")
        return url

    @field_validator("providers")
    @classmethod
    def _unique_names(cls, providers: tuple[ProviderSettings, ...]) -> tuple[ProviderSettings, ...]:
        names = [provider.name for provider in providers]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two providers are named {name!r}")
        return providers


def default_data_folder() -> Path:
    """The platform's folder for a user's data."""
    import platformdirs

    return platformdirs.user_data_path("famulus", appauthor=False)


def data_folder(named: Path | str | None = None, environ: Mapping[str, str] | None = None) -> Path:
    """The data folder in force, whole: the one that is named, else FAMULUS_DATA, else the platform's."""
    environ = os.environ if environ is None else environ
    return Path(named or environ.get("FAMULUS_DATA") or default_data_folder()).expanduser().absolute()


def load_settings(
    data: Path | str | None = None,
    flags: Mapping[str, str | int | bool | None] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """The settings in force. `flags` maps dotted names (`server.port`) to values; None means not given.

    Raises ConfigError with the name of the wrong key.
    """
    environ = os.environ if environ is None else environ
    folder = data_folder(data, environ)
    tree: dict[str, Toml] = {}
    origins: dict[tuple[str, ...], str] = {}
    for path, value, origin in (
        *_from_file(folder / FILE_NAME),
        *_from_environment(environ),
        *_from_flags(flags or {}),
    ):
        _put(tree, path, value)
        origins[path] = origin
    warnings, unusable = _resolve_secrets(tree, folder, environ)
    try:
        return Settings.model_validate({**tree, "data": folder, "warnings": warnings, "unusable": unusable})
    except ValidationError as error:
        raise ConfigError(explain(error, origins, Settings)) from None


_Layer: TypeAlias = "Iterator[tuple[tuple[str, ...], Toml, str]]"


def _from_file(path: Path) -> _Layer:
    try:
        tree = cast("dict[str, Toml]", tomllib.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{str(path)!r} cannot be read: {error}; correct the file or move it away") from None
    for forbidden in ("data", "warnings", "unusable"):
        if forbidden in tree:
            raise ConfigError(f"{forbidden!r} cannot be set in {str(path)!r}; remove that line")
    for key, value in tree.items():
        if isinstance(value, dict):
            for inner, inner_value in value.items():
                yield (key, inner), inner_value, f"in {path}"
        else:
            yield (key,), value, f"in {path}"


def _from_environment(environ: Mapping[str, str]) -> _Layer:
    for name, raw in sorted(environ.items()):
        if name in _NAMED:
            path = _NAMED[name]
        elif name.startswith("FAMULUS_") and name != "FAMULUS_DATA":
            path = tuple(name.removeprefix("FAMULUS_").lower().split("__"))
            if len(path) != 2:
                hint = meant(tuple(part for part in path if part), Settings) or "; the form is FAMULUS_SECTION__KEY"
                raise ConfigError(f"{name!r} in the environment is not a setting{hint}")
        else:
            continue
        yield path, _parse(path, raw, name), f"from {name}"


def _from_flags(flags: Mapping[str, str | int | bool | None]) -> _Layer:
    for name, value in flags.items():
        if value is not None:
            yield tuple(name.split(".")), value, f"from the flag for {name}"


def _parse(path: tuple[str, ...], raw: str, name: str) -> Toml:
    if raw.lstrip().startswith(("[", "{")):
        try:
            return cast("Toml", json.loads(raw))
        except ValueError:
            raise ConfigError(f"{name} holds no valid JSON") from None
    if _is_list(path):
        return [part.strip() for part in raw.split(",") if part.strip()]
    return raw


def _is_list(path: tuple[str, ...]) -> bool:
    model: type[BaseModel] = Settings
    for index, key in enumerate(path):
        field = model.model_fields.get(key)
        if field is None:
            return False
        options = (
            get_args(field.annotation) if get_origin(field.annotation) in (Union, UnionType) else (field.annotation,)
        )
        if index == len(path) - 1:
            return any(get_origin(option) is tuple for option in options)
        model = cast("type[BaseModel]", options[0])
    return False


def _put(tree: dict[str, Toml], path: tuple[str, ...], value: Toml) -> None:
    for key in path[:-1]:
        inner = tree.setdefault(key, {})
        if not isinstance(inner, dict):
            raise ConfigError(f"{path[0]!r} is a section; write its keys as {path[0]}.KEY")
        tree = inner
    tree[path[-1]] = value


def _resolve_secrets(
    tree: dict[str, Toml], folder: Path, environ: Mapping[str, str]
) -> tuple[list[str], dict[str, str]]:
    """Replace `env:` and `file:` by what they name; return the warnings, and the providers whose key is not there."""
    warnings: list[str] = []
    unusable: dict[str, str] = {}
    providers = tree.get("providers")
    places = [
        (f"providers[{i}].api_key", item, "api_key")
        for i, item in enumerate(providers if isinstance(providers, list) else [])
    ]
    places.append(("tools.web_search_key", tree.get("tools"), "web_search_key"))
    for where, holder, key in places:
        raw = holder.get(key) if isinstance(holder, dict) else None
        if not isinstance(holder, dict) or not isinstance(raw, str):
            continue
        try:
            holder[key] = _secret(raw, folder, environ)
        except _Absent as absent:
            holder[key] = None
            name = holder.get("name")
            what = f"the models of provider {name!r}" if key == "api_key" else "web search with a key"
            warnings.append(f"{where}: {absent}; until then {what} cannot be used")
            if key == "api_key" and isinstance(name, str):
                unusable[name] = str(absent)
        else:
            if holder[key] == raw:
                warnings.append(f"{where} is written out; prefer 'env:VARIABLE' or 'file:PATH'")
    return warnings, unusable


class _Absent(Exception):
    """The place that a secret is said to be in holds none."""


def _secret(raw: str, folder: Path, environ: Mapping[str, str]) -> str:
    """The secret that `raw` names, or `raw` itself. Raises _Absent."""
    if raw.startswith("env:"):
        value = environ.get(raw[4:], "").strip()
        if not value:
            raise _Absent(f"the environment variable {raw[4:]!r} is not set; set it or change the key")
        return value
    if raw.startswith("file:"):
        path = folder / Path(raw[5:]).expanduser()
        try:
            value = path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise _Absent(f"the file {str(path)!r} cannot be read ({error}); put the key there or change it") from None
        if not value:
            raise _Absent(f"the file {str(path)!r} is empty; put the key there or change it")
        return value
    return raw
