"""The operator's messages of a one-shot command are kept in the data folder and stay out of its output."""

import logging
from pathlib import Path

import pytest

from famulus.cli.operator_log import to_file
from famulus.config import load_settings


def test_warning_goes_to_the_file_and_not_to_the_terminal(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with to_file(load_settings(tmp_path, environ={})):
        logging.getLogger("famulus.jobs.worker").warning("the lease could not be renewed")
    assert "WARNING famulus.jobs.worker the lease could not be renewed" in (tmp_path / "famulus.log").read_text()
    assert capfd.readouterr() == ("", "")


def test_quiet_command_leaves_no_file(tmp_path: Path) -> None:
    with to_file(load_settings(tmp_path, environ={})):
        logging.getLogger("famulus").debug("nothing")
    assert list(tmp_path.iterdir()) == []
