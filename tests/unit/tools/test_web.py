"""Web search: a request through the network gate, a page that may change, and nothing that crashes."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from famulus.errors import ConfigError, ToolError
from famulus.knowledge.base import Scope
from famulus.testing.agent import ANNA
from famulus.tools.base import ToolContext
from famulus.tools.builtin.web import parse_duckduckgo, web_tools
from famulus.tools.ports import WebPage

CONTEXT = ToolContext(ANNA, "run-1", Scope("tenant-1", ()), "UTC", "m")
RESULT = """<div class="result"><div class="links_main result__body"><h2 class="result__title"><a href="{url}">{title}</a></h2>
<a class="result__snippet" href="{url}">About <b>leases</b></a></div></div>"""


def page(*urls: str) -> str:
    return f"<html><body>{''.join(RESULT.format(url=url, title=f'Title {url[-3:]}') for url in urls)}</body></html>"


class Web:
    def __init__(self, text: str, status: int = 200) -> None:
        self.page = WebPage(status, text)
        self.asked: list[tuple[str, Mapping[str, str]]] = []

    async def get(self, url: str, *, query: Mapping[str, str], headers: Mapping[str, str]) -> WebPage:
        self.asked.append((url, query))
        return self.page


async def search(web: Web, **arguments: object) -> object:
    (tool,) = web_tools(web, "duckduckgo")
    return (await tool.handler(CONTEXT, {"query": "lease law"} | arguments)).data


async def test_results_are_titles_addresses_and_snippets() -> None:
    web = Web(page("https://a.example/one", "https://b.example/two"))
    data = await search(web, max_results=1)
    assert data["results"] == [{"title": "Title one", "url": "https://a.example/one", "snippet": "About leases"}]
    assert web.asked == [("https://html.duckduckgo.com/html/", {"q": "lease law"})]


def test_redirect_of_the_engine_is_unwrapped_and_other_schemes_are_dropped() -> None:
    found = parse_duckduckgo(page("//duckduckgo.com/l/?uddg=https%3A%2F%2Fc.example%2Fx", "javascript:alert(1)"))
    assert [item["url"] for item in found] == ["https://c.example/x"]


@pytest.mark.parametrize("text", ["", "<html><body>new form</body></html>", "\x00\x01", "<" * 10_000, "{}"])
async def test_changed_page_is_no_results_parsed_and_no_crash(text: str) -> None:
    with pytest.raises(ToolError, match="no results parsed"):
        await search(Web(text))


async def test_engine_without_results_is_an_empty_list() -> None:
    data = await search(Web('<html><body><div class="no-results">No results.</div></body></html>'))
    assert data["results"] == []


async def test_refusing_engine_is_told() -> None:
    with pytest.raises(ToolError, match="status 429"):
        await search(Web("", 429))


def test_engine_off_removes_the_tool() -> None:
    assert web_tools(Web(""), "off") == []


def test_engine_that_does_not_exist_stops_the_start() -> None:
    with pytest.raises(ConfigError, match="'altavista'"):
        web_tools(Web(""), "altavista")
