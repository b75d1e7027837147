"""Which knowledge bases a command works on: named ones, folders read in first, or all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from famulus.app.famulus import Famulus
from famulus.cli.common import base_named, printable, tell
from famulus.cli.intake import take_in
from famulus.errors import ExtractionFailed
from famulus.messages.values import Principal


async def tell_if_empty(famulus: Famulus, principal: Principal) -> None:
    """Says how to begin when nothing was put in yet: an empty answer alone would not tell."""
    bases = await famulus.knowledge_bases.list(principal)
    if not any(base.document_count or base.fact_count for base in bases):
        tell("There is no document yet; `famulus add PATH` puts some in.")


async def bases_for(
    famulus: Famulus, principal: Principal, names: Sequence[str], docs: Sequence[Path], *, quiet: bool
) -> tuple[str, ...] | None:
    """The ids of the bases; None when nothing was named. Each path of `docs` is a base of its own. Raises NotFound."""
    chosen = [(await base_named(famulus.knowledge_bases, principal, name)).id for name in names]
    for path in docs:
        # The whole path is the name: two folders called `docs` are two bases.
        base = await famulus.knowledge_bases.find_or_create(principal, _name_of(path))
        taken = await take_in(famulus, principal, base.id, [path], quiet=quiet)
        if not quiet:
            click.echo(f"{printable(str(path))}: {taken.summary}.", err=True)
        if taken.failed and not (taken.added or taken.unchanged):
            raise ExtractionFailed(
                f"no file of {str(path)!r} could be read: put right what is said of them above, or name other files"
            )
        chosen.append(base.id)
    return tuple(chosen) if names or docs else None


def _name_of(path: Path) -> str:
    name = str(path.resolve())
    return name if len(name) <= 200 else "…" + name[-199:]
