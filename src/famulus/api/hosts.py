"""Who may be the Host of a request, and where an unsafe request of a browser may come from.

A page of another site can make a browser send requests here: under its own name that resolves to this machine (DNS
rebinding) or across sites with the victim's cookie. The first is told by `Host`, the second by `Origin` and `Sec-Fetch-Site`.
Source: Fetch Metadata (W3C), section 2.4; RFC 6454, section 7.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class HostRule:
    """Allows IP addresses (a rebinding attack needs a name), `localhost` and the names that the operator listed."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        self._names = {"localhost", *(name.lower() for name in allowed)}

    def allows(self, host: str) -> bool:
        name = _hostname(host)
        return name is not None and (name in self._names or _is_address(name))


def same_origin(origin: str, host: str, scheme: str) -> bool:
    """Whether `Origin` names the server that `Host` names. Behind TLS termination the scheme may differ; host and port may not."""
    try:
        parts = urlsplit(origin)
        ours = urlsplit(f"{scheme}://{host}")
        theirs_port, our_port = parts.port or _default(parts.scheme), ours.port or _default(parts.scheme)
    except ValueError:
        return False
    if parts.scheme not in ("http", "https") or parts.path or parts.query or parts.fragment:
        return False
    return parts.hostname == ours.hostname and theirs_port == our_port


def cross_site(origin: str | None, fetch_site: str | None, host: str, scheme: str) -> bool:
    """Whether a browser says that another site made this request. Clients that are no browsers say nothing."""
    if fetch_site is not None and fetch_site not in ("same-origin", "none"):
        return True
    return origin is not None and not same_origin(origin, host, scheme)


def _hostname(host: str) -> str | None:
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return None
    if parts.netloc != host or "@" in host or parts.path or not parts.hostname:
        return None
    return parts.hostname


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _default(scheme: str) -> int:
    return 443 if scheme == "https" else 80
