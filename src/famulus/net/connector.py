"""The egress policy as an aiohttp connector: names are resolved here, every answer is checked, and the socket is checked again."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from famulus.errors import EgressRefused
from famulus.net.policy import Rule

AddressInfo: TypeAlias = tuple[int, int, int, str, tuple[Any, ...]]
Lookup: TypeAlias = Callable[[str, int], Awaitable[list[str]]]


@dataclass(slots=True)
class Sending:
    """One attempt to send a request; `connected` once a socket was opened for it, False on a connection that was kept."""

    connected: bool = False


# The attempt that this task makes now, for the socket factory, which is told nothing but an address.
SENDING: Final[ContextVar[Sending]] = ContextVar("famulus_net_sending")


async def system_lookup(host: str, port: int) -> list[str]:
    """The addresses of a name as the system resolver gives them, each once, in its order."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class CheckedResolver(AbstractResolver):
    """Resolves, checks all answers, and hands on only what was checked: one refused answer refuses the name."""

    def __init__(self, rule: Rule, lookup: Lookup) -> None:
        self.rule = rule
        self.lookup = lookup

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        addresses = await self.lookup(host, port)
        for address in addresses:
            self.rule.check_text(address)
        if not addresses:
            raise OSError(f"no address for host {host!r}")
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=socket.IPPROTO_TCP,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for address in addresses
        ]

    async def close(self) -> None:
        return None


def checked_connector(rule: Rule, tls: bool, ca_file: str | None, lookup: Lookup, limit: int) -> aiohttp.TCPConnector:
    """A connection pool for one destination. The socket check also covers literal addresses, which never reach a resolver."""

    def open_socket(info: AddressInfo) -> socket.socket:
        family, kind, proto, _, address = info
        rule.check_text(str(address[0]))
        if family not in (socket.AF_INET, socket.AF_INET6):
            raise EgressRefused(f"host {rule.host!r} refused: only internet sockets are allowed")
        SENDING.get().connected = True
        return socket.socket(family, kind, proto)

    return aiohttp.TCPConnector(
        resolver=CheckedResolver(rule, lookup),
        use_dns_cache=False,
        limit=limit,
        keepalive_timeout=30,
        ssl=trust(ca_file) if tls else True,
        socket_factory=open_socket,
    )


@lru_cache(maxsize=4)
def trust(ca_file: str | None) -> ssl.SSLContext:
    """The certificates to trust: of the file, else the ones OpenSSL was built with; environment variables have no say.

    `ssl.create_default_context` obeys SSL_CERT_FILE, SSL_CERT_DIR and SSLKEYLOGFILE, so it is not used.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if ca_file is not None:
        context.load_verify_locations(cafile=ca_file)
        return context
    paths = ssl.get_default_verify_paths()
    cafile = paths.openssl_cafile if os.path.isfile(paths.openssl_cafile) else None
    capath = paths.openssl_capath if os.path.isdir(paths.openssl_capath) else None
    if cafile or capath:
        context.load_verify_locations(cafile=cafile, capath=capath)
    return context
