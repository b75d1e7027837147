from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from famulus.errors import NeedsUpgrade
from famulus.store import migrate, migrations
from famulus.store.database import open_database


def _set(folder: Path, revision: str) -> None:
    with closing(sqlite3.connect(folder / "famulus.db")) as connection:
        connection.execute("UPDATE schema_revision SET revision = ?", (revision,))
        connection.commit()


async def _open_and_close(folder: Path) -> None:
    await (await open_database(folder)).aclose()


def test_head_is_the_newest_step():
    assert list(migrate.steps())[-1] == migrations.HEAD


async def test_new_database_is_at_head_and_needs_no_backup(tmp_path: Path):
    await _open_and_close(tmp_path)
    await _open_and_close(tmp_path)
    assert not (tmp_path / "backups").exists()
    assert (tmp_path / "famulus.db").stat().st_mode & 0o077 == 0


async def test_database_of_a_newer_version_is_refused_and_the_folder_is_free_again(tmp_path: Path):
    await _open_and_close(tmp_path)
    _set(tmp_path, "9999")
    for _ in range(2):
        with pytest.raises(NeedsUpgrade, match="9999"):
            await open_database(tmp_path)


async def test_older_database_is_copied_before_it_is_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    await _open_and_close(tmp_path)
    monkeypatch.setattr(migrate, "HEAD", "0002")
    monkeypatch.setattr(migrate, "steps", lambda: {"0001": "none", "0002": __name__})
    monkeypatch.setattr(migrate, "import_module", lambda name: _NextStep)
    await _open_and_close(tmp_path)
    (backup,) = (tmp_path / "backups").iterdir()
    assert _columns(tmp_path / "famulus.db") > _columns(backup) > set()


async def test_failed_step_leaves_the_database_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    await _open_and_close(tmp_path)
    before = _columns(tmp_path / "famulus.db")
    with monkeypatch.context() as patch:
        patch.setattr(migrate, "HEAD", "0002")
        patch.setattr(migrate, "steps", lambda: {"0001": "none", "0002": __name__})
        patch.setattr(migrate, "import_module", lambda name: _BrokenStep)
        with pytest.raises(ZeroDivisionError):
            await open_database(tmp_path)
    assert _columns(tmp_path / "famulus.db") == before
    await _open_and_close(tmp_path)


class _NextStep:
    @staticmethod
    def upgrade(connection):
        import sqlalchemy as sa

        from famulus.store.migrations.alter import operations

        operations(connection).add_column("worker", sa.Column("extra", sa.Text))


class _BrokenStep(_NextStep):
    @staticmethod
    def upgrade(connection):
        _NextStep.upgrade(connection)
        raise ZeroDivisionError


def _columns(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as connection:
        return {row[1] for row in connection.execute("PRAGMA table_info(worker)")}
