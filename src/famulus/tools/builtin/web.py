"""Web search. The request leaves through the network gate; only the parsing of the result page is a library's.

Engine: DuckDuckGo's page without scripts, which needs no key. Source of the page's address and form: the library `ddgs`.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Annotated, Final
from urllib.parse import parse_qs, urlsplit

from famulus.errors import ConfigError, ToolError
from famulus.messages.values import JsonObject
from famulus.policy.limits import DEFAULTS, Limits
from famulus.tools.base import Tool, ToolContext, ToolOutput
from famulus.tools.ports import WebClient
from famulus.tools.schema import Length, Range, tool

log: Final = logging.getLogger(__name__)

DUCKDUCKGO: Final = "https://html.duckduckgo.com/html/"
NO_RESULTS_PARSED: Final = "no results parsed: the search page has another form than expected, or it asked for a human check. Go on without the web."
_TITLE, _SNIPPET, _URL = 200, 500, 2_000


def web_tools(client: WebClient, engine: str, limits: Limits = DEFAULTS) -> list[Tool]:
    """`web_search` for this engine; nothing at all for `off`. Raises `ConfigError` for an engine that this version does not have."""
    if engine == "off":
        return []
    if engine != "duckduckgo":
        raise ConfigError(
            f"There is no web search engine {engine!r} in this version; set tools.web_search to duckduckgo or off."
        )

    async def web_search(
        context: ToolContext, query: Annotated[str, Length(1, 400)], max_results: Annotated[int, Range(1, 10)] = 5
    ) -> ToolOutput:
        """Searches the public web. The query leaves this machine, so put nothing private into it. Results are titles, addresses and snippets.

        Args:
            query: What to look for.
            max_results: How many results, 1 to 10.
        """
        page = await client.get(
            DUCKDUCKGO, query={"q": query}, headers={"Accept": "text/html", "Accept-Language": "en"}
        )
        if page.status != 200:
            raise ToolError(f"The search engine answered with status {page.status}; go on without the web.")
        results = await asyncio.to_thread(parse_duckduckgo, page.text)
        if not results and "no-results" not in page.text:
            raise ToolError(NO_RESULTS_PARSED)
        return ToolOutput({"results": [*results[:max_results]], "engine": "duckduckgo"})

    return [tool(web_search, network=True, toolbox="web", timeout_s=limits.tool_timeout_s)]


def parse_duckduckgo(page: str) -> list[JsonObject]:
    """The results of a page in its order: `title`, `url` (http or https only), `snippet`. Empty when the page has another form."""
    from ddgs.engines.duckduckgo import Duckduckgo

    # The parser's own constructor would open an HTTP client of its own; its parsing needs nothing that the constructor makes.
    parser = object.__new__(Duckduckgo)
    try:
        found = parser.post_extract_results(parser.extract_results(page))
    except Exception:
        # The border to a library that reads a stranger's page: whatever it stumbles over means "not parsed".
        log.info("search page not parsed")
        return []
    results: list[JsonObject] = []
    for item in found:
        url = _target(item.href)
        if item.title and url:
            results.append({"title": item.title[:_TITLE], "url": url, "snippet": item.body[:_SNIPPET]})
    return results


def _target(href: str) -> str | None:
    """The address behind the engine's own redirect; None for anything but http and https."""
    try:
        parts = urlsplit(f"https:{href}" if href.startswith("//") else href)
        if parts.hostname in ("duckduckgo.com", "www.duckduckgo.com") and parts.path == "/l/":
            parts = urlsplit(parse_qs(parts.query).get("uddg", [""])[0])
    except ValueError:
        return None
    return parts.geturl()[:_URL] if parts.scheme in ("http", "https") and parts.hostname else None
