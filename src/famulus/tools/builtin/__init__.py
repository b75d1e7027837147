"""The tools that come with the product."""

from __future__ import annotations

from famulus.messages.clock import Clock
from famulus.policy.limits import DEFAULTS, Limits
from famulus.tools.base import Tool
from famulus.tools.builtin.calculate import calculate_tool
from famulus.tools.builtin.clock import clock_tool
from famulus.tools.builtin.read import read_tools
from famulus.tools.builtin.search import search_tools
from famulus.tools.builtin.summarise import summarise_tool
from famulus.tools.builtin.web import web_tools
from famulus.tools.ports import DocumentReader, Searcher, Summariser, WebClient

__all__ = ["builtin_tools"]


def builtin_tools(
    *,
    searcher: Searcher,
    reader: DocumentReader,
    clock: Clock,
    summariser: Summariser | None = None,
    web: WebClient | None = None,
    web_engine: str = "duckduckgo",
    limits: Limits = DEFAULTS,
) -> list[Tool]:
    """All built-in tools of this installation; `web_search` only with a client and an engine other than `off`."""
    tools = [
        *search_tools(searcher, reader, limits),
        summarise_tool(reader, summariser, limits),
        *read_tools(reader, limits),
    ]
    tools += [clock_tool(clock), calculate_tool()]
    return tools + (web_tools(web, web_engine, limits) if web is not None else [])
