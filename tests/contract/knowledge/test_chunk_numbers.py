"""Numbers of passages, which the indexes use as row ids; on both kinds of database."""

from __future__ import annotations

import asyncio

from famulus.knowledge.replace import take_numbers
from famulus.store.database import Database


async def test_the_first_numbers_taken_at_once_are_taken_once_each(database: Database) -> None:
    firsts = await asyncio.gather(*(database.write(lambda c: take_numbers(c, 3)) for _ in range(8)))
    assert sorted(firsts) == list(range(1, 25, 3))
