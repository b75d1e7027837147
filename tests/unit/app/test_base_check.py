"""Each base says how far it is, and what to do when it does not go on by itself."""

from datetime import UTC, datetime

import pytest

from famulus.app.base_check import check_bases
from famulus.app.look import Standing
from famulus.knowledge.bases import KnowledgeBase
from famulus.knowledge.documents import Status

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def standing(documents: dict[Status, int], embedded: int = 0, passages: int = 0) -> Standing:
    base = KnowledgeBase("1", "x", "", "me", "personal", "normal", False, sum(documents.values()), 0, NOW, NOW)
    return Standing(base, documents, embedded, passages)


@pytest.mark.parametrize(
    ("documents", "vectors", "served", "status", "step"),
    [
        ({"ready": 2}, (3, 3), False, "ok", None),
        ({"ready": 2}, (1, 3), True, "wait", None),
        ({"ready": 2}, (1, 3), False, "warn", "famulus serve"),
        ({"ready": 1, "queued": 1}, (0, 0), True, "wait", None),
        ({"extracting": 1}, (0, 0), False, "warn", "famulus serve"),
        ({"failed": 1}, (0, 0), True, "warn", "famulus doc list --kb 1"),
        ({}, (0, 0), True, "ok", "famulus add PATH --kb 1"),
    ],
)
def test_what_does_not_go_on_by_itself_says_what_to_do(
    documents: dict[Status, int], vectors: tuple[int, int], served: bool, status: str, step: str | None
) -> None:
    (finding,) = check_bases([standing(documents, *vectors)], served=served, by_meaning=True)
    assert finding.status == status
    assert (finding.next is None) if step is None else (step in str(finding.next))


def test_without_vectors_nothing_waits_for_them() -> None:
    (finding,) = check_bases([standing({"ready": 1}, 0, 3)], served=False, by_meaning=False)
    assert (finding.status, finding.detail, finding.next) == ("ok", "1 document", None)


def test_no_base_at_all_says_how_to_begin() -> None:
    (finding,) = check_bases([], served=False, by_meaning=True)
    assert "`famulus add PATH`" in str(finding.next)
