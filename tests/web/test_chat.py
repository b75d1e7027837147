"""Asking, watching, opening the source; reload and second tab in mid-stream; stop."""

from __future__ import annotations

import re

from playwright.async_api import expect
from tests.web.site import Site, Visit

from famulus.testing.model_servers import Call, Say

WORDS = [f"word{number}" for number in range(120)]


def cited(question: str, number: int) -> object:
    if number == 0:
        return [
            Call("search_documents", {"query": "hotel ceiling per night London"}),
            Call("search_documents", {"query": "daily meal allowance"}),
        ]
    return Say("A night in London may cost GBP 185 at most [1]. Nobody knows the rest [99]. `arr[1]` is code.")


async def test_an_answer_shows_its_steps_and_opens_its_source(site: Site, visit: Visit) -> None:
    site.script.rounds = cited
    page = visit.page
    await page.goto("/")
    await visit.ask("What may a hotel in London cost?")
    article = page.get_by_role("article")
    await expect(article).to_contain_text("GBP 185 at most")
    await expect(article.get_by_role("group", name="2 look-ups at the same time")).to_be_visible()
    await expect(article.get_by_text("[99]")).to_be_visible()
    await expect(article.locator("code")).to_have_text("arr[1]")
    chip = article.locator("button[data-support]").first
    await chip.hover()
    await expect(page.get_by_role("blockquote")).to_be_visible()
    await chip.click()
    panel = page.get_by_role("complementary", name="Source")
    await expect(panel.locator("mark").first).to_be_visible()
    await panel.press("Escape")
    await expect(panel).to_be_hidden()


async def test_a_step_that_is_opened_stays_where_it_was(site: Site, visit: Visit) -> None:
    site.script.rounds = cited
    page = visit.page
    await page.set_viewport_size({"width": 1280, "height": 560})
    await page.goto("/")
    await visit.ask("What may a hotel in London cost?")
    await expect(page.get_by_role("button", name="Copy answer")).to_be_visible()
    step = page.get_by_role("article").get_by_role("button", name="Search documents").last
    # At the end of the answer, where the page follows what is written.
    await expect(page.get_by_role("button", name="Copy answer")).to_be_in_viewport()
    await expect(step).to_be_in_viewport()
    top = await step.evaluate("(step) => step.getBoundingClientRect().top")
    await step.evaluate("(step) => step.click()")
    await expect(page.get_by_role("button", name="Show as JSON")).to_be_visible()
    await page.wait_for_timeout(400)
    # The open card has a little more room around it.
    assert abs(await step.evaluate("(step) => step.getBoundingClientRect().top") - top) < 8
    await expect(page.get_by_role("button", name="Go to the newest text")).to_be_visible()


async def test_reload_and_second_tab_in_mid_stream_show_the_same(site: Site, visit: Visit) -> None:
    def rounds(question: str, number: int) -> object:
        if number == 0:
            return [Say(" ".join(WORDS[:40]), delay_s=0.02), Call("list_documents", {})]
        return Say(" ".join(WORDS[40:]), delay_s=0.02)

    site.script.rounds = rounds
    page = visit.page
    await page.goto("/")
    await visit.ask("Say many words")
    await expect(page.get_by_role("article")).to_contain_text("word12")
    await page.reload()
    second = await visit.context.new_page()
    await second.goto(page.url)
    texts: list[str] = []
    for tab in (page, second):
        article = tab.get_by_role("article")
        await expect(article).to_contain_text("word119", timeout=20_000)
        await expect(tab.get_by_role("button", name="Copy answer")).to_be_visible()
        await expect(article.get_by_text("List documents")).to_have_count(1)
        texts.append(" ".join(re.findall(r"word\d+", await article.inner_text())))
    assert texts == [" ".join(WORDS)] * 2


async def test_stop_keeps_what_was_written_and_says_what_happened(site: Site, visit: Visit) -> None:
    site.script.rounds = lambda question, number: (
        Call("list_documents", {}) if number == 0 else Say(" ".join(WORDS * 20), delay_s=0.03)
    )
    page = visit.page
    await page.goto("/")
    await visit.ask("Say too many words")
    await expect(page.get_by_role("article")).to_contain_text("word9")
    await page.get_by_role("button", name="Stop", exact=True).click()
    await expect(page.get_by_text("Already done by then: 1 step.")).to_be_visible(timeout=4_000)
    await expect(page.get_by_role("article")).to_contain_text("word9")
    await expect(page.get_by_role("button", name="Send")).to_be_visible()


async def test_web_access_is_asked_again_for_each_question(site: Site, visit: Visit) -> None:
    site.script.rounds = lambda question, number: Say("Done.")
    page = visit.page
    await page.goto("/")
    await page.get_by_role("button", name="Allow web search for this question").click()
    await expect(page.get_by_text("May leave this machine: yes")).to_be_visible()
    await visit.ask("Anything?")
    await expect(page.get_by_role("article")).to_contain_text("Done.")
    await expect(page.get_by_text("May leave this machine: no")).to_be_visible()
    await page.reload()
    await expect(page.get_by_role("button", name="Allow web search for this question")).to_be_visible()


async def test_edit_and_regenerate_replace_what_followed(site: Site, visit: Visit) -> None:
    site.script.rounds = lambda question, number: Say(f"You asked: {question[-12:]}")
    page = visit.page
    await page.goto("/")
    await visit.ask("first question")
    await expect(page.get_by_role("article")).to_contain_text("You asked:")
    await expect(page.get_by_role("button", name="Answer again")).to_be_visible()
    async with page.expect_response("**/runs"):
        await page.get_by_role("button", name="Answer again").click()
    await expect(page.get_by_role("button", name="Answer again")).to_be_visible()
    await expect(page.get_by_role("article")).to_contain_text("You asked: rst question")
    await expect(page.get_by_role("article")).to_contain_text("2/2")
    await page.get_by_role("article").get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Edit question").click()
    await page.get_by_role("textbox", name="Message").fill("second question")
    async with page.expect_response("**/runs"):
        await page.keyboard.press("Enter")
    await expect(page.get_by_role("article")).to_contain_text("You asked: ond question")
    await expect(page.get_by_role("button", name="Copy answer")).to_be_visible()
    await page.get_by_role("button", name="Good answer").click()
    await expect(page.get_by_role("button", name="Good answer")).to_have_attribute("aria-pressed", "true")


async def test_text_that_was_not_sent_survives_a_reload(visit: Visit) -> None:
    page = visit.page
    await page.goto("/")
    await page.get_by_role("textbox", name="Message").fill("half a thought")
    await page.reload()
    await expect(page.get_by_role("textbox", name="Message")).to_have_value("half a thought")


async def test_a_question_without_an_answer_gets_next_steps(site: Site, visit: Visit) -> None:
    site.script.rounds = lambda question, number: (
        Call("search_documents", {"query": question}) if number == 0 else Say("The documents do not say.")
    )
    page = visit.page
    await page.goto("/")
    await visit.ask("Who won the chess championship of 1972?")
    await expect(page.get_by_role("heading", name="What you can do")).to_be_visible()
    await expect(page.get_by_role("link", name="Search by hand")).to_be_visible()
