"""Measures of the page that pictures once showed to be wrong: nothing lies over something else, and what belongs together is even."""

from __future__ import annotations

import asyncio
import re
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Route, expect
from tests.web.site import MODEL, Site, Visit, visiting

from famulus.testing.model_servers import Call, Say

PHONE = {"width": 360, "height": 740}
LANGUAGES = ["en", "de", "nl", "fr"]
BOXES = "(all) => all.map((e) => e.getBoundingClientRect()).filter((box) => box.width > 0).map((box) => [box.left, box.top, box.right, box.bottom])"
CUT_PLACEHOLDERS = """(all) => all.filter((e) => {
  const style = getComputedStyle(e), pen = document.createElement("canvas").getContext("2d");
  pen.font = style.font;
  return pen.measureText(e.placeholder).width > e.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
}).map((e) => e.placeholder)"""
BROKEN_WORDS = r"""(all) => all.flatMap((e) => {
  const texts = document.createTreeWalker(e, NodeFilter.SHOW_TEXT), broken = [], range = document.createRange();
  while (texts.nextNode()) for (const word of texts.currentNode.data.matchAll(/[^\s\/-]+/g)) {
    range.setStart(texts.currentNode, word.index);
    range.setEnd(texts.currentNode, word.index + word[0].length);
    if (new Set([...range.getClientRects()].map((box) => box.top)).size > 1) broken.push(word[0]);
  }
  return broken;
})"""


async def boxes(found: Locator) -> list[list[float]]:
    """Of all that is found, once the first of it is shown."""
    await expect(found.first).to_be_visible()
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


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_filters_of_the_search_stand_in_two_even_rows_and_show_their_words(
    browser: Browser, site: Site, language: str
) -> None:
    async with visiting(browser, site, language=language) as visit:
        await visit.page.goto("/search")
        group = visit.page.locator("main [role=group]").filter(has=visit.page.locator("input[type=date]"))
        await expect(group).to_be_visible()
        upper, lower = (
            await boxes(group.locator("> :not(:last-child)")),
            await boxes(group.locator("> :last-child > *")),
        )
        for row in (upper, lower):
            assert max(part[1] for part in row) < min(part[3] for part in row)
        assert max(part[3] for part in upper) <= min(part[1] for part in lower)
        assert await group.locator("input[placeholder]").evaluate_all(CUT_PLACEHOLDERS) == []


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_small_phone_cuts_no_word_of_the_navigation(browser: Browser, site: Site, language: str) -> None:
    async with visiting(browser, site, language=language, viewport=PHONE) as visit:
        await visit.page.goto("/settings")
        words = visit.page.locator("nav li span")
        await expect(words).to_have_count(5)
        assert await words.evaluate_all("(all) => all.filter((e) => e.scrollWidth > e.clientWidth).length") == 0
        assert max(box[2] for box in await boxes(words)) <= PHONE["width"]


async def test_a_wide_table_says_at_its_edge_that_there_is_more(browser: Browser, site: Site) -> None:
    async with visiting(browser, site, viewport=PHONE) as visit:
        await visit.page.goto(await document(site, "invoices-2026.csv"))
        table = visit.page.locator("main [role=group]").filter(has=visit.page.locator("table")).last
        before, after = (table.locator(f"xpath=following-sibling::span[{n}]") for n in (1, 2))
        await expect(after).to_have_css("opacity", "1")
        await expect(before).to_have_css("opacity", "0")
        await table.evaluate("(table) => { table.scrollLeft = table.scrollWidth; }")
        await expect(after).to_have_css("opacity", "0")
        await expect(before).to_have_css("opacity", "1")


async def test_the_choice_of_a_provider_takes_one_row_on_a_phone(browser: Browser, site: Site) -> None:
    async with visiting(browser, site, viewport=PHONE) as visit:
        await visit.page.goto("/settings")
        choice = visit.page.get_by_role("combobox", name="Connect another model")
        await choice.click()
        await visit.page.get_by_role("option", name="Mistral").click()
        await expect(visit.page.get_by_text('name = "mistral"')).to_be_visible()
        ((_, top, _, bottom),) = await boxes(choice)
        assert bottom - top < 44


async def test_why_a_file_failed_is_said_once_beside_it(browser: Browser, site: Site, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.4 nothing")
    base = (await site.post("/knowledge-bases", {"name": "Once"}))["id"]
    async with visiting(browser, site) as visit:
        await visit.page.goto(f"/knowledge/{base}")
        await visit.page.locator('input[type="file"]').first.set_input_files(broken)
        await visit.page.get_by_role("button", name="Clear finished").click()
        row = visit.page.get_by_role("listitem").filter(has_text="broken.pdf")
        await expect(row.get_by_text("failed", exact=True)).to_be_visible()
        await expect(row.get_by_role("button", name="failed")).to_have_count(0)


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
    # Nothing scrolls around what scrolls.
    around = "e => { for (let n = e; n; n = n.parentElement) if (n.scrollHeight > n.clientHeight + 1 && getComputedStyle(n).overflowY === 'auto') return n.className; }"
    assert await page.get_by_role("heading", level=1).evaluate(around) is None


async def test_the_way_back_from_a_document_names_its_base_in_the_readers_language(
    browser: Browser, site: Site
) -> None:
    async with visiting(browser, site, model=MODEL, language="de") as visit:
        await visit.page.goto(await document(site, "travel-policy.md"))
        await visit.page.get_by_role("link", name="Beispielbüro").click()
        await expect(visit.page.get_by_role("heading", name="Beispielbüro")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_a_question_may_use_takes_two_rows_on_a_phone(browser: Browser, site: Site, language: str) -> None:
    name = f"Everything about the buildings and their leases ({language})"
    await site.post("/knowledge-bases", {"name": name})
    async with visiting(browser, site, model=MODEL, language=language, viewport=PHONE) as visit:
        await visit.page.goto("/")
        choices = visit.page.locator("main [role=group]").filter(has=visit.page.locator("[aria-pressed]"))
        await choices.locator("button").first.click()
        await visit.page.get_by_role("checkbox", name=name).check()
        await visit.page.keyboard.press("Escape")
        await expect(choices.locator("button").first).to_contain_text(name)
        parts = await boxes(choices.locator("button"))
        assert len({round(part[1]) for part in parts}) == 2
        assert max(part[2] for part in parts) <= PHONE["width"]


async def test_the_way_to_the_newest_text_lies_over_no_part_of_the_composer(browser: Browser, site: Site) -> None:
    site.script.rounds = lambda question, number: Say("\n\n".join(["One more paragraph."] * 60))
    async with visiting(browser, site, model=MODEL, language="fr", viewport=PHONE) as visit:
        await visit.page.goto("/")
        await visit.page.get_by_role("textbox").last.fill("Quoi ?\n\nEt encore ?")
        await visit.page.keyboard.press("Enter")
        await expect(visit.page.get_by_role("button", name="Copier la réponse")).to_be_visible()
        await visit.page.locator("[data-scrolls]").evaluate("(text) => text.scrollTo(0, 0)")
        await visit.page.get_by_role("textbox").last.fill("Une\nquestion\nlongue")
        ((_, _, _, bottom),) = await boxes(visit.page.get_by_role("button", name="Aller au texte le plus récent"))
        ((_, top, _, _),) = await boxes(visit.page.get_by_role("textbox").last)
        assert bottom <= top


async def test_the_choices_below_the_message_do_not_move_once_they_can_be_clicked(site: Site, visit: Visit) -> None:
    answered = asyncio.Event()

    async def late(route: Route) -> None:
        await answered.wait()
        await route.continue_()

    page = visit.page
    await page.route("**/api/v1/models", late)
    await page.goto("/")
    message, web = page.get_by_role("textbox", name="Message"), page.get_by_text("Web", exact=True)
    await expect(message).to_be_visible()
    await expect(web).to_be_hidden()
    before = await message.bounding_box()
    answered.set()
    await expect(web).to_be_visible()
    assert await message.bounding_box() == before
    at = await web.bounding_box()
    await expect(page.get_by_role("button", name=MODEL)).to_be_visible()
    assert await web.bounding_box() == at


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_menu_of_a_base_stands_beside_its_title_on_a_phone(
    browser: Browser, site: Site, language: str
) -> None:
    base = (await site.post("/knowledge-bases", {"name": f"Rental contracts of all branches, {language}"}))["id"]
    async with visiting(browser, site, language=language, viewport=PHONE) as visit:
        await visit.page.goto(f"/knowledge/{base}")
        menu = visit.page.locator("main header [aria-haspopup=menu]")
        await expect(menu).to_be_visible()
        await expect(visit.page.locator("main header h1")).to_contain_text("Rental")
        (title,), (button,) = await boxes(visit.page.locator("main header h1")), await boxes(menu)
        assert button[1] < title[3]
        words = await visit.page.locator("main header h1").evaluate(
            "(e) => { const r = document.createRange(); r.selectNodeContents(e); const b = r.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; }"
        )
        assert not overlap(words, button)
        assert button[2] <= PHONE["width"]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_views_of_a_pdf_are_whole_on_a_phone(browser: Browser, site: Site, language: str) -> None:
    async with visiting(browser, site, language=language, viewport=PHONE) as visit:
        await visit.page.goto(await document(site, "mietvertrag-lagerhalle.pdf"))
        group = visit.page.locator("main [role=radiogroup]")
        await expect(group).to_be_visible()
        assert await group.evaluate("(e) => e.scrollWidth <= e.clientWidth")
        download = visit.page.locator("main a[download]").first
        (views,), (link,) = await boxes(group), await boxes(download)
        assert not overlap(views, link)
        assert link[2] <= PHONE["width"]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_small_phone_cuts_no_word_of_a_choice(browser: Browser, site: Site, language: str) -> None:
    base = (await site.get("/knowledge-bases"))["items"][0]["id"]
    async with visiting(browser, site, language=language, viewport=PHONE) as visit:
        for place in ("/settings", "/search", f"/knowledge/{base}"):
            await visit.page.goto(place)
            group = visit.page.locator("main [role=radiogroup]").first
            await expect(group).to_be_visible()
            (whole,) = await boxes(group)
            assert max(box[2] for box in await boxes(group.locator("label"))) <= whole[2] <= PHONE["width"]
            assert await group.locator("label *").evaluate_all(
                "(all) => all.every((e) => e.scrollWidth <= e.clientWidth)"
            )


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_field_of_the_search_shows_a_few_words_on_a_small_phone(
    browser: Browser, site: Site, language: str
) -> None:
    async with visiting(browser, site, language=language, viewport=PHONE) as visit:
        await visit.page.goto("/search")
        field = visit.page.get_by_role("searchbox").first
        await field.fill("hotel ceiling London")
        assert await field.evaluate("(e) => e.scrollWidth <= e.clientWidth")
        await field.locator("xpath=ancestor::form").get_by_role("button").click()
        await expect(visit.page).to_have_url(re.compile("hotel"))


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_figures_of_a_run_break_no_word_on_a_small_phone(browser: Browser, site: Site, language: str) -> None:
    site.script.rounds = lambda question, number: Say("word " * 900)
    asked = {"message": "Ninety words, please.", "model": MODEL}
    chat = (await site.post("/conversations", {}))["id"]
    run = (await site.post(f"/conversations/{chat}/runs", asked))["run_id"]
    async with visiting(browser, site, language=language, viewport=PHONE) as visit:
        await visit.page.goto(f"/runs/{run}")
        await expect(visit.page.get_by_text("word word").first).to_be_visible()
        figures = visit.page.locator("main dl").first.locator("dd")
        await expect(figures.first).to_be_visible()
        assert await figures.evaluate_all(BROKEN_WORDS) == []


async def test_a_base_named_by_its_path_breaks_within_no_word_of_it(browser: Browser, site: Site) -> None:
    name = "/home/anneliese/Documents/company/contracts/suppliers/services"
    base = (await site.post("/knowledge-bases", {"name": name}))["id"]
    for viewport in (PHONE, {"width": 1280, "height": 800}):
        async with visiting(browser, site, viewport=viewport) as visit:
            for place in ("/knowledge", f"/knowledge/{base}"):
                await visit.page.goto(place)
                shown = visit.page.locator("main").get_by_text(name).first
                await expect(shown).to_be_visible()
                assert await shown.locator("xpath=self::*").evaluate_all(BROKEN_WORDS) == []
