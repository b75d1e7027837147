"""A line that is written over: for a person at a terminal, and never among what is printed."""

import io

import pytest

from famulus.cli.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_shorter_line_hides_the_longer_one_and_the_last_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with Progress() as progress:
        progress.show("asked 10")
        progress.show("all")
    assert terminal.getvalue() == "\rasked 10\rall     \n"


def test_what_is_printed_in_between_finds_an_empty_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    progress = Progress()
    progress.show("abc")
    progress.clear()
    assert terminal.getvalue() == "\rabc\r   \r"


@pytest.mark.parametrize("shown", [True, False])
def test_nothing_is_written_where_nobody_watches(shown: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = Terminal() if not shown else io.StringIO()
    monkeypatch.setattr("sys.stderr", elsewhere)
    with Progress(shown=shown) as progress:
        progress.show("abc")
    assert elsewhere.getvalue() == ""
