"""What a person does instead when another process holds the data folder: its page, or the calls that do the same."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from famulus.cli.curl import base_names, lines_for
from famulus.errors import FamulusError, NotFound, told
from famulus.store.errors import FolderInUse

if TYPE_CHECKING:
    from famulus.config import Settings


def explain(error: FolderInUse, command: str, params: Mapping[str, object], settings: Settings | None) -> str:
    """The error with what to do for this command (`kb rm`) while the other process runs."""
    if error.address is None:
        return (
            f"{told(error)}.\nIt answers no requests: it is another command, or a server that is just starting. "
            "Try again when it has ended, or is ready."
        )
    page = f"{error.address}; `famulus token signin` prints a link that signs a browser in"
    lines = _lines(error.address, command, params, settings)
    if not lines:
        return f"{told(error)}.\nIts page is {page}."
    return "\n".join(
        [
            f"{told(error)}.",
            f"The server does the same on its page, {page}. Or paste these lines:",
            *(f"    {line}" for line in lines),
            "The first makes a token that ends after a day; it serves for all lines of this shell.",
        ]
    )


def _lines(address: str, command: str, params: Mapping[str, object], settings: Settings | None) -> list[str]:
    # The lines are for the shells of POSIX.
    if settings is None or sys.platform == "win32":
        return []
    try:
        bases = asyncio.run(_ids(settings, base_names(command, params)))
    except FamulusError:
        return []
    if None in bases.values() and command not in ("add", "ask"):
        return []
    return lines_for(command, params, f"{address}/api/v1", bases)


async def _ids(settings: Settings, names: list[str]) -> dict[str, str | None]:
    """The ids of these knowledge bases; a name that is one's id stands for itself."""
    from famulus.cli.common import base_named, looking

    found: dict[str, str | None] = {}
    async with looking(settings) as (look, owner):
        for name in names:
            try:
                found[name] = (await base_named(look.knowledge_bases, owner, name)).id
            except NotFound:
                found[name] = None
    return found
