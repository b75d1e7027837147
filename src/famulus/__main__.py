"""Where the two doors meet: the command line, with the HTTP door handed to it for `famulus serve`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from famulus.app.collector import collect_less
from famulus.cli import hints
from famulus.cli.main import main as command_line

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from famulus.app.famulus import Famulus
    from famulus.config import Settings


def web_app(famulus: Famulus, settings: Settings) -> ASGIApp:
    """The HTTP application; imported when a server starts, not when a command does."""
    from famulus.api.app import create_app

    return create_app(famulus, settings)


def main() -> None:
    """The program `famulus`."""
    collect_less()
    command_line(obj=web_app, prog_name=hints.program(), complete_var="_FAMULUS_COMPLETE")


if __name__ == "__main__":
    main()
