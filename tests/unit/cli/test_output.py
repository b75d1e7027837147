"""Untrusted text on a terminal is shown, never obeyed."""

import json
import subprocess
import sys
from datetime import datetime, timedelta, timezone

import pytest

from famulus.app.backup import BackupFailed
from famulus.cli.common import command, one_line, print_json, printable
from famulus.errors import ConfigError, Conflict, FamulusError, Invalid, ModelError, NotFound, TooLarge
from famulus.store.errors import FolderInUse, Unreachable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J\x1b]52;c;AAAA\x07", "␛[2J␛]52;c;AAAA␇"),
        ("safe\rEVIL", "safe␍EVIL"),
        ("abc\u202edcb", "abc<U+202E>dcb"),
        ("\x9b31m", "<9b>31m"),
        ("two\nlines\tand ü 漢字 😀", "two\nlines\tand ü 漢字 😀"),
        ("\ud800", "\ufffd"),
        ("a\u2028b\u2029c", "a<U+2028>b<U+2029>c"),
        ("\u200bzero \ufeffmark \U000e0041tag", "<U+200B>zero <U+FEFF>mark <U+E0041>tag"),
        ("می\u200cخواهم 👩\u200d🔬", "می\u200cخواهم 👩\u200d🔬"),
    ],
)
def test_controls_are_made_visible(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_json_escapes_what_drives_a_terminal_and_stays_the_same_value(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"name": "a\u202e\x9b31m\x7f\x1b\U000e0041 ü 漢字"}
    print_json(value)
    shown = capsys.readouterr().out
    assert json.loads(shown) == value
    assert printable(shown) == shown
    assert "ü 漢字" in shown


def test_times_in_json_are_rfc_3339_in_utc(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"at": datetime(2026, 3, 31, 14, 0, tzinfo=timezone(timedelta(hours=2)))})
    assert json.loads(capsys.readouterr().out) == {"at": "2026-03-31T12:00:00Z"}


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (NotFound("x"), 2),
        (Invalid("x"), 2),
        (ConfigError("x"), 2),
        (FolderInUse("x"), 1),
        (Unreachable("x"), 1),
        (Conflict("x"), 1),
        (TooLarge("x"), 1),
        (ModelError("x"), 1),
        (BackupFailed("x"), 1),
    ],
)
def test_only_wrong_words_and_settings_are_wrong_use(error: FamulusError, code: int) -> None:
    async def fail() -> None:
        raise error

    with pytest.raises(SystemExit) as ended:
        command(fail)()
    assert ended.value.code == code


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
