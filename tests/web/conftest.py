"""A browser, a shared server with the sample files, and a signed-in page. Skipped where no browser or no built page is there."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, async_playwright
from tests.web.site import CHROMIUM, FLAGS, MODEL, WEB_DIST, Site, Visit, running_site, visiting

# The check of the types needs neither browser nor built page.
collect_ignore_glob = [] if CHROMIUM and (WEB_DIST / "index.html").is_file() else ["test_[!t]*.py"]


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        await browser.close()


@pytest.fixture(scope="session")
async def site(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Site]:
    """The server that most tests share, with the sample files in it."""
    async with running_site(tmp_path_factory.mktemp("site") / "data") as site:
        base = await site.post("/knowledge-bases/sample", None)
        await site.settled(base["id"])
        yield site


@pytest.fixture
async def visit(browser: Browser, site: Site) -> AsyncIterator[Visit]:
    """A signed-in page that asks the scripted model."""
    async with visiting(browser, site, model=MODEL) as visit:
        yield visit
        assert visit.errors == []
        assert visit.foreign == []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser shares the machine with everything else: its tests get more time than others, and each thing they wait for has its own limit."""
    for item in items:
        if item.path.parent.name == "web":
            item.add_marker(pytest.mark.timeout(480))
