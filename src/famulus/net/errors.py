"""What goes wrong on the way out: refusals of the gate (`EgressRefused`) and failures of the network (`NetError`)."""

from __future__ import annotations

from typing import Literal

from famulus.errors import EgressRefused, FamulusError

Kind = Literal["connect", "dns", "timeout", "tls", "too_large", "closed", "protocol", "encoding"]


class NetError(FamulusError):
    """The destination was allowed and still could not be read. `kind` says how; the code is `net_<kind>`."""

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message, code=f"net_{kind}")
        self.kind: Kind = kind


class RedirectRefused(EgressRefused):
    """The destination answered with a redirect, which is never followed; `location` is where it pointed, `host` its host."""

    code = "redirect_refused"

    def __init__(self, location: str, host: str) -> None:
        super().__init__(f"redirect to {host!r} refused: ask for that address itself if it is the right one")
        self.location = location
        self.host = host


__all__ = ["EgressRefused", "Kind", "NetError", "RedirectRefused"]
