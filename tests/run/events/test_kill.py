"""kill -9 at each commit of a run: before or after, never between; nothing acknowledged lost, no effect repeated."""

from __future__ import annotations

from pathlib import Path

import pytest

from famulus.testing.crash import run_scenario


@pytest.mark.timeout(300)
def test_run_killed_at_any_commit_goes_on_without_loss_or_repetition(database_target: str, tmp_path: Path):
    notes = tmp_path / "notes"
    notes.mkdir()
    points = run_scenario(Path(__file__).with_name("scenario_run.py"), target=database_target, folder=str(notes))
    assert points >= 20
