"""Putting local files into a base and waiting until they can be searched, with progress on standard error."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import click

from famulus.app.documents import Incoming
from famulus.app.famulus import Famulus
from famulus.cli.common import one_line, printable
from famulus.cli.progress import Progress
from famulus.messages.values import Principal

_BATCH: Final = 50
_SKIPPED: Final = frozenset({"__pycache__", "node_modules", ".git", ".venv"})


@dataclass(slots=True)
class Taken:
    """What became of the files."""

    items: list[dict[str, str | None]] = field(default_factory=lambda: list[dict[str, str | None]]())
    added: int = 0
    unchanged: int = 0
    failed: int = 0

    @property
    def summary(self) -> str:
        parts = [f"{self.added} added", f"{self.unchanged} unchanged", f"{self.failed} failed"]
        return ", ".join(part for part in parts if not part.startswith("0 ")) or "no file found"


async def take_in(
    famulus: Famulus, principal: Principal, base_id: str, paths: Sequence[Path], *, quiet: bool = False
) -> Taken:
    """Adds the files, waits until each is readable or failed, and tells of the failed ones."""
    taken = Taken()
    waiting: dict[str, str] = {}
    files = list(find_files(paths))
    for start in range(0, len(files), _BATCH):
        batch = [Incoming(path.name, path, label) for path, label in files[start : start + _BATCH]]
        for result in await famulus.documents.add(principal, base_id, batch):
            taken.items.append({"name": result.name, "document_id": result.document_id, "error": result.error})
            if result.document_id is None:
                taken.failed += 1
                _tell(_named(result.name, str(result.error)))
            elif result.duplicate_of and result.status == "ready":
                taken.unchanged += 1
            else:
                taken.added += 1
                waiting[result.document_id] = result.name
    await _wait(famulus, principal, waiting, taken, quiet=quiet)
    return taken


def find_files(paths: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Files with their labels: hidden ones and links that lead elsewhere are left out."""
    for path in paths:
        if path.is_file():
            yield path, path.name
            continue
        root = path.resolve()
        for file in sorted(root.rglob("*")):
            parts = file.relative_to(root).parts
            hidden = any(part.startswith(".") or part in _SKIPPED for part in parts)
            if file.is_file() and not hidden and file.resolve().is_relative_to(root):
                yield file, "/".join(parts)


async def _wait(famulus: Famulus, principal: Principal, waiting: dict[str, str], taken: Taken, *, quiet: bool) -> None:
    total, pause = len(waiting), 0.02
    with Progress(shown=total > 0 and not quiet) as progress:
        while waiting:
            progress.show(f"  reading {total - len(waiting)} of {total} files")
            for document_id, name in list(waiting.items()):
                document = await famulus.documents.get(principal, document_id)
                if document.status not in ("ready", "failed"):
                    continue
                del waiting[document_id]
                if document.status == "failed" or document.warnings:
                    progress.clear()
                if document.status == "failed":
                    taken.added, taken.failed = taken.added - 1, taken.failed + 1
                    _note(taken, document_id, document.error)
                    _tell(_named(name, document.error or ""))
                for warning in document.warnings:
                    _tell(f"{name}: {warning.message}")
            if waiting:
                await asyncio.sleep(pause)
                pause = min(pause * 1.5, 0.5)
        progress.show(f"  reading {total} of {total} files")


def _note(taken: Taken, document_id: str, error: str | None) -> None:
    for item in taken.items:
        if item["document_id"] == document_id:
            item["error"] = printable(error or "")


def _named(name: str, error: str) -> str:
    """The error with the file's name, once: most say it themselves."""
    return error if repr(name) in error else f"{name}: {error}"


def _tell(text: str) -> None:
    click.echo(f"  ! {one_line(text, 300)}", err=True)
