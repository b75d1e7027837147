"""Documents that nobody will read any more say so, instead of waiting for ever."""

from __future__ import annotations

import sqlalchemy as sa
from tests.contract.knowledge.conftest import OWNER, Library

from famulus.knowledge.ingest import READ_JOB


async def test_document_without_a_booked_reading_ends_as_failed(library: Library, base_id: str) -> None:
    lost = await library.put(base_id, "lost.md", "Lost.")
    waiting = await library.put(base_id, "waiting.md", "Waiting.")
    booked = {(OWNER.tenant, f"{waiting}/1")}

    def fail(connection: sa.Connection) -> int:
        return library.ingest.fail_abandoned(connection, booked)

    assert await library.database.write(fail) == 1
    found = {item.id: (item.status, item.error_code) for item in await library.documents.list(OWNER, base_id)}
    assert found == {lost: ("failed", "interrupted"), waiting: ("queued", None)}


async def test_last_failed_attempt_to_read_is_told_at_the_document(library: Library, base_id: str) -> None:
    document = await library.put(base_id, "broken.md", "Broken.")
    [(tenant, kind, payload)] = library.jobs
    assert kind == READ_JOB
    await library.ingest.give_up(tenant, payload)
    found = await library.documents.get(OWNER, document)
    assert (found.status, found.error_code) == ("failed", "internal")


async def test_deletion_books_the_bytes_for_a_process_that_ends_in_between(library: Library, base_id: str) -> None:
    document = await library.put(base_id, "gone.md", "Gone.")
    await library.work()
    sha256 = (await library.documents.get(OWNER, document)).sha256
    await library.documents.delete(OWNER, document)
    await library.blobs.put(b"Gone.")
    assert [payload for _, kind, payload in library.jobs if kind == "blobs.free"] == [{"blobs": [sha256]}]
    await library.work()
    assert await library.blobs.sweep(set(), older_than_s=-60) == 0
