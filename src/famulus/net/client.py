"""The only outbound door. One pool of connections per (purpose, destination); its connector is the egress policy.

No redirects, no proxies, no cookies, no credentials or certificates from the environment. Size, total time and
decompression are bounded for every request.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

from famulus.messages.alarms import Alarms
from famulus.net.connector import Lookup, checked_connector, system_lookup
from famulus.net.exchange import NetLimits, NetStream, Pool
from famulus.net.head import Head, head_of
from famulus.net.policy import PROVIDER, EgressPolicy
from famulus.net.url import parse_url

MAX_POOLS = 64
CONNECTIONS = 16


@dataclass(frozen=True, slots=True)
class NetResponse:
    """`headers` have lower-case names."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class NetClient:
    """`lookup` replaces the system's name resolution (tests)."""

    def __init__(self, policy: EgressPolicy, *, lookup: Lookup = system_lookup) -> None:
        self.policy = policy
        self.lookup = lookup
        self.pools: OrderedDict[tuple[str, str], Pool] = OrderedDict()
        self.alarms = Alarms()
        self.closing: set[asyncio.Task[None]] = set()

    async def request(
        self,
        purpose: str,
        method: str,
        url: str,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        limits: NetLimits | None = None,
    ) -> NetResponse:
        """The whole answer, whatever its status. Raises `EgressRefused` (also for a redirect) and `NetError`."""
        async with self.stream(purpose, method, url, headers, body, limits) as answer:
            names = {name.lower(): value for name, value in answer.headers.items()}
            return NetResponse(answer.status, names, b"".join([chunk async for chunk in answer]))

    def stream(
        self,
        purpose: str,
        method: str,
        url: str,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        limits: NetLimits | None = None,
    ) -> NetStream:
        """The answer as it arrives, inside its context. Raises `EgressRefused`."""
        return self.send(purpose, self.head(method, url, headers or {}), body, limits)

    def head(self, method: str, url: str, headers: Mapping[str, str]) -> Head:
        """The checked head of requests to this URL, for a caller that sends many. Raises `EgressRefused`."""
        return head_of(method, parse_url(url), headers)

    def send(self, purpose: str, head: Head, body: bytes | None = None, limits: NetLimits | None = None) -> NetStream:
        """As `stream`, with a head that was made before. Raises `EgressRefused`."""
        return NetStream(self.pool(purpose, head), head, body, limits or NetLimits())

    def pool(self, purpose: str, head: Head) -> Pool:
        """The pool of this destination; the policy is asked when it is made, for it cannot change in a client's life."""
        key, target = (purpose, head.origin), head.target
        pool = self.pools.get(key)
        if pool is None:
            rule = self.policy.rule(purpose, target)
            limit = 0 if purpose == PROVIDER else CONNECTIONS
            connector = checked_connector(rule, target.scheme == "https", self.policy.ca_file, self.lookup, limit)
            pool = self.pools[key] = Pool(connector, target, self.alarms)
            self.forget_oldest()
        else:
            self.pools.move_to_end(key)
        return pool

    def forget_oldest(self) -> None:
        """Keeps the number of pools bounded; only pools without a request in flight are closed."""
        for key, pool in list(self.pools.items())[:-1]:
            if len(self.pools) <= MAX_POOLS:
                return
            if key[0] != PROVIDER and pool.in_flight == 0:
                del self.pools[key]
                task = asyncio.create_task(pool.aclose())
                self.closing.add(task)
                task.add_done_callback(self.closing.discard)

    async def aclose(self) -> None:
        pools = list(self.pools.values())
        self.pools.clear()
        await asyncio.gather(*self.closing, *(pool.aclose() for pool in pools))
