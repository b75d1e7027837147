from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from famulus.errors import ConfigError, NeedsUpgrade
from famulus.store.folder import open_folder

_OTHER = "import sys, time; from pathlib import Path; from famulus.store.folder import open_folder; f = open_folder(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"


def test_new_folder_is_private_and_marked(tmp_path: Path):
    folder = open_folder(tmp_path / "a" / "data")
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    assert json.loads((folder.path / "famulus.json").read_text())["format"] == 1
    folder.close()
    open_folder(folder.path).close()


def test_second_process_is_refused_with_the_first_ones_pid_until_that_is_killed(tmp_path: Path):
    other = subprocess.Popen(
        [sys.executable, "-c", _OTHER, str(tmp_path / "data")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(ConfigError, match=rf"in use by another Famulus process \(pid {other.pid}\)"):
            open_folder(tmp_path / "data")
        other.kill()
        other.wait()
    open_folder(tmp_path / "data").close()


def test_foreign_folder_is_refused_and_left_alone(tmp_path: Path):
    (tmp_path / "thesis.docx").touch()
    with pytest.raises(ConfigError, match=r"thesis\.docx"):
        open_folder(tmp_path)
    assert os.listdir(tmp_path) == ["thesis.docx"]


def test_folder_with_only_a_configuration_is_accepted(tmp_path: Path):
    (tmp_path / "famulus.toml").touch()
    open_folder(tmp_path).close()


def test_path_that_is_a_file_is_refused(tmp_path: Path):
    (tmp_path / "data").touch()
    with pytest.raises(ConfigError, match="data"):
        open_folder(tmp_path / "data")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_folder_is_refused(tmp_path: Path):
    tmp_path.chmod(0o500)
    with pytest.raises(ConfigError, match="choose a folder this user may write"):
        open_folder(tmp_path)


def test_folder_of_a_newer_version_is_refused(tmp_path: Path):
    (tmp_path / "famulus.json").write_text('{"product": "famulus", "format": 99}')
    with pytest.raises(NeedsUpgrade, match="99"):
        open_folder(tmp_path)


def test_damaged_marker_is_refused(tmp_path: Path):
    (tmp_path / "famulus.json").write_text("{")
    with pytest.raises(ConfigError, match="damaged"):
        open_folder(tmp_path)
