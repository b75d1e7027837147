"""How far each knowledge base is: documents that wait or failed, passages without a vector, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from famulus.app.health import Finding
from famulus.app.look import Standing

_WAITING: Final = ("queued", "extracting", "indexing")


def check_bases(standings: Sequence[Standing], *, served: bool, by_meaning: bool) -> list[Finding]:
    """One finding for each base. `served`: another process works on what waits. `by_meaning`: passages get vectors."""
    if not standings:
        return [
            Finding("documents", "off", "there is no knowledge base yet", "`famulus add PATH` puts documents into one.")
        ]
    return [_base(one, served=served, by_meaning=by_meaning) for one in standings]


def _base(one: Standing, *, served: bool, by_meaning: bool) -> Finding:
    failed = one.documents.get("failed", 0)
    waiting = sum(one.documents.get(status, 0) for status in _WAITING)
    missing = one.passages - one.embedded if by_meaning else 0
    name, detail = f"base {one.base.name!r}", _detail(one, waiting, failed, by_meaning=by_meaning)
    steps: list[str] = []
    if failed:
        steps.append(
            f"`famulus doc list --kb {one.base.id}` says why the failed ones could not be read; mend them and add them again, or take them out with `famulus doc rm ID`."
        )
    if (waiting or missing) and not served:
        steps.append("`famulus serve` goes on with what waits.")
    if not one.documents and not one.base.fact_count:
        steps.append(f"`famulus add PATH --kb {one.base.id}` puts documents in.")
    status = "warn" if failed or ((waiting or missing) and not served) else "wait" if waiting or missing else "ok"
    return Finding(name, status, detail, " ".join(steps) or None)


def _detail(one: Standing, waiting: int, failed: int, *, by_meaning: bool) -> str:
    count = sum(one.documents.values())
    parts = [f"{count} document{'' if count == 1 else 's'}", f"{waiting} wait to be read", f"{failed} failed"]
    if one.base.fact_count:
        parts.append(f"{one.base.fact_count} facts")
    shown = ", ".join(part for part in parts if not part.startswith("0 ")) or "empty"
    if not one.passages or not by_meaning:
        return shown
    return f"{shown}; vectors of {one.embedded} of {one.passages} passages"
