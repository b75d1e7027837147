"""What all commands share: settings, the product in this process, errors as exit codes, output that cannot drive the terminal."""

from __future__ import annotations

import asyncio
import functools
import json
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, ParamSpec

import click

from famulus.errors import ConfigError, FamulusError, UsageError

if TYPE_CHECKING:
    from famulus.agent.view import RunView
    from famulus.app.famulus import Famulus
    from famulus.config import Settings
    from famulus.knowledge.bases import KnowledgeBase
    from famulus.messages.values import Principal

P = ParamSpec("P")
FAILED: Final = 1
USAGE: Final = 2
STOPPED_AT_LIMIT: Final = 3

data_option = click.option(
    "--data",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="The data folder (default: FAMULUS_DATA or the platform's).",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")


def command(function: Callable[P, Coroutine[Any, Any, int | None]]) -> Callable[P, None]:
    """Runs a coroutine as a click command: its value is the exit code; a foreseen error becomes a line and a code."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            code = asyncio.run(function(*args, **kwargs))
        except FamulusError as error:
            click.echo(f"Error: {printable(str(error))}", err=True)
            sys.exit(USAGE if isinstance(error, UsageError | ConfigError) else FAILED)
        except KeyboardInterrupt:
            sys.exit(130)
        sys.exit(code or 0)

    return call


def settings_for(data: str | None, **flags: str | int | bool | None) -> Settings:
    """The settings with these flags on top; `server__port=1` sets `server.port`. Warnings go to standard error."""
    from famulus.config import load_settings

    parent = click.get_current_context(silent=True)
    found = data or (parent.find_root().params.get("data") if parent else None)
    settings = load_settings(found, {name.replace("__", "."): value for name, value in flags.items()})
    for warning in settings.warnings:
        click.echo(f"Warning: {warning}", err=True)
    return settings


@asynccontextmanager
async def opened(settings: Settings, *, worker: bool = True) -> AsyncGenerator[tuple[Famulus, Principal]]:
    """The product in this process, and its owner. Raises ConfigError when a server holds the data folder.

    The operator's log goes to `famulus.log` in the data folder: it is not what the command was asked for.
    """
    from famulus.app.build import build
    from famulus.cli.operator_log import to_file

    with to_file(settings):
        async with build(settings, worker=worker) as famulus:
            owner, _ = await famulus.accounts.ensure_owner(
                settings.admin_token.get_secret_value() if settings.admin_token else None
            )
            yield famulus, owner


def local_zone() -> str | None:
    """The IANA name of this machine's time zone, when it has one."""
    from pathlib import Path

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


async def base_named(famulus: Famulus, principal: Principal, name: str) -> KnowledgeBase:
    """The knowledge base of that name or id. Raises NotFound."""
    found = await famulus.knowledge_bases.find(principal, name)
    return found or await famulus.knowledge_bases.get(principal, name)


def shown_host(host: str) -> str:
    """The host as a browser on this machine reaches it."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"[{host}]" if ":" in host else host


def print_json(value: object) -> None:
    """One JSON document on standard output."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def printable(text: str) -> str:
    """The text without what drives a terminal: escapes, carriage returns and direction marks are shown, not obeyed."""
    return "".join(_shown(c) for c in text)


def one_line(text: str, width: int = 160) -> str:
    """As `printable`, in one line of at most `width` characters."""
    line = " ".join(printable(text).split())
    return line if len(line) <= width else line[: width - 1] + "…"


_DIRECTIONS: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def _shown(c: str) -> str:
    code = ord(c)
    if c in "\n\t":
        return c
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if 0x80 <= code < 0xA0 or c in _DIRECTIONS:
        return f"<{code:02x}>" if code < 0xA0 else f"<U+{code:04X}>"
    if 0xD800 <= code < 0xE000:
        return "�"
    return c
