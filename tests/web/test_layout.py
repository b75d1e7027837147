"""Measures of the page that pictures once showed to be wrong: nothing lies over something else, and what belongs together is even."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from playwright.async_api import Browser, Locator, expect
from tests.web.site import MODEL, Site, Visit, visiting

from famulus.testing.model_servers import Call, Say

PHONE = {"width": 360, "height": 740}
BOXES = "(all) => all.map((e) => e.getBoundingClientRect()).filter((box) => box.width > 0).map((box) => [box.left, box.top, box.right, box.bottom])"


async def boxes(found: Locator) -> list[list[float]]:
    return await found.evaluate_all(BOXES)


def overlap(one: list[float], other: list[float]) -> bool:
    return min(one[2], other[2]) - max(one[0], other[0]) > 1 and min(one[3], other[3]) - max(one[1], other[1]) > 1


async def document(site: Site, name: str) -> str:
    base = (await site.get("/knowledge-bases"))["items"][0]["id"]
    documents = (await site.get(f"/knowledge-bases/{base}/documents?limit=200"))["items"]
    return f"/documents/{next(item['id'] for item in documents if item['name'] == name)}"


async def test_the_head_of_the_uploads_fits_a_phone_in_german(browser: Browser, site: Site, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.4 nothing")
    base = (await site.post("/knowledge-bases", {"name": "Layout"}))["id"]
    async with visiting(browser, site, language="de", viewport=PHONE) as visit:
        await visit.page.goto(f"/knowledge/{base}")
        await visit.page.locator('input[type="file"]').first.set_input_files(broken)
        head = visit.page.get_by_role("region", name="Uploads").locator("> :first-child")
        await expect(head).to_contain_text("1 fehlgeschlagen")
        parts = await boxes(head.locator("> *"))
        assert not [(a, b) for a in parts for b in parts if a is not b and overlap(a, b)]


async def test_the_filters_of_the_search_stand_in_one_row_in_german(browser: Browser, site: Site) -> None:
    async with visiting(browser, site, language="de") as visit:
        await visit.page.goto("/search")
        group = visit.page.get_by_role("group", name="Filter")
        await expect(group).to_be_visible()
        parts = await boxes(group.locator("> *"))
        assert max(part[1] for part in parts) < min(part[3] for part in parts)


async def test_the_buttons_of_an_answer_stand_at_even_distances(site: Site, visit: Visit) -> None:
    site.script.rounds = lambda question, number: (
        Call("search_documents", {"query": "hotel ceiling"}) if number == 0 else Say("GBP 185 a night [1].")
    )
    await visit.page.goto("/")
    await visit.ask("What may a hotel cost?")
    buttons = visit.page.get_by_role("button", name="Copy answer").locator("xpath=..").locator("> button")
    await expect(buttons.first).to_be_visible()
    lefts = [box[0] for box in (await boxes(buttons))[:5]]
    steps = [after - before for before, after in pairwise(lefts)]
    assert max(steps) - min(steps) < 1.5


async def test_the_card_of_the_context_stays_within_a_phone_in_french(browser: Browser, site: Site) -> None:
    site.script.rounds = lambda question, number: Say("Nothing is known of that.")
    async with visiting(browser, site, model=MODEL, language="fr", viewport=PHONE) as visit:
        await visit.page.goto("/")
        await visit.page.get_by_role("textbox").last.fill("Who?")
        await visit.page.keyboard.press("Enter")
        await visit.page.get_by_role("button", name="Contexte").click()
        card = visit.page.get_by_role("dialog")
        await expect(card.get_by_text("Questions précédentes")).to_be_visible()
        await visit.page.wait_for_timeout(300)
        ((left, _, right, _),) = await boxes(card)
        assert left >= 0
        assert right <= PHONE["width"]


async def test_a_document_fills_the_window_and_its_page_stands_in_the_middle(site: Site, visit: Visit) -> None:
    page = visit.page
    await page.goto(await document(site, "technical-bulletin-07.pdf"))
    canvas = page.locator("main canvas")
    await expect(canvas).to_be_visible()
    frame = page.get_by_role("region", name="Page 1")
    (inner,), (outer,) = await boxes(canvas), await boxes(frame)
    assert abs((inner[0] - outer[0]) - (outer[2] - inner[2])) < 2
    assert 8 <= 820 - outer[3] <= 40


async def test_the_way_back_from_a_document_names_its_base_in_the_readers_language(
    browser: Browser, site: Site
) -> None:
    async with visiting(browser, site, model=MODEL, language="de") as visit:
        await visit.page.goto(await document(site, "travel-policy.md"))
        await visit.page.get_by_role("link", name="Beispielbüro").click()
        await expect(visit.page.get_by_role("heading", name="Beispielbüro")).to_be_visible()
