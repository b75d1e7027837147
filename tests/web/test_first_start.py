"""From nothing to the first cited answer, with no model connected and no network."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.async_api import Browser, expect
from tests.web.site import TOKEN, running_site, visiting


async def test_first_cited_answer_within_a_minute_of_clicks(browser: Browser, tmp_path: Path) -> None:
    async with running_site(tmp_path / "data") as site, visiting(browser, site, signed_in=False) as visit:
        page = visit.page
        await page.goto("/")
        await page.get_by_label("Token or link", exact=True).first.fill("not the token, but long enough to be one 0123")
        await page.get_by_role("button", name="Sign in").click()
        await expect(page.get_by_role("alert")).to_be_visible()
        await page.get_by_label("Token or link", exact=True).first.fill(TOKEN)
        await page.get_by_role("button", name="Sign in").click()
        await expect(page.get_by_role("heading", name="Ask your own documents")).to_be_visible()
        await page.get_by_role("button", name="Add the sample base").click()
        question = page.get_by_role("button", name=re.compile("hotel in London"))
        await expect(question).to_be_visible(timeout=30_000)
        base = (await site.get("/knowledge-bases"))["items"][0]
        await site.settled(base["id"])
        await question.click()
        article = page.get_by_role("article")
        await expect(article).to_contain_text("185", timeout=30_000)
        await article.get_by_role("button", name=re.compile("^Open source")).first.click()
        await expect(page.get_by_role("complementary", name="Source").locator("mark").first).to_be_visible()
        assert (visit.foreign, visit.errors, await visit.violations()) == ([], [], [])
