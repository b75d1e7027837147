"""Waiting until documents are found by meaning too. A command that ended before would leave that to the next one, and so for ever."""

from __future__ import annotations

import asyncio
import time
from typing import Final

import click

from famulus.app.famulus import Famulus
from famulus.cli.common import tell
from famulus.cli.progress import Progress
from famulus.messages.values import Principal

_LOOK_S: Final = 0.1
# So long without one more passage: the embedder does not work here, or very slowly.
_STALLED_S: Final = 60.0


async def wait_for_meaning(
    famulus: Famulus,
    principal: Principal,
    base_ids: tuple[str, ...] | None,
    *,
    longest_s: float = float("inf"),
    quiet: bool = False,
) -> None:
    """Returns when every passage of the bases has its vector, after `longest_s`, or when nothing moves any more."""
    if famulus.settings.embedding.model == "off":
        return
    began = moved = time.monotonic()
    before, told = -1, quiet
    with Progress(shown=not quiet) as progress:
        while True:
            ready, passages = await famulus.documents.embedded(principal, base_ids)
            now = time.monotonic()
            if ready == passages or now - began > longest_s or now - moved > _STALLED_S:
                break
            if ready != before:
                before, moved = ready, now
                progress.show(f"  preparing search by meaning: {ready} of {passages} passages")
                if not progress.shown and not told:
                    click.echo("Preparing search by meaning; this is done once for each document.", err=True)
                told = True
            await asyncio.sleep(_LOOK_S)
    if ready < passages and not quiet:
        tell(
            f"Search by meaning is prepared for {ready} of {passages} passages; `famulus serve` goes on with it, "
            "and so does each further question."
        )
