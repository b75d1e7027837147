"""The one URL parser of the gate: what it accepts is exactly what is requested. Pure.

Everything on which two parsers have ever disagreed is refused before parsing: userinfo, backslashes, control characters,
percent signs and odd numbers in the host, scope ids, trailing dots.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote

from yarl import URL

from famulus.errors import EgressRefused
from famulus.net.address import Address, parse_address

MAX_URL = 8192
SHAPE = re.compile(r"(https?)://([^/?#]*)([^#]*)(?:#.*)?", re.IGNORECASE | re.DOTALL)
UNSAFE = re.compile(r"[\x00-\x20\x7f-\xa0\\\u2028\u2029]")
HOST = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
NUMERIC_END = re.compile(r"(?:^|\.)(?:\d+|0x[0-9a-f]*)$")
ASCII_PRINTABLE = "".join(chr(c) for c in range(0x21, 0x7F) if chr(c) not in '"<>^`{|}')

# Source: the "bad ports" of the Fetch standard (services that a forged HTTP request could talk to).
BAD_PORTS = frozenset(
    {
        1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
        111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
        540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3306, 3659, 4045, 4190, 5060,
        5061, 5432, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 11211,
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Target:
    """A destination the parser accepts. `host` is lower-case ASCII (an IPv6 literal without brackets), `origin` its canonical text."""

    url: URL
    scheme: str
    host: str
    port: int
    address: Address | None

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.url.host_subcomponent}:{self.port}"


@lru_cache(maxsize=256)
def parse_url(raw: str) -> Target:
    """The destination of a URL. Raises `EgressRefused` for anything that is not a plain http or https URL."""
    if len(raw) > MAX_URL:
        raise EgressRefused(f"URL of {len(raw)} characters refused: at most {MAX_URL}")
    unsafe = UNSAFE.search(raw)
    if unsafe:
        raise EgressRefused(f"URL {shown(raw)} refused: character {unsafe.group()!r} must be percent-encoded")
    shape = SHAPE.fullmatch(raw)
    if shape is None:
        raise EgressRefused(f"URL {shown(raw)} refused: only http and https addresses are allowed")
    scheme, authority, rest = shape[1].lower(), shape[2], shape[3]
    base = parse_authority(raw, scheme, authority)
    host = (base.raw_host or "").lower()
    address = literal(raw, host)
    port = base.port or 0
    if port in BAD_PORTS or port == 0:
        raise EgressRefused(f"URL {shown(raw)} refused: port {port} is not a port for web requests")
    path = quote(rest if rest.startswith("/") else "/" + rest, safe=ASCII_PRINTABLE)
    return Target(URL(f"{scheme}://{base.raw_authority}{path}", encoded=True), scheme, host, port, address)


def parse_authority(raw: str, scheme: str, authority: str) -> URL:
    if not authority or "@" in authority or "%" in authority:
        raise EgressRefused(f"URL {shown(raw)} refused: the host must stand alone, without user name or escapes")
    try:
        base = URL(f"{scheme}://{authority}")
        port = base.port
    except ValueError as error:
        raise EgressRefused(f"URL {shown(raw)} refused: {error}") from None
    if not base.raw_host or port is None or base.raw_path not in ("", "/"):
        raise EgressRefused(f"URL {shown(raw)} refused: it names no host")
    return base


def literal(raw: str, host: str) -> Address | None:
    """The address when the host is one; refuses what is neither a plain name nor a canonical address."""
    try:
        address = parse_address(host)
    except ValueError as error:
        raise EgressRefused(f"URL {shown(raw)} refused: {error}") from None
    if address is None and (not HOST.fullmatch(host) or len(host) > 253 or NUMERIC_END.search(host)):
        raise EgressRefused(f"URL {shown(raw)} refused: {host!r} is not a plain host name or address")
    return address


def path_segment(value: str) -> str:
    """The value as exactly one segment of a path. Raises `EgressRefused` for `.` and `..`, which no encoding makes safe."""
    if value in ("", ".", ".."):
        raise EgressRefused(f"path segment {value!r} refused: it would change the path")
    return quote(value, safe="")


def shown(raw: str) -> str:
    """The URL as an error may name it: without query (keys travel there) and short."""
    text = re.sub(r"//[^/?#]*@", "//…@", raw.split("?", 1)[0])
    return repr(text if len(text) <= 200 else text[:199] + "…")
