"""Untrusted text on a terminal is shown, never obeyed."""

import subprocess
import sys

import pytest

from famulus.cli.common import one_line, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J\x1b]52;c;AAAA\x07", "␛[2J␛]52;c;AAAA␇"),
        ("safe\rEVIL", "safe␍EVIL"),
        ("abc\u202edcb", "abc<U+202E>dcb"),
        ("\x9b31m", "<9b>31m"),
        ("two\nlines\tand ü 漢字 😀", "two\nlines\tand ü 漢字 😀"),
        ("\ud800", "\ufffd"),
    ],
)
def test_controls_are_made_visible(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_one_line_is_bounded() -> None:
    assert one_line("a\n\n  b " + "c" * 300, 10) == "a b ccccc…"


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['famulus', '--help']\n"
        "from famulus.__main__ import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "heavy = {'pydantic', 'sqlalchemy', 'fastapi', 'numpy', 'rich', 'aiohttp', 'asyncio'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
