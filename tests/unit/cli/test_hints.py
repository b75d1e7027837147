"""Every command that the product tells a person to give exists, is written in backquotes, and is printed whole."""

from __future__ import annotations

import ast
import contextlib
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import famulus
from famulus.cli import hints
from famulus.cli.main import COMMANDS, main

SOURCE = Path(famulus.__file__).parent
FOLDERS = ["plain", "two words", "it's", 'a "b" `c` $d', "-x", "\x1b[2J\u202e\nline", "ümlaut"]
# The page and the fakes are no command line.
ELSEWHERE = ("api", "testing")


@pytest.fixture(autouse=True)
def called_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["pytest"])


def texts(tree: ast.AST) -> Iterator[str]:
    """The strings of a module that somebody may read at run time: no docstrings, no help of options."""
    skipped = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "help":
            skipped.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in node.values}
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "VALUE" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.value


def told() -> list[tuple[str, str]]:
    """Each mention of a command with the file that it stands in."""
    found: list[tuple[str, str]] = []
    mention = re.compile(rf".?\bfamulus (?:{'|'.join(COMMANDS)})\b[^`]*.?")
    for file in sorted(SOURCE.rglob("*.py")):
        name = file.relative_to(SOURCE).as_posix()
        if name.split("/")[0] not in ELSEWHERE:
            tree = ast.parse(file.read_text(encoding="utf-8"))
            found += [(name, hit) for text in texts(tree) for hit in mention.findall(text)]
    return found


def parsed(words: list[str]) -> None:
    """Raises click's usage error when the command line is none. What a person fills in may be any name; a path must exist."""
    words = [__file__ if word in ("PATH", "FILE") else word for word in words]
    group: click.Command = main
    with click.Context(main) as context:
        while isinstance(group, click.Group):
            name, found, words = group.resolve_command(context, words)
            assert found is not None, name
            group = found
        with contextlib.suppress(click.exceptions.Exit):
            group.make_context("famulus", words)


def test_hints_are_found_at_all() -> None:
    assert len(told()) >= 12


@pytest.mark.parametrize(("file", "hint"), told())
def test_every_hint_is_a_command_in_backquotes(file: str, hint: str) -> None:
    assert hint.startswith("`famulus "), file
    assert hint.endswith("`"), file
    parsed(shlex.split(hint.strip("`"))[1:])


def test_no_command_prints_a_hint_past_the_helper() -> None:
    """`click.echo` prints a text as it is; `tell` makes the commands in it whole."""
    past: list[str] = []
    for file in (SOURCE / "cli").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "click.echo":
                past += [file.name for text in texts(node) if "`famulus" in text]
    assert past == []


@pytest.mark.parametrize("name", FOLDERS)
def test_a_hint_reaches_the_folder_of_the_command_that_gave_it(name: str, tmp_path: Path) -> None:
    with click.Context(click.Command("famulus")):
        hints.remember(tmp_path / name)
        text = hints.completed(f"see {hints.written('doc', 'list', '--kb', name)}, then `famulus kb list`.")
    shell = ["bash", "-c", 'famulus() { printf "%s\\0" "$@"; }; eval "$1"', "bash"]
    lines = re.findall(r"`((?:'[^']*'|\"[^\"]*\"|[^`'\"])+)`", text)
    heard = [subprocess.run([*shell, line], capture_output=True, text=True, check=True).stdout for line in lines]
    folder = ["--data", str(tmp_path / name)]
    assert [line.split("\0")[:-1] for line in heard] == [
        ["doc", "list", "--kb", name, *folder],
        ["kb", "list", *folder],
    ]


def test_the_usual_folder_needs_no_name_and_another_one_in_the_environment_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FAMULUS_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    from famulus.config import data_folder

    with click.Context(click.Command("famulus")):
        hints.remember(data_folder())
        assert hints.command_line("kb", "list") == "famulus kb list"
        monkeypatch.setenv("FAMULUS_DATA", str(tmp_path / "other"))
        assert hints.command_line("kb", "list").startswith("famulus kb list --data ")


@pytest.mark.parametrize(
    ("called", "shown"),
    [("/else where/bin/famulus", "'/else where/bin/famulus'"), (".venv/bin/famulus", ".venv/bin/famulus")],
)
def test_a_program_that_the_shell_does_not_find_is_named_as_it_was_called(
    called: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [called, "kb", "list"])
    assert hints.program() == shown
