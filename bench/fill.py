"""Fills the SQLite file of a data folder with copies of rows that a real server wrote, for measurements of long lists.

The copies have names, ids and times of their own and share everything else; ids grow with the times, as the product's do.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Row = dict[str, Any]
Change = Callable[[Row, int], None]


def fill(folder: Path, base_id: str, count: int) -> None:
    """`count` conversations, as many runs without one, and as many documents in the base; each needs one that is there already."""
    with opened(folder) as connection:
        event_rows = rows(connection, "run_event", "run = (SELECT id FROM run ORDER BY created_us LIMIT 1)")
        copy(connection, "conversation", rows(connection, "conversation", "1 LIMIT 1"), count, as_conversation)
        copy(connection, "run", rows(connection, "run", "1 ORDER BY created_us LIMIT 1"), count, as_run)
        copy(connection, "run_event", event_rows, count, as_event)
        fill_long(connection, event_rows)
        documents = rows(connection, "document", f"kb = '{base_id}' LIMIT 1")
        copy(connection, "document", documents, count, as_document)


def fill_long(connection: sqlite3.Connection, event_rows: list[Row]) -> None:
    """One conversation, LONG, of TURNS turns."""
    copy(
        connection, "conversation", rows(connection, "conversation", "1 LIMIT 1"), 1, lambda row, _: row.update(id=LONG)
    )
    first = "(SELECT conversation FROM conversation_message ORDER BY created_at LIMIT 1)"
    messages = rows(connection, "conversation_message", f"conversation = {first} ORDER BY ord LIMIT 2")
    copy(connection, "conversation_message", messages, TURNS, as_message)
    copy(connection, "run", rows(connection, "run", "1 ORDER BY created_us LIMIT 1"), TURNS, as_turn)
    copy(connection, "run_event", event_rows, TURNS, lambda row, number: row.update(run=id_of(6, number)))


@contextmanager
def opened(folder: Path) -> Iterator[sqlite3.Connection]:
    (path,) = folder.glob("*.db")
    connection = sqlite3.connect(path, timeout=30)
    connection.row_factory = sqlite3.Row
    try:
        with connection:
            yield connection
    finally:
        connection.close()


def rows(connection: sqlite3.Connection, table: str, where: str) -> list[Row]:
    return [dict(row) for row in connection.execute(f"SELECT * FROM {table} WHERE {where}")]


def copy(connection: sqlite3.Connection, table: str, originals: list[Row], count: int, change: Change) -> None:
    names = ", ".join(f'"{name}"' for name in originals[0])
    places = ", ".join(f":{name}" for name in originals[0])

    def copies() -> Iterator[Row]:
        for number in range(count):
            for original in originals:
                row = dict(original)
                change(row, number)
                yield row

    connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", copies())


START_MS = int(time.time() * 1000) - 40_000_000


def id_of(kind: int, number: int) -> str:
    """A UUIDv7 of some time before now; the same number gives the same id."""
    text = f"{START_MS + number * 1000:012x}7{kind:03x}8{number:015x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


LONG = id_of(4, 0)
TURNS = 200


def as_message(row: Row, number: int) -> None:
    role = 0 if row["role"] == "user" else 1
    row.update(
        id=id_of(7 + role, number), conversation=LONG, ord=2 * number + role, run=row["run"] and id_of(6, number)
    )


def as_turn(row: Row, number: int) -> None:
    as_run(row, number)
    row.update(id=id_of(6, number), conversation=LONG)


def as_conversation(row: Row, number: int) -> None:
    shift = number % 7
    row.update(
        id=id_of(1, number),
        title=f"Conversation {number:05} about {'a longer matter ' * shift}",
        session=None,
        run=None,
    )


def as_run(row: Row, number: int) -> None:
    request = json.loads(row["request"])
    request["message"] = f"Question {number:05}: what may a hotel night cost?"
    started = (START_MS + number * 1000) * 1000
    times = {"created_us": started, "started_us": started, "finished_us": started + 4_200_000}
    row.update(id=id_of(2, number), conversation=None, request=json.dumps(request), **times)


def as_event(row: Row, number: int) -> None:
    row.update(run=id_of(2, number))


def as_document(row: Row, number: int) -> None:
    name = f"report-{number:05}.pdf"
    row.update(id=id_of(3, number), name=name, path=f"year-{number % 40:02}/{name}", sha256=f"{number:064x}")
