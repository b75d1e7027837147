"""Every screen for everybody: axe finds nothing, the keyboard reaches everything, 360 pixels are enough."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.async_api import Browser, Page, TimeoutError, expect
from tests.web.site import MODEL, Site, visiting

from famulus.testing.model_servers import Call, Say

SCREENS = ["/", "/knowledge", "/search?q=hotel", "/runs", "/settings"]
RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
}


async def violations(page: Page) -> list[str]:
    await page.evaluate(AXE_FILE_PATH.read_text(encoding="utf-8"))
    result: dict[str, Any] = await page.evaluate("(rules) => axe.run(document, rules)", RULES)
    return [f"{item['id']}: {node['html'][:160]}" for item in result["violations"] for node in item["nodes"]]


async def answered(site: Site, page: Page) -> None:
    """A conversation with steps, a citation and a failed call."""
    site.script.rounds = lambda question, number: (
        [
            Call("search_documents", {"query": "hotel ceiling per night London"}),
            Call("read_document", {"name": "nowhere.pdf"}),
        ]
        if number == 0
        else Say(
            "# Hotels\n\nA night may cost CHF 210 [1].\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nls\n```\n\n- [ ] open [7]"
        )
    )
    await page.goto("/")
    await page.get_by_role("textbox", name="Message").fill("What may a hotel cost?")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Copy answer")).to_be_visible(timeout=20_000)


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_on_any_screen(browser: Browser, site: Site, scheme: str) -> None:
    async with visiting(browser, site, model=MODEL, color_scheme=scheme, reduced_motion="reduce") as visit:
        page = visit.page
        await answered(site, page)
        found = {"chat": await violations(page)}
        await page.get_by_role("button", name="Open source 1").first.click()
        await expect(page.get_by_role("complementary", name="Source").locator("mark").first).to_be_visible()
        found["source"] = await violations(page)
        await page.get_by_role("complementary", name="Source").get_by_role("button", name="Back").click()
        found["passages"] = await violations(page)
        runs = (await site.get("/runs"))["items"]
        bases = (await site.get("/knowledge-bases"))["items"]
        documents = (await site.get(f"/knowledge-bases/{bases[0]['id']}/documents"))["items"]
        screens = [
            *SCREENS,
            f"/runs/{runs[0]['id']}",
            f"/knowledge/{bases[0]['id']}",
            f"/documents/{documents[0]['id']}",
            "/nowhere",
        ]
        for path in screens:
            await page.goto(path)
            await expect(page.locator("h1, h2").first).to_be_visible()
            await page.wait_for_load_state("networkidle") if path != "/runs" else None
            found[path] = await violations(page)
        assert {screen: items for screen, items in found.items() if items} == {}


async def test_axe_finds_nothing_on_the_sign_in_page(browser: Browser, site: Site) -> None:
    async with visiting(browser, site, signed_in=False, reduced_motion="reduce") as visit:
        await visit.page.goto("/")
        await expect(visit.page.get_by_role("heading", name="Sign in")).to_be_visible()
        assert await violations(visit.page) == []


async def test_a_question_is_asked_and_its_source_opened_by_keyboard_alone(browser: Browser, site: Site) -> None:
    async with visiting(browser, site, model=MODEL) as visit:
        page = visit.page
        await answered(site, page)
        quote = page.get_by_role("blockquote").first
        for _ in range(180):
            await page.keyboard.press("Shift+Tab")
            if await page.evaluate("document.activeElement?.dataset.support !== undefined"):
                # What was just written may be drawn once more, and then no longer has the focus.
                with suppress(TimeoutError):
                    await quote.wait_for(timeout=2_000)
                    break
        await expect(quote).to_be_visible()
        await page.keyboard.press("Enter")
        panel = page.get_by_role("complementary", name="Source")
        await expect(panel.locator("mark").first).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(panel).to_be_hidden()


async def test_nothing_is_wider_than_a_small_phone(browser: Browser, site: Site) -> None:
    async with visiting(browser, site, model=MODEL, viewport={"width": 360, "height": 740}) as visit:
        page = visit.page
        await answered(site, page)
        widths = {"chat": await page.evaluate("document.documentElement.scrollWidth")}
        runs = (await site.get("/runs"))["items"]
        bases = (await site.get("/knowledge-bases"))["items"]
        for path in [*SCREENS, f"/runs/{runs[0]['id']}", f"/knowledge/{bases[0]['id']}"]:
            await page.goto(path)
            await expect(page.locator("h1, h2").first).to_be_visible()
            widths[path] = await page.evaluate(
                "Math.max(document.documentElement.scrollWidth, document.querySelector('main > *')?.scrollWidth ?? 0)"
            )
        assert {path: width for path, width in widths.items() if width > 360} == {}
