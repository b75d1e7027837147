"""Commands that a person can paste as they stand: the program as it was called here, the same data folder, quoted for the shell.

The rooms below write a command as `famulus doc list` in backquotes; `completed` makes it whole where the text is printed.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import click

from famulus.cli.shown import printable

NAME: Final = "famulus"
_FOLDER: Final = "famulus.data"
_COMMAND: Final = re.compile(rf"""`{NAME} ((?:'[^'\n]*'|"[^"\n]*"|[^`'"\n])+)`""")


def remember(folder: Path) -> None:
    """From now on the hints of this command line are about this data folder."""
    context = click.get_current_context(silent=True)
    if context is not None:
        context.find_root().meta[_FOLDER] = folder


def command_line(*words: str) -> str:
    """The whole command for these words, each quoted; for a line of its own."""
    return _whole(" ".join(quoted(word) for word in words))


def written(*words: str) -> str:
    """The command as it stands within a sentence; `completed` makes it whole."""
    return f"`{NAME} {' '.join(quoted(word) for word in words)}`"


def completed(text: str) -> str:
    """The text with each command in backquotes made whole; words in capitals are for the reader to fill in."""
    return _COMMAND.sub(lambda found: f"`{_whole(found[1])}`", text)


def program() -> str:
    """How this program is called from the same folder: its bare name where the shell finds it, else its path."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return f"{_found(sys.executable, Path(sys.executable).name)} -m {NAME}"
    return _found(str(called), NAME) if called.stem == NAME else NAME


def quoted(word: str) -> str:
    """The word as one word of the shell, also where it holds what a terminal would obey or no text at all."""
    if sys.platform == "win32":
        return subprocess.list2cmdline([word])
    return shlex.quote(word) if printable(word) == word and word.isprintable() else _escaped(os.fsencode(word))


def _whole(words: str) -> str:
    return " ".join([program(), words, *_data_option()])


def _data_option() -> list[str]:
    """`--data` unless a bare call takes the same folder in every shell, with FAMULUS_DATA or without."""
    from famulus.config import data_folder

    context = click.get_current_context(silent=True)
    folder: Path | None = context.find_root().meta.get(_FOLDER) if context else None
    if folder is None or folder == data_folder() == data_folder(environ={}):
        return []
    return ["--data", quoted(str(folder))]


def _found(called: str, name: str) -> str:
    """`name` when the shell finds this very program by it."""
    there = shutil.which(name)
    return name if there is not None and Path(there).absolute() == Path(called).absolute() else quoted(called)


def _escaped(word: bytes) -> str:
    return "$'" + "".join(chr(b) if 0x20 <= b < 0x7F and b not in b"'\\" else f"\\x{b:02x}" for b in word) + "'"
