"""Counters in the Prometheus text format. Labels are route templates, never addresses: their number stays bounded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from starlette.types import Scope

MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counts requests of this process."""

    def __init__(self) -> None:
        self._requests: defaultdict[tuple[str, str, int], int] = defaultdict(int)
        self._seconds: defaultdict[tuple[str, str], float] = defaultdict(float)

    def request(self, scope: Scope, status: int, seconds: float) -> None:
        route = str(getattr(scope.get("route"), "path", "other"))
        method = scope["method"] if scope["method"] in _METHODS else "OTHER"
        self._requests[method, route, status] += 1
        self._seconds[method, route] += seconds

    def text(self, gauges: Mapping[str, float]) -> str:
        """The counters and the given gauges (name → value)."""
        lines = ["# TYPE famulus_http_requests_total counter"]
        for (method, route, status), count in sorted(self._requests.items()):
            lines.append(f'famulus_http_requests_total{{method="{method}",route="{route}",status="{status}"}} {count}')
        lines.append("# TYPE famulus_http_request_seconds_total counter")
        for (method, route), seconds in sorted(self._seconds.items()):
            lines.append(f'famulus_http_request_seconds_total{{method="{method}",route="{route}"}} {seconds:.6f}')
        for name, value in sorted(gauges.items()):
            lines += [f"# TYPE famulus_{name} gauge", f"famulus_{name} {value:g}"]
        return "\n".join(lines) + "\n"


_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
