"""The sample files that come with the product, as a knowledge base to try things on."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Final

from famulus.app.documents import Documents, Incoming
from famulus.app.knowledge_bases import KnowledgeBases
from famulus.errors import NotFound
from famulus.knowledge.bases import KnowledgeBase
from famulus.messages.values import Principal

NAME: Final = "Sample office"


async def add_sample(principal: Principal, bases: KnowledgeBases, documents: Documents) -> tuple[KnowledgeBase, bool]:
    """The sample base, and whether this call made it. Raises NotFound where the files are not installed."""
    folder = sample_folder()
    if folder is None:
        raise NotFound("The sample files are not part of this installation; add a folder of your own.")
    existing = await bases.find(principal, NAME)
    base = existing or await bases.create(
        principal, NAME, description="Files of an invented company, to try things on."
    )
    incoming = [Incoming(file.name, file, file.relative_to(folder).as_posix()) for file in _files(folder)]
    await documents.add(principal, base.id, incoming, "skip")
    return base, existing is None


def sample_folder() -> Path | None:
    """Inside a wheel the files lie in the package, in a checkout beside it."""
    package = Path(str(files("famulus")))
    places = (package / "sample", package.parent.parent / "examples" / "office")
    return next((place for place in places if place.is_dir()), None)


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith("."))
