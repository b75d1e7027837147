"""A trap in the store of a running process: when a condition first holds, it is killed there, or stands still.

The condition is SQL with one true or false value, looked at inside each write transaction after its work. So a test names a moment
of the product ("when the log has seven events") without a word about it in the product. One trap, one use; it is a file, set from
outside while the process runs.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable, Coroutine
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from famulus.store.database import Database
from famulus.testing.crash import CrashDatabase, KillSwitch

if TYPE_CHECKING:
    from sqlalchemy import Connection

T = TypeVar("T")
Then = Literal["kill_before", "kill_after", "hold"]
Open = Callable[..., Coroutine[Any, Any, Database]]


@dataclass(frozen=True, slots=True)
class Trap:
    """`kill_before` the commit, `kill_after` it before anybody knows, or `hold` the one who wrote until the file is gone."""

    when: str
    then: Then

    def set(self, file: Path) -> None:
        fresh = file.with_suffix(".new")
        fresh.write_text(json.dumps(asdict(self)))
        os.replace(fresh, file)


def sprung(file: Path) -> bool:
    """Whether the trap has caught somebody."""
    return file.with_suffix(".sprung").exists()


def release(file: Path) -> None:
    """Takes the trap away; whoever is held goes on."""
    file.unlink(missing_ok=True)
    file.with_suffix(".sprung").unlink(missing_ok=True)


def spring(open_database: Open, file: Path) -> Open:
    """`open_database` with the trap under what it opens."""

    async def opened(*arguments: Any, **options: Any) -> Database:
        return TrapDatabase(await open_database(*arguments, **options), file)

    return opened


class TrapDatabase(CrashDatabase):
    """Looks at the trap file at each write."""

    def __init__(self, database: Database, file: Path) -> None:
        super().__init__(database, KillSwitch())
        self._file = file

    async def write(self, function: Callable[[Connection], T], *, idempotent: bool = False) -> T:
        trap = self._trap()
        if trap is None:
            return await self._database.write(function, idempotent=idempotent)
        caught: list[bool] = []

        def then_look(connection: Connection) -> T:
            value = function(connection)
            caught[:] = [bool(connection.exec_driver_sql(trap.when).scalar())]
            if caught == [True] and trap.then == "kill_before":
                os.kill(os.getpid(), signal.SIGKILL)
            return value

        value = await self._database.write(then_look, idempotent=idempotent)
        if caught == [True]:
            await self._catch(trap)
        return value

    def _trap(self) -> Trap | None:
        if self._file.with_suffix(".sprung").exists():
            return None
        try:
            return Trap(**json.loads(self._file.read_text()))
        except FileNotFoundError:
            return None

    async def _catch(self, trap: Trap) -> None:
        if trap.then == "kill_after":
            os.kill(os.getpid(), signal.SIGKILL)
        self._file.with_suffix(".sprung").touch()
        while self._file.exists():  # noqa: ASYNC110 (another process sets it)
            await asyncio.sleep(0.01)
