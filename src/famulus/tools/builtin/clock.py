"""The clock as a tool."""

from __future__ import annotations

from typing import Annotated
from zoneinfo import ZoneInfo

from famulus.errors import ToolError
from famulus.messages.clock import Clock
from famulus.policy.zone import DEFAULT_ZONE, checked_zone
from famulus.tools.base import Tool, ToolContext, ToolOutput
from famulus.tools.schema import Length, tool


def clock_tool(clock: Clock) -> Tool:
    async def get_current_datetime(
        context: ToolContext, timezone: Annotated[str | None, Length(0, 64)] = None
    ) -> ToolOutput:
        """The current date, time and weekday, in the user's time zone or the one asked for.

        Args:
            timezone: IANA name such as Europe/Zurich. Left out: the user's own.
        """
        zone = context.zone
        if timezone:
            zone = checked_zone(timezone.strip())
            if zone == DEFAULT_ZONE and timezone.strip() not in ("UTC", "Etc/UTC"):
                raise ToolError(f"{timezone[:64]!r} is not a time zone; use an IANA name such as Europe/Zurich.")
        now = clock.now()
        local = now.astimezone(ZoneInfo(zone))
        return ToolOutput(
            {
                "datetime": local.isoformat(timespec="seconds"),
                "date": local.date().isoformat(),
                "time": local.strftime("%H:%M"),
                "weekday": local.strftime("%A"),
                "timezone": zone,
                "utc": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
            }
        )

    return tool(get_current_datetime, toolbox="clock", timeout_s=5, trusted=True)
