"""What all commands share: settings, the product in this process, errors as exit codes, output that cannot drive the terminal."""

from __future__ import annotations

import asyncio
import functools
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, ParamSpec, Protocol

import click

from famulus.cli import hints
from famulus.cli.shown import json_text, printable
from famulus.cli.shown import one_line as one_line
from famulus.errors import ConfigError, FamulusError, Invalid, NotFound, told

if TYPE_CHECKING:
    from famulus.agent.view import RunView
    from famulus.app.famulus import Famulus
    from famulus.app.look import Look
    from famulus.config import Settings
    from famulus.knowledge.bases import KnowledgeBase
    from famulus.messages.values import Principal

P = ParamSpec("P")
FAILED: Final = 1
USAGE: Final = 2
STOPPED_AT_LIMIT: Final = 3
_SETTINGS: Final = "famulus.settings"
# Where the ids are listed that a command takes; the rooms below do not know who asks.
_LISTS: Final = {"doc rm": "`famulus doc list` shows all", "runs show": "`famulus runs list` shows the newest"}

data_option = click.option(
    "--data",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="The data folder (default: FAMULUS_DATA, else the platform's; `doctor` names it).",
)
kb_option = click.option(
    "--kb",
    "names",
    multiple=True,
    metavar="NAME",
    help="Search this knowledge base only, by its name or id; may be given several times.",
)
docs_option = click.option(
    "--docs",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    metavar="PATH",
    help="Read this file or folder first; it is kept and re-used while unchanged.",
)
model_option = click.option(
    "--model", metavar="MODEL", help="The model, PROVIDER/NAME as `models` lists it (default: the one marked there)."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")


def command(function: Callable[P, Coroutine[Any, Any, int | None]]) -> Callable[P, None]:
    """Runs a coroutine as a click command: its value is the exit code; a foreseen error becomes a line and a code."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            code = asyncio.run(function(*args, **kwargs))
        except FamulusError as error:
            tell(f"Error: {_told(error)}")
            sys.exit(_code_of(error))
        except KeyboardInterrupt:
            sys.exit(130)
        sys.exit(code or 0)

    return call


def _code_of(error: FamulusError) -> int:
    """Usage: a name, a value or a setting is wrong. A ConfigError with a code of its own tells of the machine, not of the words."""
    wrong_words = isinstance(error, NotFound | Invalid) or (isinstance(error, ConfigError) and error.code == "config")
    return USAGE if wrong_words else FAILED


def _told(error: FamulusError) -> str:
    from famulus.cli.elsewhere import explain
    from famulus.store.errors import FolderInUse

    context = click.get_current_context(silent=True)
    name = context.command_path.removeprefix(context.find_root().command_path).strip() if context else ""
    if isinstance(error, FolderInUse):
        return explain(error, name, context.params if context else {}, _settings_of(context))
    if isinstance(error, NotFound) and name in _LISTS:
        return f"{told(error).rstrip('.')}; {_LISTS[name]}."
    return told(error)


def _settings_of(context: click.Context | None) -> Settings | None:
    return context.meta.get(_SETTINGS) if context else None


def settings_for(data: str | None, **flags: str | int | bool | None) -> Settings:
    """The settings with these flags on top; `server__port=1` sets `server.port`. Warnings go to standard error."""
    from famulus.config import data_folder, load_settings

    parent = click.get_current_context(silent=True)
    found = data or (parent.find_root().params.get("data") if parent else None)
    hints.remember(data_folder(found))
    settings = load_settings(found, {name.replace("__", "."): value for name, value in flags.items()})
    if parent is not None:
        parent.meta[_SETTINGS] = settings
    for warning in settings.warnings:
        tell(f"Warning: {warning}")
    return settings


@asynccontextmanager
async def opened(
    settings: Settings, *, worker: bool = True, new: bool = True
) -> AsyncGenerator[tuple[Famulus, Principal]]:
    """The product in this process, and its owner. Raises FolderInUse when a server holds the data folder.

    `new` False: the command is about what is stored, so the folder must be there already.
    The operator's log goes to `famulus.log` in the data folder: it is not what the command was asked for.
    """
    from famulus.app.build import build
    from famulus.app.look import require_folder
    from famulus.cli.operator_log import to_file

    if not new:
        require_folder(settings)
    with to_file(settings):
        async with build(settings, worker=worker) as famulus:
            owner, _ = await famulus.accounts.ensure_owner(
                settings.admin_token.get_secret_value() if settings.admin_token else None
            )
            yield famulus, owner


@asynccontextmanager
async def looking(settings: Settings) -> AsyncGenerator[tuple[Look, Principal]]:
    """What is stored, and its owner; quicker than the whole product, and also while a server holds the data folder."""
    from famulus.app.look import look

    async with look(settings) as found:
        try:
            owner = await found.accounts.owner()
        except NotFound:
            owner, _ = await found.accounts.ensure_owner(
                settings.admin_token.get_secret_value() if settings.admin_token else None
            )
        yield found, owner


def local_zone() -> str | None:
    """The IANA name of this machine's time zone, when it has one."""
    try:
        name = str(Path("/etc/localtime").resolve()).partition("/zoneinfo/")[2]
    except OSError:
        return None
    return name or None


def exit_code(view: RunView) -> int:
    """0 done, 1 failed, 3 stopped at a limit."""
    if view.status in ("failed", "stopped"):
        return FAILED
    return STOPPED_AT_LIMIT if view.truncated or view.status != "completed" else 0


class _NamedBases(Protocol):
    async def find(self, principal: Principal, name: str) -> KnowledgeBase | None: ...

    async def get(self, principal: Principal, base_id: str) -> KnowledgeBase: ...


async def base_named(bases: _NamedBases, principal: Principal, name: str) -> KnowledgeBase:
    """The knowledge base of that name or id. Raises NotFound."""
    return await bases.find(principal, name) or await bases.get(principal, name)


def shown_host(host: str) -> str:
    """The host as a browser on this machine reaches it."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"[{host}]" if ":" in host else host


def tell(text: str) -> None:
    """A message to the person, on standard error: nothing in it drives the terminal, and each command in it can be pasted."""
    click.echo(hints.completed(printable(text)), err=True)


def print_json(value: object) -> None:
    """One JSON document on standard output; times are RFC 3339 in UTC, and what drives a terminal is escaped."""
    click.echo(json_text(value, indent=2, default=_plain))


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, Path | Decimal):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")
