"""A provider behind HTTP: joins a wire's pure functions with the network gate.

It makes one attempt, and one more for each thing that a refusal taught; retries of failures are the gateway's.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import lru_cache

import msgspec
from yarl import URL

from famulus.errors import EgressRefused
from famulus.messages.values import JsonObject
from famulus.models.base import ModelInfo, ModelItem, ModelNotice, ModelRequest
from famulus.models.errors import Kind, ModelFailed, detail_of
from famulus.models.providers.answer import Answer
from famulus.models.providers.frames import FrameTooLong
from famulus.models.providers.rules import Change, Learned, apply, changes_for, lesson
from famulus.models.providers.wire import Garbled, Listed, Quirks, Refused, Wire
from famulus.models.settings import ModelSettings, ProviderSettings
from famulus.models.windows import window_of
from famulus.net.client import NetClient, NetLimits, NetStream
from famulus.net.errors import NetError
from famulus.net.head import Head
from famulus.net.policy import PROVIDER

_ENCODER = msgspec.json.Encoder()
MAX_ANSWER = 64 << 20
MAX_ERROR = 64 << 10
MAX_LESSONS = 4
END_WAIT_S = 0.25
NET_KINDS: dict[str, Kind] = {
    "timeout": "timeout",
    "too_large": "rejected",
    "encoding": "unavailable",
    "protocol": "unavailable",
}
LIST_LIMITS = NetLimits(connect_s=5, silence_s=10, total_s=15, size_bytes=8 << 20)


class HttpProvider:
    """One configured provider. `kind` is the wire's."""

    def __init__(self, settings: ProviderSettings, wire: Wire, net: NetClient) -> None:
        self.settings = settings
        self.name = settings.name
        self.kind: str = settings.kind
        self.local = settings.local
        self.wire = wire
        self.net = net
        self.learned = Learned()
        self.host = URL(settings.url).host or ""
        self.limits = NetLimits(silence_s=settings.timeout_s, total_s=settings.timeout_s, size_bytes=MAX_ANSWER)
        self.found: dict[str, Listed] = {}
        self.head: Head | None = None
        # Nearly every request is to one of a few models of which nothing new was learned.
        self.known_quirks = lru_cache(maxsize=128)(self.quirks_of)

    async def aclose(self) -> None:
        """The network client belongs to whoever made it."""

    async def models(self) -> list[ModelInfo]:
        """The configured models first, then what the provider lists. Raises `ModelFailed` when neither tells any."""
        return [await self.info(name) for name in await self.names()]

    async def names(self) -> list[str]:
        """A provider without a list, or one that is down, still has its configured models."""
        configured = [model.name for model in self.settings.models]
        try:
            listed = await self.list_models()
        except ModelFailed:
            if not configured:
                raise
            listed = []
        return list(dict.fromkeys([*configured, *(one.name for one in listed)]))

    async def list_models(self) -> list[Listed]:
        listed = self.wire.listed(await self.get(self.wire.models_path) if self.wire.models_path else b"")
        self.found = {one.name: one for one in listed}
        return listed

    async def info(self, model: str) -> ModelInfo:
        """What is configured, else what the provider said, else what is documented about it; else None."""
        known = self.settings.model(model)
        complete = known is not None and known.context_window is not None and known.tools is not None
        if not self.found and not complete:
            try:
                await self.list_models()
            except ModelFailed:
                self.found = {}
        return self.described(model, self.found.get(model))

    def described(self, model: str, listed: Listed | None) -> ModelInfo:
        known = self.settings.model(model) or ModelSettings(model)
        told = listed or Listed(model)
        window = known.context_window or told.context_window or window_of(self.host, model)
        return ModelInfo(
            name=f"{self.name}/{model}",
            provider=self.name,
            kind=self.kind,
            local=self.local,
            tools=known.tools if known.tools is not None else told.tools,
            context_window=window,
            max_output_tokens=known.max_output_tokens or told.max_output_tokens,
        )

    async def get(self, path: str) -> bytes:
        return await self.ask("GET", path, None)

    async def ask(self, method: str, path: str, body: bytes | None) -> bytes:
        """A small request to the provider. Raises `ModelFailed`."""
        headers = self.wire.headers(self.settings.api_key)
        try:
            answer = await self.net.request(PROVIDER, method, self.settings.url + path, headers, body, LIST_LIMITS)
            if answer.status != 200:
                raise Refused(self.wire.refusal(answer.status, answer.headers, answer.body), answer.status)
        except (Refused, NetError, EgressRefused) as error:
            raise self.failed(error, started=False) from error
        return answer.body

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelItem]:
        """Deltas, notices, one response. Raises `ModelFailed`."""
        model = request.model.removeprefix(f"{self.name}/")
        for _ in range(MAX_LESSONS + 1):
            body = await self.written(request, model)
            answer = Answer(self.wire.decoder(request, model), self.wire.framing)
            try:
                async with self.net.send(PROVIDER, self.opening(), _ENCODER.encode(body), self.limits) as arriving:
                    await self.check(arriving)
                    async for chunk in arriving:
                        for item in answer.take(chunk):
                            yield item
                        if answer.over:
                            break
                    else:
                        for item in answer.rest():
                            yield item
                    yield answer.response()
                    await arriving.finish(END_WAIT_S)
                return
            except (Refused, Garbled, FrameTooLong, NetError, EgressRefused) as error:
                failure = self.failed(error, started=answer.started)
                change = self.lesson(failure, model, body)
                if change is None:
                    raise failure from error
            yield notice_of(change)
        raise AssertionError("unreachable")

    async def written(self, request: ModelRequest, model: str) -> JsonObject:
        body = self.wire.body(request, model, await self.quirks(request, model))
        return apply(body, (*changes_for(self.wire.kind, model), *self.learned.of(model)))

    def opening(self) -> Head:
        """The head of every question. Raises `EgressRefused`."""
        if self.head is None:
            url = self.settings.url + self.wire.chat_path
            self.head = self.net.head("POST", url, self.wire.headers(self.settings.api_key))
        return self.head

    async def quirks(self, request: ModelRequest, model: str) -> Quirks:
        return self.known_quirks(model, self.learned.of(model))

    def quirks_of(self, model: str, learned: tuple[Change, ...]) -> Quirks:
        known = self.settings.model(model) or ModelSettings(model)
        unlearned = {change.parameter for change in learned}
        return Quirks(
            no_replay="replay" in unlearned,
            no_reasoning_content="reasoning_content" in unlearned,
            schema_as_tool="output_config" in unlearned,
            max_output_tokens=known.max_output_tokens,
            options=known.options,
        )

    def lesson(self, failure: ModelFailed, model: str, body: JsonObject) -> Change | None:
        if not failure.before_first_token or len(self.learned.of(model)) >= MAX_LESSONS:
            return None
        change = lesson(failure.status, failure.param, failure.detail, body)
        return change if change is not None and self.learned.learn(model, change) else None

    async def check(self, arriving: NetStream) -> None:
        """Raises `Refused` and `Garbled` unless the answer is a stream of the wire."""
        if arriving.status != 200:
            body = b""
            async for chunk in arriving:
                body += chunk
                if len(body) > MAX_ERROR:
                    break
            refusal = self.wire.refusal(arriving.status, arriving.headers, body[:MAX_ERROR])
            raise Refused(refusal, arriving.status)
        if "html" in arriving.headers.get("content-type", ""):
            raise Garbled("a web page came instead; check base_url")

    def failed(
        self, error: Refused | Garbled | FrameTooLong | NetError | EgressRefused, *, started: bool
    ) -> ModelFailed:
        """The error in the taxonomy. `started`: a part of the answer was given out."""
        status = param = retry_after_s = None
        told = str(error)
        if isinstance(error, Refused):
            kind, told, status = error.refusal.kind, error.refusal.message, error.status
            param, retry_after_s = error.refusal.param, error.refusal.retry_after_s
        elif isinstance(error, EgressRefused):
            kind = "rejected"
        elif isinstance(error, NetError):
            kind = NET_KINDS.get(error.kind, "connection")
        else:
            kind, told = "unavailable", f"its answer is broken: {error}"
        return ModelFailed(
            kind,
            self.name,
            detail_of(told, self.settings.api_key),
            retry_after_s=retry_after_s,
            before_first_token=not started,
            status=status,
            param=param,
        )


def notice_of(change: Change) -> ModelNotice:
    data: JsonObject = {"parameter": change.parameter, "renamed_to": change.renamed_to}
    if change.renamed_to:
        text = f"The model takes `{change.renamed_to}` instead of `{change.parameter}`; the request was sent again with it."
        return ModelNotice("parameter_renamed", text, data)
    text = f"The model does not take `{change.parameter}`; the request was sent again without it."
    return ModelNotice("parameter_dropped", text, data)


async def gather_infos(provider: HttpProvider, names: list[str], at_once: int = 4) -> list[ModelInfo]:
    """The infos of many models, a few questions at a time, in the order of the names."""
    gate = asyncio.Semaphore(at_once)

    async def one(name: str) -> ModelInfo:
        async with gate:
            return await provider.info(name)

    return await asyncio.gather(*(one(name) for name in names))
