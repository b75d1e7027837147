"""A scripted model server on a free loopback port: plays rounds on one wire, records every request, refuses what the real server refuses."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal

from aiohttp import web

from famulus.testing.model_servers import obey
from famulus.testing.model_servers.ollama import OllamaWire
from famulus.testing.model_servers.script import (
    Call,
    Finish,
    Garble,
    Item,
    Round,
    Rounds,
    Say,
    Stall,
    Status,
    StreamError,
    Think,
    Tokens,
    items_of,
)  # fmt: skip
from famulus.testing.model_servers.wire import (
    Encoder,
    Refusal,
    Served,
    Wire,
    dump,
    estimated_tokens,
    fields,
    listed,
    new_call_id,
    objects,
)
from famulus.testing.model_servers.wires import WIRES, WireName
from famulus.testing.model_servers.writer import Writer

Mode = Literal["script", "hostile", "obey"]


@dataclass(frozen=True, slots=True)
class Recorded:
    """One request as it came; `tools` are the names the model may call in it (empty with `tool_choice: none`)."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    status: int = 200

    @property
    def tools(self) -> list[str]:
        choice = self.body.get("tool_choice")
        if choice == "none" or choice == {"type": "none"}:
            return []
        tools = objects(self.body.get("tools") or [])
        return [str((fields(tool.get("function")) or tool).get("name")) for tool in tools]

    @property
    def text(self) -> str:
        return json.dumps(self.body, ensure_ascii=False)


@dataclass(slots=True)
class State:
    requests: list[Recorded] = field(default_factory=list[Recorded])
    played: int = 0
    calls: int = 0
    open_streams: int = 0
    obeyed: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])


class ScriptedModel:
    """`async with ScriptedModel("openai", [Call("search", {...}), Say("done")]) as server:` then `server.base_url`, `server.requests`.

    `mode`: `script` plays the rounds, but a call in a round without offered tools becomes `without_tools` text, as a well-behaved
    model would; `hostile` plays them whatever it is shown; `obey` does what it finds between `<<DO` and `DO>>` in its input.
    `by`: rounds are chosen in order of arrival, or (`turn`) by the number of assistant messages since the last user message,
    which suits many conversations at once. `repeat`: the last round again when the script is over, instead of a refusal.
    """

    def __init__(
        self,
        wire: WireName,
        rounds: Rounds = (),
        *,
        mode: Mode = "script",
        by: Literal["order", "turn"] = "order",
        repeat: bool = False,
        served: Served | None = None,
        strict: bool = True,
        without_tools: str = "I answer without tools.",
        port: int = 0,
    ) -> None:
        self.wire: Wire = WIRES[wire]()
        self.kind: WireName = wire
        self.rounds = rounds
        self.mode: Mode = mode
        self.by = by
        self.repeat = repeat
        self.served = served or Served()
        self.strict = strict
        self.without_tools = without_tools
        self.port = port
        self.state = State()
        self.runner: web.AppRunner | None = None

    @property
    def requests(self) -> list[Recorded]:
        """Every chat request in order of arrival, refused ones too."""
        return self.state.requests

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [request.body for request in self.state.requests]

    @property
    def open_streams(self) -> int:
        """Answers being written now; falls when a client leaves."""
        return self.state.open_streams

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def base_url(self) -> str:
        """As the provider's own client wants it."""
        return self.origin + self.wire.base_path

    async def __aenter__(self) -> ScriptedModel:
        app = web.Application(client_max_size=64 << 20)
        app.router.add_post(self.wire.chat_path, self.chat)
        app.router.add_get("/v1/models", self.list_models)
        app.router.add_get("/api/tags", self.list_models)
        app.router.add_post("/api/show", self.show)
        app.router.add_get("/api/version", self.version)
        self.runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.05)
        await self.runner.setup()
        site = web.TCPSite(self.runner, "127.0.0.1", self.port)
        await site.start()
        self.port = int(self.runner.addresses[0][1])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.runner is not None:
            await self.runner.cleanup()

    async def list_models(self, request: web.Request) -> web.Response:
        return web.Response(body=dump(self.wire.model_list(self.served)), content_type="application/json")

    async def show(self, request: web.Request) -> web.Response:
        if not isinstance(self.wire, OllamaWire):
            raise web.HTTPNotFound
        try:
            answer = self.wire.show(self.served, json.loads(await request.read()))
        except Refusal as refusal:
            return self.refuse(refusal)
        return web.Response(body=dump(answer), content_type="application/json")

    async def version(self, request: web.Request) -> web.Response:
        if not isinstance(self.wire, OllamaWire):
            raise web.HTTPNotFound
        return web.Response(body=b'{"version":"0.30.0"}', content_type="application/json")

    async def chat(self, request: web.Request) -> web.StreamResponse:
        headers = {name.lower(): value for name, value in request.headers.items()}
        try:
            body: dict[str, Any] = json.loads(await request.read())
        except ValueError:
            return self.refuse(Refusal(400, "We could not parse the JSON body of your request."))
        seen = json.loads(dump(body))
        refusal = self.checked(body, headers)
        self.state.requests.append(Recorded(request.path, headers, seen, refusal.status if refusal else 200))
        if refusal is not None:
            return self.refuse(refusal)
        items = self.choose(body)
        status = next((item for item in items if isinstance(item, Status)), None)
        if status is not None:
            return self.fail(status)
        self.state.open_streams += 1
        try:
            return await self.play(request, body, items)
        finally:
            self.state.open_streams -= 1

    def checked(self, body: dict[str, Any], headers: dict[str, str]) -> Refusal | None:
        """The strict check of the wire; it may change `body` into what the model sees (a window that drops messages)."""
        if not self.strict:
            return None
        try:
            self.wire.check(body, headers, self.served)
            if not body.get("stream") and not isinstance(self.wire, OllamaWire):
                raise Refusal(400, "this scripted server only streams: send `stream: true`")
            if estimated_tokens(body) > self.served.context_window:
                text = f"This model's maximum context length is {self.served.context_window} tokens. Please reduce the length."
                raise Refusal(400, text, "invalid_request_error", "messages", "context_length_exceeded")
        except Refusal as refusal:
            return refusal
        return None

    def choose(self, body: dict[str, Any]) -> list[Item]:
        if self.mode == "obey":
            return items_of(obey.obey(body, self.state.obeyed))
        index = self.state.played if self.by == "order" else obey.turn(body)
        self.state.played += 1
        items = items_of(self.pick(body, index))
        offered = Recorded("", {}, body).tools
        if self.mode == "script" and not offered and any(isinstance(item, Call) for item in items):
            items = without_calls(items)
            if not any(isinstance(item, Say) for item in items):
                items.append(Say(self.without_tools))
        return items

    def pick(self, body: dict[str, Any], index: int) -> Round:
        if callable(self.rounds):
            return self.rounds(body, index)
        if index < len(self.rounds):
            return self.rounds[index]
        if self.repeat and self.rounds:
            return self.rounds[-1]
        return Status(500, message=f"the script has only {len(self.rounds)} rounds, this is number {index + 1}")

    def refuse(self, refusal: Refusal) -> web.Response:
        body = dump(self.wire.refusal(refusal))
        return web.Response(status=refusal.status, body=body, content_type="application/json")

    def fail(self, status: Status) -> web.Response:
        body = status.body
        if body is None:
            body = dump(self.wire.refusal(Refusal(status.code, status.message, status.kind)))
        data = body.encode() if isinstance(body, str) else body
        headers = {"Content-Type": "application/json"} | dict(status.headers)
        return web.Response(status=status.code, body=data, headers=headers)

    async def play(self, request: web.Request, body: dict[str, Any], items: list[Item]) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": self.wire.content_type})
        writer = Writer(request, response, items)
        encoder = self.wire.encoder(body)
        if not await writer.begin() or not await writer.frames(encoder.start()):
            return response
        for item in items:
            if not await self.play_item(item, encoder, writer):
                return response
        await writer.frames(encoder.end(finish_of(items), tokens_of(items, body)))
        await writer.finish()
        return response

    async def play_item(self, item: Item, encoder: Encoder, writer: Writer) -> bool:
        """False when the round ends here."""
        match item:
            case Say():
                for piece in item.pieces():
                    if item.delay_s:
                        await asyncio.sleep(item.delay_s)
                    if not await writer.frames(encoder.say(piece)):
                        return False
                return True
            case Think():
                return await writer.frames(encoder.think(item))
            case Call():
                self.state.calls += 1
                call_id = item.call_id or new_call_id(CALL_PREFIX[self.kind], self.state.calls, CALL_LENGTH[self.kind])
                return await writer.frames(encoder.call(item, call_id))
            case Stall():
                await asyncio.sleep(item.seconds)
                return True
            case Garble():
                await writer.frames([item.data + b"\n\n"])
                await writer.finish()
                return False
            case StreamError():
                await writer.frames(encoder.error(item.message, item.kind))
                await writer.finish()
                return False
            case _:
                return True


CALL_PREFIX: dict[WireName, str] = {
    "openai": "call_", "openai_responses": "call_", "anthropic": "toolu_", "ollama": "call_", "mistral": "",
}  # fmt: skip
CALL_LENGTH: dict[WireName, int] = {"openai": 24, "openai_responses": 24, "anthropic": 24, "ollama": 8, "mistral": 9}


def without_calls(items: list[Item]) -> list[Item]:
    return [item for item in items if not isinstance(item, Call)]


def finish_of(items: list[Item]) -> str:
    scripted = [item.reason for item in items if isinstance(item, Finish)]
    if scripted:
        return scripted[0]
    return "tool_calls" if any(isinstance(item, Call) for item in items) else "stop"


def tokens_of(items: list[Item], body: dict[str, Any]) -> Tokens:
    scripted = [item for item in items if isinstance(item, Tokens)]
    if scripted:
        return scripted[0]
    said = sum(len(item.text) for item in items if isinstance(item, Say | Think))
    asked = [listed(body.get("messages") or body.get("input")), listed(body.get("tools"))]
    return Tokens(input=estimated_tokens(asked), output=max(1, said // 4))
