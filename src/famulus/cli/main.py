"""The command line. One file per noun, imported when its command is called: `famulus --help` loads nothing heavy."""

from __future__ import annotations

import importlib
from typing import Final

import click

# Command → (module of this package, what it does). The text stands here so that the overview needs no import.
COMMANDS: Final = {
    "serve": ("serve", "Web page, API and worker in one process."),
    "worker": ("worker", "A further worker on the same PostgreSQL."),
    "add": ("add", "Put files or folders into a knowledge base."),
    "ask": ("ask", "Ask a question; the answer cites its sources."),
    "search": ("search", "Search without a model."),
    "eval": ("eval", "Measure answers on a question set."),
    "kb": ("kb", "Look at and remove knowledge bases."),
    "doc": ("doc", "Look at and remove documents."),
    "models": ("models", "Which models can be used."),
    "tools": ("tools", "Which tools a run may use."),
    "runs": ("runs", "Look at runs."),
    "token": ("token", "Make and revoke API tokens and sign-in links."),
    "backup": ("backup", "Copy the data folder into one file."),
    "restore": ("restore", "Make a data folder from a backup."),
    "doctor": ("doctor", "Check the installation, the models and the documents."),
}


class LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"famulus.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="famulus", message="famulus %(version)s")
@click.option(
    "--data",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="The data folder (default: FAMULUS_DATA, else the platform's; `doctor` names it).",
)
def main(data: str | None) -> None:
    """Famulus answers questions from your documents and cites the exact passages."""
