"""Writes the reference from the code: `python scripts/reference.py` (`--check` only compares).

Settings, commands, HTTP routes and events cannot be missing in the reference, because they are read from where they are declared.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args, get_origin

import click
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from famulus import config
from famulus.api.app import create_routes
from famulus.api.event_reference import EVENTS
from famulus.cli.main import main as command_line
from famulus.events.types import DURABLE

REFERENCE = Path(__file__).resolve().parent.parent / "docs" / "reference"
NOTE = "<!-- Written by scripts/reference.py; change the code, not this page. -->\n"


def pages() -> dict[str, str]:
    """File name → text."""
    return {"settings.md": settings_page(), "cli.md": cli_page(), "http.md": http_page(), "events.md": events_page()}


# ── settings ──


def settings_page() -> str:
    lines = [
        "# Settings",
        NOTE,
        "Later wins: defaults, `famulus.toml` in the data folder, the environment (`FAMULUS_SECTION__KEY`), flags.",
        "A key that is unknown or has a wrong value stops the start with its name. Lists in the environment are written `a,b` or as JSON.",
        "",
        *_table(config.Settings, "", top=True),
    ]
    for name, field in config.Settings.model_fields.items():
        for section, model in _sections(name, field):
            lines += ["", f"## {section}", "", (model.__doc__ or "").strip(), "", *_table(model, section)]
    return "\n".join(lines) + "\n"


def _sections(name: str, field: FieldInfo) -> Iterator[tuple[str, type[BaseModel]]]:
    model = _model(field.annotation)
    if model is None:
        return
    many = get_origin(field.annotation) is tuple
    title = f"`[[{name}]]`" if many else f"`[{name}]`"
    yield title, model
    for inner, inner_field in model.model_fields.items():
        deeper = _model(inner_field.annotation)
        if deeper is not None:
            yield (
                (f"`[[{name}.{inner}]]`" if get_origin(inner_field.annotation) is tuple else f"`{name}.{inner}`"),
                deeper,
            )
            for last, last_field in deeper.model_fields.items():
                if (deepest := _model(last_field.annotation)) is not None:
                    yield f"`{last}` of `{name}.{inner}`", deepest


def _model(annotation: object) -> type[BaseModel] | None:
    for option in (annotation, *get_args(annotation)):
        if isinstance(option, type) and issubclass(option, BaseModel):
            return option
    return None


def _table(model: type[BaseModel], section: str, *, top: bool = False) -> list[str]:
    lines = ["| key | default | meaning |", "|---|---|---|"]
    for name, field in model.model_fields.items():
        if field.exclude or (top and _model(field.annotation) is not None):
            continue
        lines.append(f"| `{name}` | {_default(field)} | {field.description or ''} {_choices(field)}|")
    return lines


def _default(field: FieldInfo) -> str:
    if field.default is PydanticUndefined and field.default_factory is None:
        return "the platform's" if field is config.Settings.model_fields["data"] else "required"
    value: Any = field.get_default(call_default_factory=True)
    if value is None:
        return ""
    if isinstance(value, tuple):
        return "`[]`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _choices(field: FieldInfo) -> str:
    values = [value for value in get_args(field.annotation) if isinstance(value, str)]
    return f"({' · '.join(f'`{value}`' for value in values)}) " if values else ""


# ── command line ──


def cli_page() -> str:
    lines = [
        "# Command line",
        NOTE,
        "Exit codes: 0 done, 1 failed, 2 wrong use (a wrong option, name, value or setting), 3 stopped at a limit. `--json` prints one JSON document on standard output and nothing else there.",
    ]
    with click.Context(command_line, info_name="famulus") as context:
        for name in command_line.list_commands(context):
            command = command_line.get_command(context, name)
            assert command is not None
            lines += _command(command, f"famulus {name}", context)
    return "\n".join(lines) + "\n"


def _command(command: click.Command, name: str, parent: click.Context) -> Iterator[str]:
    with click.Context(command, info_name=name.split()[-1], parent=parent) as context:
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                found = command.get_command(context, inner)
                assert found is not None
                yield from _command(found, f"{name} {inner}", context)
            return
        usage = " ".join(command.collect_usage_pieces(context))
        yield from ("", f"## {name}", "", f"`{name} {usage}`", "", *_help(command.help or ""), "")
        for parameter in command.get_params(context):
            record = parameter.get_help_record(context)
            if record is not None and isinstance(parameter, click.Option) and parameter.name != "help":
                yield f"- `{record[0]}`: {record[1]}"


def _help(text: str) -> Iterator[str]:
    """What a command says of itself; a paragraph that the terminal shows as it is written is a block of code here."""
    for number, paragraph in enumerate(inspect.cleandoc(text).split("\n\n")):
        verbatim = paragraph.removeprefix("\b\n")
        yield from [""] if number else []
        yield verbatim if verbatim == paragraph else f"```\n{verbatim}\n```"


# ── HTTP ──


def http_page() -> str:
    document = create_routes().openapi()
    lines = [
        "# HTTP API",
        NOTE,
        "Every request but health and the sign-in page needs a session cookie or `Authorization: Bearer TOKEN`. Shapes: `/openapi.json`.",
        "Errors are problem documents (RFC 9457) with an `error_id` that the log has. What a caller may not see answers 404.",
        "Lists are paged: `?limit=&cursor=` → `{items, next_cursor}`.",
    ]
    for tag, operations in _by_tag(document).items():
        lines += ["", f"## {tag}", "", "| call | answers | what |", "|---|---|---|"]
        for method, path, operation in operations:
            answers = " ".join(code for code in operation["responses"] if code.startswith(("2", "3")))
            lines.append(f"| `{method.upper()} {path}` | {answers} | {operation.get('description', '')} |")
    lines += [
        "",
        "## socket",
        "",
        '`WS /api/v1/ws`: the events of all of the caller\'s runs. A client may say `{"after": {"RUN_ID": SEQ}}` to go on where it was.',
    ]
    return "\n".join(lines) + "\n"


def _by_tag(document: Mapping[str, Any]) -> dict[str, list[tuple[str, str, dict[str, Any]]]]:
    found: dict[str, list[tuple[str, str, dict[str, Any]]]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            found.setdefault(operation["tags"][0], []).append((method, path, operation))
    return found


# ── events ──


def events_page() -> str:
    lines = [
        "# Events of a run",
        NOTE,
        "All: `{seq, run_id, type, time, data}`. Durable events have `seq` 1, 2, 3 … without a gap in each run. Text deltas are live only: their `seq` is",
        "that of the last durable event before them, their stream id `SEQ.OFFSET`. A client that comes back sends the last id it had and goes on from there.",
        "",
        "| type | kept | what it says |",
        "|---|---|---|",
        *(f"| `{name}` | {'yes' if name in DURABLE else 'live'} | {text} |" for name, text in EVENTS.items()),
    ]
    return "\n".join(lines) + "\n"


def differing(found: Mapping[str, str]) -> Iterable[str]:
    """The names of pages that are not as they should be."""
    for name, text in found.items():
        path = REFERENCE / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            yield name


def main() -> int:
    arguments = argparse.ArgumentParser(description="Writes the reference.")
    arguments.add_argument("--check", action="store_true", help="compare only")
    found = pages()
    stale = list(differing(found))
    if arguments.parse_args().check:
        print(f"stale: {', '.join(stale)}" if stale else "the reference is current")
        return 1 if stale else 0
    REFERENCE.mkdir(parents=True, exist_ok=True)
    for name in stale:
        (REFERENCE / name).write_text(found[name], encoding="utf-8")
        print(f"wrote {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
