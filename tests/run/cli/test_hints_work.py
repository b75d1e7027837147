"""The commands that a command prints do their work when they are pasted as they stand, from anywhere."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

HINT = re.compile(r"`(\S*python\S* -m famulus (?:'[^']*'|\"[^\"]*\"|[^`'\"])+)`")


def shell(line: str, tmp_path: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """A bare call would take another folder than the one of the test."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("FAMULUS_", "TOOLS_"))}
    environ = {**kept, "FAMULUS_EMBEDDING__MODEL": "off", "XDG_DATA_HOME": str(tmp_path / "usual"), **environ}
    return subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, timeout=100, env=environ, cwd="/", check=False
    )


def hints_of(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert "Traceback" not in done.stderr
    return [re.sub(r"\bPATH\b", __file__, hint) for hint in HINT.findall(done.stdout + done.stderr)]


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("arguments", "filled"),
    [
        ("kb list", False),
        ("search x", False),
        ("kb list", True),
        ("doc list", True),
        ("runs list", True),
        ("token list", True),
        ("token signin", True),
        ("kb show nowhere", True),
        ("doc list --kb nowhere", True),
        ("ask x --model nobody", True),
        ("ask x --model nobody/x", True),
        ("token revoke x", True),
        ("runs show x", True),
        ("doc rm x", True),
    ],
)
def test_a_printed_command_works_on_the_same_folder(tmp_path: Path, arguments: str, filled: bool) -> None:
    data = tmp_path / "it's my data"
    if filled:
        data.mkdir()
    by_option = arguments != "doc list"
    option = f" --data {shlex.quote(str(data))}" if by_option else ""
    here = {} if by_option else {"FAMULUS_DATA": str(data)}
    lines = hints_of(shell(f"{sys.executable} -m famulus {arguments}{option}", tmp_path, **here))
    assert lines
    for line in lines:
        again = line.replace(" serve ", " doctor ")
        assert shell(again, tmp_path).returncode == 0, again
        assert (data / "famulus.json").exists()
    assert not (tmp_path / "usual").exists()
