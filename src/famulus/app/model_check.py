"""Which models are there and which one a run takes, as far as this machine alone can tell: no other host is asked, no model is loaded."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from famulus.app.health import Finding
from famulus.app.models import BUILTIN, ModelListing, Models, best_of, tools_in_words
from famulus.app.providers import ModelRoom, open_models
from famulus.app.unusable import UnusableProvider
from famulus.config import FILE_NAME, Settings
from famulus.errors import FamulusError
from famulus.messages.values import Principal
from famulus.models.base import ModelInfo, Provider
from famulus.models.providers.http import HttpProvider
from famulus.models.spend import Spend
from famulus.net.url import parse_url

_LONGEST_S: Final = 10.0
_SHOWN: Final = 4


@dataclass(frozen=True, slots=True)
class _Asked:
    """A provider, what it has as far as is known, and how it stands. `away`: it is on another machine and was not asked."""

    name: str
    kind: str
    address: str
    state: Literal["answers", "away", "fails"]
    infos: tuple[ModelInfo, ...] = ()
    why: str = ""


async def check_models(settings: Settings) -> list[Finding]:
    """One finding for each provider, and one for the model that a run takes."""
    room = await open_models(settings)
    try:
        providers = [one for one in room.gateway.selector.providers.values() if one.name != "builtin"]
        asked = await asyncio.gather(*(_ask(one, room) for one in providers))
    finally:
        await room.aclose()
    configured = {one.name for one in settings.providers}
    return [*(_provider(one, found=one.name not in configured) for one in asked), _chosen(settings, asked)]


async def listed_models(settings: Settings) -> ModelListing:
    """All models and the default, each provider asked; without the store, so also before there is one and beside a server."""
    room = await open_models(settings)
    try:
        # No account has a part in what a gateway lists.
        return await Models(room.gateway, settings.agent.model, lambda _: Spend()).list(Principal("", "", "admin"))
    finally:
        await room.aclose()


async def _ask(provider: Provider, room: ModelRoom) -> _Asked:
    address = room.addresses.get(provider.name, "")
    place = provider.name, provider.kind, address
    if isinstance(provider, UnusableProvider):
        return _Asked(*place, "fails", why=provider.why)
    if not isinstance(provider, HttpProvider):
        return _Asked(*place, "answers", tuple(await provider.models()))
    known = tuple(provider.described(model.name, None) for model in provider.settings.models)
    try:
        if not _is_here(address):
            return _Asked(*place, "away", known)
        async with asyncio.timeout(_LONGEST_S):
            # `models` alone would give the configured ones of a server that is down.
            await provider.list_models()
            return _Asked(*place, "answers", tuple(await provider.models()))
    except TimeoutError:
        return _Asked(*place, "fails", known, f"it did not answer within {_LONGEST_S:.0f} s")
    except FamulusError as error:
        return _Asked(*place, "fails", known, str(error))


def _is_here(address: str) -> bool:
    target = parse_url(address)
    return target.address.is_loopback if target.address is not None else target.host == "localhost"


def _provider(one: _Asked, *, found: bool) -> Finding:
    name, origin = f"provider {one.name}", "found" if found else "answers"
    models = f"{len(one.infos)} models" if len(one.infos) != 1 else "1 model"
    if one.state == "fails":
        return Finding(
            name, "warn", f"{one.address}: {one.why}", "Put that right; until then its models cannot be used."
        )
    if one.state == "away":
        told = f"{one.address} is not this machine and was not asked{f'; {models} configured' if one.infos else ''}"
        return Finding(name, "ok", told, "`famulus models` asks it.")
    if not one.infos:
        pull = " (with Ollama: `ollama pull qwen3:8b`)" if one.kind == "ollama" else ""
        return Finding(name, "warn", f"{origin} at {one.address}, but has no model", f"Give it one{pull}.")
    listed = ", ".join(info.name.partition("/")[2] for info in one.infos[:_SHOWN])
    more = f" and {len(one.infos) - _SHOWN} more" if len(one.infos) > _SHOWN else ""
    return Finding(name, "ok", f"{origin} at {one.address}, {models}: {listed}{more}")


def _chosen(settings: Settings, asked: Sequence[_Asked]) -> Finding:
    file = str(settings.data / FILE_NAME)
    if settings.agent.model is not None:
        return _configured(settings.agent.model, asked, file)
    infos = sorted((info for one in asked if one.state != "fails" for info in one.infos), key=lambda info: info.name)
    name = best_of(infos)
    if name != BUILTIN:
        return _used(next(info for info in infos if info.name == name), "the first that can call tools")
    if any(one.state == "away" for one in asked):
        told = "a run takes the first model that can call tools, of a provider that was not asked here"
        return Finding("model", "ok", told, "`famulus models` marks it with a star.")
    told = f"{BUILTIN}: no language model is used, answers are put together from sentences of the documents"
    return Finding(
        "model", "off", told, f"Start Ollama with a model that can call tools, or name a provider in {file!r}."
    )


def _configured(name: str, asked: Sequence[_Asked], file: str) -> Finding:
    if name == BUILTIN:
        return Finding("model", "ok", f"{BUILTIN}, as agent.model says; no language model is used")
    change = f"Change agent.model in {file!r} or in the environment; `famulus models` lists what there is."
    provider = next((one for one in asked if one.name == name.partition("/")[0]), None)
    if provider is None:
        return Finding("model", "failed", f"agent.model is {name!r}, but no such provider is there", change)
    if provider.state == "fails":
        return Finding(
            "model", "failed", f"agent.model is {name!r}, but its provider cannot be used now", f"See its row. {change}"
        )
    info = next((info for info in provider.infos if info.name == name), None)
    if info is not None:
        return _used(info, "as agent.model says")
    if provider.state == "away":
        return Finding("model", "ok", f"{name}, as agent.model says; its provider was not asked")
    return Finding("model", "failed", f"agent.model is {name!r}, but its provider does not list it", change)


def _used(info: ModelInfo, why: str) -> Finding:
    window = f"{info.context_window:,} tokens" if info.context_window else "window unknown"
    place = "stays here" if info.local else "leaves this machine"
    return Finding("model", "ok", f"{info.name}, {why} ({tools_in_words(info.tools)}, {window}, {place})")
