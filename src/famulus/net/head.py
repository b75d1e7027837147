"""The first bytes of a request: its line and its headers, checked, so that nobody can end a line or change the framing. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from famulus.errors import EgressRefused
from famulus.net.url import Target

TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
HEADER_VALUE: Final = re.compile(r"[\t\x20-\x7e\x80-\ud7ff\ue000-\uffff]*")
OWN_HEADERS: Final = frozenset(
    {"host", "content-length", "transfer-encoding", "connection", "accept-encoding", "te", "upgrade"}
)
_BODILESS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


def check_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Raises `EgressRefused` for a name or value that could end its line or change the framing."""
    for name, value in headers.items():
        if not TOKEN.fullmatch(name) or not HEADER_VALUE.fullmatch(value):
            raise EgressRefused(f"header {name[:60]!r} refused: it holds characters that no header may hold")
        if name.lower() in OWN_HEADERS and not (name.lower() == "accept-encoding" and value == "identity"):
            raise EgressRefused(f"header {name!r} refused: the client sets it itself")
    return dict(headers)


def head_of(method: str, target: Target, headers: Mapping[str, str], body: bytes | None) -> bytes:
    """The head of a request with checked headers. Raises `EgressRefused` for a method that is no token."""
    if not TOKEN.fullmatch(method):
        raise EgressRefused(f"method {method[:60]!r} refused: it holds characters that no method may hold")
    given = {name.lower() for name in headers}
    lines = [f"{method} {target.url.raw_path_qs} HTTP/1.1", f"Host: {target.url.host_port_subcomponent}"]
    lines += [f"{name}: {value}" for name, value in _DEFAULTS if name.lower() not in given]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if body is not None or method not in _BODILESS:
        lines.append(f"Content-Length: {len(body or b'')}")
    if body and "content-type" not in given:
        lines.append("Content-Type: application/octet-stream")
    return "\r\n".join([*lines, "\r\n"]).encode()


_DEFAULTS: Final = (("User-Agent", "famulus"), ("Accept", "*/*"), ("Accept-Encoding", "gzip"))
