"""The first bytes of a request: its line and its headers, checked, so that nobody can end a line or change the framing. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from famulus.errors import EgressRefused
from famulus.net.url import Target

TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
HEADER_VALUE: Final = re.compile(r"[\t\x20-\x7e\x80-\ud7ff\ue000-\uffff]*")
OWN_HEADERS: Final = frozenset(
    {"host", "content-length", "transfer-encoding", "connection", "accept-encoding", "te", "upgrade"}
)
_BODILESS: Final = frozenset({"GET", "OPTIONS", "TRACE"})


def check_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Raises `EgressRefused` for a name or value that could end its line or change the framing."""
    for name, value in headers.items():
        if not TOKEN.fullmatch(name) or not HEADER_VALUE.fullmatch(value):
            raise EgressRefused(f"header {name[:60]!r} refused: it holds characters that no header may hold")
        if name.lower() in OWN_HEADERS and not (name.lower() == "accept-encoding" and value == "identity"):
            raise EgressRefused(f"header {name!r} refused: the client sets it itself")
    return dict(headers)


@dataclass(frozen=True, slots=True)
class Head:
    """What all requests of one kind to one destination begin with; made once for a caller that sends many."""

    method: str
    target: Target
    origin: str
    start: bytes = field(repr=False)
    typed: bool

    def request(self, body: bytes | None) -> bytes:
        """The bytes of the request with this body."""
        if body is None and self.method in _BODILESS:
            return self.start + b"\r\n"
        typed = b"" if self.typed or not body else b"Content-Type: application/octet-stream\r\n"
        return b"%bContent-Length: %d\r\n%b\r\n%b" % (self.start, len(body or b""), typed, body or b"")


def head_of(method: str, target: Target, headers: Mapping[str, str]) -> Head:
    """The head of requests with these headers. Raises `EgressRefused` for a method that is no token or HEAD, and for headers as `check_headers`."""
    if not TOKEN.fullmatch(method):
        raise EgressRefused(f"method {method[:60]!r} refused: it holds characters that no method may hold")
    if method.upper() == "HEAD":
        # Its answer names the length of a body that does not come: the connection's next answer would be read as that body.
        raise EgressRefused("method 'HEAD' refused: ask for the body with GET and leave it unread")
    checked = check_headers(headers)
    given = {name.lower() for name in checked}
    lines = [f"{method} {target.url.raw_path_qs} HTTP/1.1", f"Host: {target.url.host_port_subcomponent}"]
    lines += [f"{name}: {value}" for name, value in _DEFAULTS if name.lower() not in given]
    lines += [f"{name}: {value}" for name, value in checked.items()]
    return Head(method, target, target.origin, "\r\n".join([*lines, ""]).encode(), "content-type" in given)


_DEFAULTS: Final = (("User-Agent", "famulus"), ("Accept", "*/*"), ("Accept-Encoding", "gzip"))
