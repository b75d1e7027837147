"""What happens to files that are put in, put in again, replaced and deleted; on both kinds of database."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.contract.knowledge.conftest import COLLEAGUE, OWNER, STRANGER, Library

from famulus.app.documents import Incoming
from famulus.errors import NotFound
from famulus.knowledge.uploads import clean_upload_name


async def test_a_file_is_found_after_its_job(library: Library, base_id: str) -> None:
    document_id = await library.put(base_id, "a.txt", "Limit is 30 days.")
    assert (await library.documents.get(OWNER, document_id)).status == "queued"
    await library.work()
    document = await library.documents.get(OWNER, document_id)
    assert (document.status, document.vectors, document.chunk_count) == ("ready", "ready", 1)
    assert library.found() == ["Limit is 30 days."]


async def test_the_same_bytes_uploaded_twice_at_once_are_one_document(library: Library, base_id: str) -> None:
    ids = await asyncio.gather(*(library.put(base_id, f"{n}.txt", "the same words") for n in range(4)))
    await library.work()
    again = await library.put(base_id, "5.txt", "the same words")
    assert set(ids) == {again}
    assert (library.found(), len(library.embedder.texts)) == (["the same words"], 1)


async def test_adding_an_unchanged_file_again_books_no_job(library: Library, base_id: str) -> None:
    await library.put(base_id, "a.txt", "words")
    await library.work()
    await library.put(base_id, "a.txt", "words")
    assert library.jobs == []


async def test_a_replaced_file_is_found_in_its_old_form_until_the_new_one_is_ready(
    library: Library, base_id: str
) -> None:
    first = await library.put(base_id, "policy.txt", "Limit is 30 days")
    await library.work()
    second = await library.put(base_id, "policy.txt", "Limit is 45 days")
    assert (first == second, library.found()) == (True, ["Limit is 30 days"])
    await library.work()
    assert library.found() == ["Limit is 45 days"]
    assert [r.revision for r in await library.documents.revisions(OWNER, first)] == [1, 2]


async def test_a_new_revision_that_cannot_be_read_leaves_the_old_one_found(library: Library, base_id: str) -> None:
    document_id = await library.put(base_id, "policy.txt", "Limit is 30 days")
    await library.work()
    await library.put(base_id, "policy.txt", "  \n")
    await library.work()
    document = await library.documents.get(OWNER, document_id)
    assert (document.status, document.error_code, library.found()) == ("failed", "empty", ["Limit is 30 days"])


async def test_an_unchanged_passage_keeps_its_id_and_vector_across_revisions(library: Library, base_id: str) -> None:
    kept = "The first paragraph stays as it is. " * 30
    document_id = await library.put(base_id, "a.txt", f"{kept}\n\nold end " + "x" * 900)
    await library.work()
    before = (await library.documents.content(OWNER, document_id, 0, 9_000)).passages
    await library.put(base_id, "a.txt", f"{kept}\n\nnew end " + "y" * 900)
    library.embedder.texts.clear()
    await library.work()
    after = (await library.documents.content(OWNER, document_id, 0, 9_000)).passages
    assert before[0].chunk_id == after[0].chunk_id
    assert [text.count("first paragraph") for text in library.embedder.texts] == [0]


async def test_skip_keeps_the_old_file_and_keep_both_adds_a_numbered_one(library: Library, base_id: str) -> None:
    first = await library.put(base_id, "a.txt", "one")
    assert await library.put(base_id, "a.txt", "two", "skip") == first
    await library.put(base_id, "a.txt", "three", "keep_both")
    await library.work()
    names = [document.name for document in await library.documents.list(OWNER, base_id)]
    assert (names, library.found()) == (["a.txt", "a (2).txt"], ["one", "three"])


async def test_a_failed_file_does_not_stop_the_others_of_its_batch(
    library: Library, base_id: str, tmp_path: Path
) -> None:
    (tmp_path / "good").write_text("ok")
    files = [Incoming("gone.txt", tmp_path / "absent"), Incoming("good.txt", tmp_path / "good")]
    results = await library.documents.add(OWNER, base_id, files)
    assert [result.status for result in results] == ["failed", "queued"]
    assert results[0].error


async def test_a_file_without_text_fails_with_its_reason_and_is_read_again_on_request(
    library: Library, base_id: str
) -> None:
    document_id = await library.put(base_id, "blank.txt", " \n ")
    await library.work()
    document = await library.documents.get(OWNER, document_id)
    assert (document.status, document.error_code, document.chunk_count) == ("failed", "empty", 0)
    assert "blank.txt" in str(document.error)
    assert (await library.documents.reindex(OWNER, document_id)).status == "queued"


async def test_deleting_a_document_leaves_no_passage_vector_or_byte(library: Library, base_id: str) -> None:
    document_id = await library.put(base_id, "a.txt", "secret words")
    await library.work()
    sha256 = (await library.documents.get(OWNER, document_id)).sha256
    await library.documents.delete(OWNER, document_id)
    assert (library.found(), library.vectors.numbers) == ([], {})
    with pytest.raises(NotFound):
        await library.blobs.read(sha256)
    with pytest.raises(NotFound):
        await library.documents.get(OWNER, document_id)


async def test_bytes_that_another_base_still_needs_are_kept(library: Library, base_id: str) -> None:
    other = (await library.bases.create(OWNER, "Other")).id
    here, there = await library.put(base_id, "a.txt", "shared"), await library.put(other, "a.txt", "shared")
    await library.documents.delete(OWNER, here)
    assert (await library.documents.original(OWNER, there))[1] == b"shared"


async def test_deleting_a_base_takes_everything_in_it(library: Library, base_id: str) -> None:
    await library.put(base_id, "a.txt", "words")
    await library.facts.add(OWNER, base_id, "a fact")
    await library.work()
    await library.bases.delete(OWNER, base_id)
    assert (library.found(), await library.bases.list(OWNER)) == ([], [])


async def test_a_document_deleted_while_its_job_waits_is_not_brought_back(library: Library, base_id: str) -> None:
    document_id = await library.put(base_id, "a.txt", "words")
    await library.documents.delete(OWNER, document_id)
    await library.work()
    assert library.found() == []


async def test_another_tenant_and_a_colleague_see_nothing_of_a_personal_base(library: Library, base_id: str) -> None:
    document_id = await library.put(base_id, "a.txt", "words")
    for caller in (STRANGER, COLLEAGUE):
        for question in (library.documents.get, library.documents.delete, library.documents.reindex):
            with pytest.raises(NotFound):
                await question(caller, document_id)
        with pytest.raises(NotFound):
            await library.bases.scope(caller, (base_id,))
        assert (await library.bases.scope(caller, None)).knowledge_base_ids == ()


async def test_a_shared_base_is_read_by_colleagues_and_changed_by_its_owner_only(
    library: Library, base_id: str
) -> None:
    document_id = await library.put(base_id, "a.txt", "words")
    await library.bases.update(OWNER, base_id, {"scope": "tenant"})
    assert (await library.documents.get(COLLEAGUE, document_id)).name == "a.txt"
    with pytest.raises(NotFound):
        await library.documents.delete(COLLEAGUE, document_id)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("U\u0308bersicht.txt", ("Übersicht.txt", "Übersicht.txt")),
        ("../../etc/passwd", ("passwd", "etc/passwd")),
        ("C:\\files\\a b;c'\"d.txt", ("a b;c'\"d.txt", "C:/files/a b;c'\"d.txt")),
        ("a\x00\r\nb.txt", ("ab.txt", "ab.txt")),
        ("..", ("unnamed", "unnamed")),
    ],
)
def test_a_file_name_is_a_label_in_nfc_and_never_a_path(given: str, shown: tuple[str, str]) -> None:
    assert clean_upload_name(given) == shown
