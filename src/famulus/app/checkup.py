"""What `famulus doctor` looks at: the store, the embedder, the models, the documents. It loads no weights and asks this machine only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from famulus import __version__
from famulus.app.base_check import check_bases
from famulus.app.health import Finding
from famulus.app.look import Look, Standing, look
from famulus.app.model_check import check_models
from famulus.config import FILE_NAME, Settings
from famulus.errors import FamulusError, NotFound
from famulus.knowledge.embed.weights import packaged_file


@dataclass(frozen=True, slots=True)
class Checkup:
    """`address`: where the server that holds the data folder answers. `bases` and their `standings` are in the same order."""

    version: str
    address: str | None
    checks: Sequence[Finding]
    bases: Sequence[Finding]
    standings: Sequence[Standing]

    @property
    def sound(self) -> bool:
        return all(finding.status != "failed" for finding in (*self.checks, *self.bases))


async def check_up(settings: Settings) -> Checkup:
    """Everything that can be told without changing anything. What cannot be looked at is a finding, not an error."""
    models = await check_models(settings)
    begin, end = [_file(settings)], [_embedder(settings), *models]
    try:
        async with look(settings) as found:
            checks = [*begin, _server(found), await _store(found), *end]
            return await _with_bases(found, checks, settings)
    except FamulusError as error:
        broken = Finding("store", "failed", _what(error), _next_of(error))
        return Checkup(__version__, None, [*begin, broken, *end], [], [])


async def _with_bases(found: Look, checks: Sequence[Finding], settings: Settings) -> Checkup:
    try:
        standings = await found.standings(await found.accounts.owner())
    except NotFound:
        standings = []
    bases = check_bases(standings, served=found.held, by_meaning=settings.embedding.model != "off")
    return Checkup(__version__, found.address, checks, bases, standings)


def _what(error: FamulusError) -> str:
    """The errors of this product say what happened, then, behind the last semicolon, what next."""
    return str(error).rpartition("; ")[0] or str(error)


def _next_of(error: FamulusError) -> str | None:
    advice = str(error).rpartition("; ")[2] if "; " in str(error) else ""
    return f"{advice[:1].upper()}{advice[1:]}." if advice else None


def _file(settings: Settings) -> Finding:
    file = settings.data / FILE_NAME
    told = f"read from {str(file)!r}" if file.exists() else f"all as they come; {str(file)!r} may change them"
    return Finding("settings", "ok", told)


def _server(found: Look) -> Finding:
    if found.address is not None:
        return Finding("server", "ok", f"answers at {found.address}")
    if found.settings.database_url is not None:
        return Finding("server", "ok", "not known: any machine on this database may run one")
    if found.held:
        return Finding("server", "wait", "another command works on this data folder, or a server is just starting")
    return Finding("server", "off", "none runs on this data folder", "`famulus serve` starts one.")


async def _store(found: Look) -> Finding:
    check = (await found.health()).checks["store"]
    return Finding("store", check.status, check.detail)


def _embedder(settings: Settings) -> Finding:
    from famulus.app.build import BUILTIN_EMBEDDER

    model = settings.embedding.model
    if model == "off":
        return Finding("vectors", "off", "embedding.model is 'off': search goes by words only")
    if model != BUILTIN_EMBEDDER:
        return Finding(
            "vectors",
            "failed",
            f"embedding.model is {model!r}, which is not known",
            f"Use {BUILTIN_EMBEDDER!r} or 'off'.",
        )
    try:
        there = packaged_file().is_file()
    except FamulusError as error:
        return Finding("vectors", "failed", _what(error), _next_of(error))
    if not there:
        return Finding("vectors", "failed", f"the weights of {model!r} are missing", "Install Famulus again.")
    return Finding("vectors", "ok", model)
