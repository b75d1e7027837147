"""Facts are found at once, changed in place, and gone when deleted; sensitive ones are stored and never indexed."""

from __future__ import annotations

import pytest
from tests.contract.knowledge.conftest import OWNER, STRANGER, Library

from famulus.errors import Invalid, NotFound


async def test_a_fact_is_found_as_soon_as_it_is_added(library: Library, base_id: str) -> None:
    fact = await library.facts.add(OWNER, base_id, "Invoices are kept 10 years.", category="rules", tags=["tax"])
    assert library.found() == ["Invoices are kept 10 years."]
    assert (fact.category, fact.tags) == ("rules", ("tax",))


async def test_a_changed_fact_is_found_in_its_new_words_only(library: Library, base_id: str) -> None:
    fact = await library.facts.add(OWNER, base_id, "Notice is 14 days.")
    await library.facts.update(OWNER, fact.id, {"text": "Notice is 30 days."})
    assert library.found() == ["Notice is 30 days."]


async def test_a_sensitive_fact_is_listed_and_never_indexed(library: Library, base_id: str) -> None:
    fact = await library.facts.add(OWNER, base_id, "The safe code is 4711.", sensitive=True)
    assert (library.found(), [f.id for f in await library.facts.list(OWNER, base_id)]) == ([], [fact.id])


async def test_a_fact_that_becomes_sensitive_leaves_the_index(library: Library, base_id: str) -> None:
    fact = await library.facts.add(OWNER, base_id, "The safe code is 4711.")
    await library.facts.update(OWNER, fact.id, {"sensitive": True})
    assert library.found() == []


async def test_facts_are_filtered_by_category_tag_and_words(library: Library, base_id: str) -> None:
    await library.facts.add(OWNER, base_id, "Größe: 12 m", category="a", tags=["x"])
    await library.facts.add(OWNER, base_id, "Length: 30 m", category="b", tags=["y"])
    for filters in ({"category": "a"}, {"tag": "x"}, {"q": "größe"}):
        assert [f.text for f in await library.facts.list(OWNER, base_id, **filters)] == ["Größe: 12 m"]


async def test_a_deleted_fact_is_gone_and_strangers_never_saw_it(library: Library, base_id: str) -> None:
    fact = await library.facts.add(OWNER, base_id, "words")
    with pytest.raises(NotFound):
        await library.facts.get(STRANGER, fact.id)
    await library.facts.delete(OWNER, fact.id)
    assert library.found() == []
    with pytest.raises(NotFound):
        await library.facts.get(OWNER, fact.id)


async def test_an_empty_fact_is_refused(library: Library, base_id: str) -> None:
    with pytest.raises(Invalid, match="empty"):
        await library.facts.add(OWNER, base_id, " \n ")
