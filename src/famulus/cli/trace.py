"""A run on the terminal: each step when it happens, then the answer, then the sources. Nothing of it can drive the terminal."""

from __future__ import annotations

import contextlib
import json
from typing import Final, cast

from rich.console import Console
from rich.text import Text

from famulus.agent.view import RunView
from famulus.app.run_records import RunRecords
from famulus.cli.common import one_line, printable
from famulus.cli.hints import completed
from famulus.errors import NotFound
from famulus.events.records import Position
from famulus.events.types import RUN_ERROR, RUN_NOTICE, TOOL_CALL, TOOL_RESULT, Event
from famulus.messages.values import JsonObject, JsonValue, Principal

_HITS: Final = 4
_SUPPORT: Final = {"weak": " (weak support)", "none": " (not supported by this passage)"}


class Trace:
    def __init__(self, runs: RunRecords, principal: Principal, *, shown: bool = True) -> None:
        self._runs = runs
        self._principal = principal
        self._shown = shown
        self._steps: dict[str, JsonObject] = {}
        self._err = Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)
        self._out = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)

    async def follow(self, run_id: str) -> RunView:
        """Shows the run until its end and returns it."""
        async for item in await self._runs.subscribe(self._principal, run_id, Position()):
            if self._shown and isinstance(item, Event):
                await self._event(item)
        view = await self._runs.get(self._principal, run_id)
        if self._shown:
            self._answer(view)
        return view

    async def show(self, run_id: str) -> None:
        """Shows what there is of the run now."""
        for event in await self._runs.events(self._principal, run_id):
            await self._event(event)
        self._answer(await self._runs.get(self._principal, run_id))

    async def _event(self, event: Event) -> None:
        data = event.data
        if event.type == TOOL_CALL:
            self._steps[str(data.get("call_id"))] = data
        elif event.type == TOOL_RESULT:
            step = self._steps.get(str(data.get("call_id")), {}) | data
            self._step(step, await self._content(event.run_id, step))
        elif event.type == RUN_NOTICE:
            self._say("· ", str(data.get("message", "")), "yellow")
        elif event.type == RUN_ERROR:
            self._say("✗ ", str(data.get("detail") or data.get("title") or "failed"), "red")

    async def _content(self, run_id: str, step: JsonObject) -> JsonValue:
        """The result of a call; the preview in its event may be cut, the artifact is whole."""
        text, artifact_id = str(step.get("preview", "")), step.get("artifact_id")
        with contextlib.suppress(NotFound):
            if isinstance(artifact_id, str):
                text = (await self._runs.artifact(self._principal, run_id, artifact_id)).content.decode()
        try:
            return cast("JsonValue", json.loads(text))
        except ValueError:
            return text

    def _step(self, step: JsonObject, content: JsonValue) -> None:
        failed = step.get("is_error") is True or step.get("blocked") is True
        marks = [name for name in ("blocked", "cached", "network") if step.get(name) is True]
        marks = ["leaves this machine" if mark == "network" else mark for mark in marks]
        line = Text("✗ " if failed else "→ ", "red" if failed else "cyan")
        line.append(one_line(str(step.get("tool", "?")), 60), "bold")
        line.append(f" {one_line(_arguments(step.get('arguments')), 100)}")
        line.append(f"  {_took(step)}", "dim")
        for mark in marks:
            line.append(f"  [{mark}]", "yellow")
        self._err.print(line)
        for text in _outcome(step, content, failed=failed):
            self._err.print(Text(f"    {text}", "dim"))

    def _answer(self, view: RunView) -> None:
        self._err.print("")
        if view.answer:
            self._out.print(Text(printable(view.answer)))
        if view.truncated:
            self._say("· ", f"The answer is not complete: the run ended as {view.status}.", "yellow")
        if view.sources:
            self._out.print()
            self._out.print(Text("Sources", "bold"))
        for source in view.sources:
            self._source(source)

    def _source(self, source: JsonObject) -> None:
        line = Text(f"[{source.get('n')}] ", "cyan")
        line.append(one_line(str(source.get("document_name", ""))), "bold")
        line.append(one_line(_place(source), 200))
        line.append(_SUPPORT.get(str(source.get("support")), ""), "yellow")
        self._out.print(line)
        self._out.print(Text(f"    “{one_line(str(source.get('quote', '')), 420)}”", "dim"))

    def _say(self, mark: str, text: str, style: str) -> None:
        self._err.print(Text(mark + completed(one_line(text, 500)), style))


def _arguments(value: JsonValue) -> str:
    if not isinstance(value, dict):
        return ""
    return " ".join(f"{key}={json.dumps(item, ensure_ascii=False)}" for key, item in value.items())


def _took(step: JsonObject) -> str:
    took = step.get("duration_ms")
    return f"{took:.0f} ms" if isinstance(took, int | float) else ""


def _outcome(step: JsonObject, content: JsonValue, *, failed: bool) -> list[str]:
    """What came back, in a few short lines: the hits of a search, the error of a failure, the value of a calculation."""
    if not isinstance(content, dict):
        return [one_line(str(content or ""), 120)] if content else []
    if failed:
        return [one_line(str(content.get("error") or step.get("error") or "failed"), 200)]
    hits = content.get("hits")
    if isinstance(hits, list):
        shown = [_hit(hit) for hit in hits[:_HITS] if isinstance(hit, dict)]
        more = len(hits) - len(shown)
        return [*shown, f"      and {more} more"] if more > 0 else shown or ["no hits"]
    for name in ("result", "datetime", "text"):
        if name in content:
            return [one_line(str(content[name]), 120)]
    return []


def _hit(hit: JsonObject) -> str:
    score = hit.get("score")
    shown = f"{score:.2f}" if isinstance(score, int | float) else "    "
    return one_line(f"{shown}  [{hit.get('n')}] {hit.get('document', '')}{_place(hit)}: {hit.get('excerpt', '')}", 120)


def _place(source: JsonObject) -> str:
    place = f", page {source['page']}" if source.get("page") else ""
    section = source.get("section")
    if isinstance(section, list) and section:
        place += f", {' › '.join(str(part) for part in section)}"
    return place
