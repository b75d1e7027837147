"""What a citation opens: exactly the sentences it rests on; and steps, notes and searches in plain words."""

from __future__ import annotations

import io
import re

from playwright.async_api import Browser, expect
from reportlab.pdfgen.canvas import Canvas
from tests.web.site import Site, Visit, visiting

from famulus.testing.model_servers import Call, Say

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-")
BOILERPLATE = "The provisions of this section apply to all sites of the company."
PAGE = [
    *(BOILERPLATE, BOILERPLATE),
    "Each zebrafish keeper has a quota of 25 days of leave; from",
    "the age of 50 it is 30 days. Zebrafish are fed at noon.",
    BOILERPLATE,
]
SHEET = b"Nr,Owner,State\nQ-1,Wombat AG,paid\nQ-2,Quokka Ltd,open\nQ-3,Numbat SA,paid\n"


def pdf(lines: list[str]) -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, invariant=1)
    for number, line in enumerate(lines):
        canvas.drawString(60, 760 - 20 * number, line)
    canvas.save()
    return file.getvalue()


async def answered(site: Site, visit: Visit, query: str, answer: str) -> None:
    """An answer whose one search found the passage that it cites."""
    site.script.rounds = lambda question, number: (
        Call("search_documents", {"query": query, "k": 4}) if number == 0 else Say(answer)
    )
    await visit.page.goto("/")
    await visit.ask(query)
    await expect(visit.page.get_by_role("button", name="Copy answer")).to_be_visible()


async def test_a_pdf_is_opened_with_exactly_the_cited_sentence_marked(site: Site, visit: Visit) -> None:
    base = await site.post("/knowledge-bases", {"name": "zebrafish"})
    await site.add(base["id"], file=("Keepers.pdf", pdf(PAGE)))
    await answered(
        site, visit, "zebrafish keeper quota", "A zebrafish keeper has 25 days of leave, from 50 on 30 days [1]."
    )
    chip = visit.page.get_by_role("article").locator("button[data-support]", has_text=re.compile("^1$"))
    await chip.click()
    panel = visit.page.get_by_role("complementary", name="Source")
    await expect(panel.locator("mark").first).to_be_visible()
    marked = " ".join(await panel.locator("mark").all_inner_texts())
    assert marked == "Each zebrafish keeper has a quota of 25 days of leave; from the age of 50 it is 30 days."
    await panel.get_by_text("Text", exact=True).click()
    await expect(panel.locator("p mark").first).to_contain_text("Each zebrafish keeper")
    assert "fed at noon" not in " ".join(await panel.locator("p mark").all_inner_texts())
    await visit.page.keyboard.press("Escape")
    await expect(panel).to_be_hidden()
    await expect(chip).to_be_focused()


async def test_a_row_of_a_sheet_is_marked_in_its_table_and_back_closes_the_source(site: Site, visit: Visit) -> None:
    base = await site.post("/knowledge-bases", {"name": "quokkas"})
    await site.add(base["id"], file=("quokkas.csv", SHEET))
    await answered(site, visit, "Quokka Ltd open", "Nr: Q-2; Owner: Quokka Ltd; State: open [1]")
    await visit.page.get_by_role("article").get_by_role("button", name=re.compile(r"^Open source 1:")).first.click()
    panel = visit.page.get_by_role("complementary", name="Source")
    await expect(panel.locator("th")).to_have_text(["Nr", "Owner", "State"])
    await expect(panel.locator("tr[data-marked]")).to_have_text(["Q-2Quokka Ltdopen"])
    conversation = visit.page.url.split("#")[0]
    await visit.page.go_back()
    await expect(panel).to_be_hidden()
    assert visit.page.url == conversation


async def test_steps_name_documents_and_show_json_on_request_only(site: Site, visit: Visit) -> None:
    site.script.rounds = lambda question, number: (
        Call("search_documents", {"query": "hotel ceiling London", "k": 3})
        if number == 0
        else Call("calculate", {"expression": "12*7+3"})
        if number == 1
        else Say("185 [1].")
    )
    page = visit.page
    await page.goto("/")
    await visit.ask("Look and calculate")
    article = page.get_by_role("article")
    await expect(page.get_by_role("button", name="Copy answer")).to_be_visible()
    await article.get_by_role("button", name=re.compile("^Search documents")).click()
    await expect(article.locator("ul li").first).to_contain_text("London")
    await article.get_by_role("button", name=re.compile("^Calculate")).click()
    await expect(article.get_by_text("12*7+3 = 87")).to_be_visible()
    assert not UUID.search(await article.inner_text())
    await expect(article.get_by_text("3 passages")).to_be_visible()
    await article.get_by_role("button", name="Show as JSON").first.click()
    await expect(article.locator("pre").last).to_contain_text('"chunk_id"')


async def test_that_no_model_is_connected_is_said_once(browser: Browser, site: Site) -> None:
    async with visiting(browser, site) as visit:
        await visit.page.goto("/")
        await visit.ask("What may a hotel in London cost?")
        article = visit.page.get_by_role("article")
        await expect(visit.page.get_by_role("button", name="Copy answer")).to_be_visible()
        assert (await article.inner_text()).count("No language model") == 1
        for again, question in enumerate(("Thanks!", "What may a hotel in Vienna cost?"), 2):
            await visit.ask(question)
            await expect(visit.page.get_by_role("button", name="Copy answer")).to_have_count(again)
            assert "No language model" not in await article.last.inner_text()
        assert visit.errors == []


async def test_a_search_that_finds_nothing_good_says_so_and_folds_the_weak_hits(visit: Visit) -> None:
    page = visit.page
    await page.goto("/search?q=the hotel of the xyzzy quux blorb frobnicate grault")
    await expect(page.get_by_text("Nothing fits well")).to_be_visible()
    await expect(page.locator("ol li").first).to_be_hidden()
    await page.get_by_text("weak hit").last.click()
    await expect(page.locator("ol li").first).to_be_visible()
    assert "the" not in {text.lower() for text in await page.locator("ol mark").all_inner_texts()}


async def test_a_used_signin_link_says_what_to_do(browser: Browser, site: Site) -> None:
    async with visiting(browser, site, signed_in=False) as visit:
        await visit.page.goto("/?signin=expired")
        await expect(visit.page.get_by_text("famulus token signin")).to_be_visible()
        await visit.page.get_by_label("Token or link", exact=True).first.fill(f"{site.url}/signin?token=used-already")
        await visit.page.get_by_role("button", name="Sign in").click()
        await expect(visit.page.get_by_text("This sign-in link no longer works")).to_be_visible()
    async with visiting(browser, site) as visit:
        await visit.page.goto("/?signin=expired")
        await expect(visit.page.get_by_text("This sign-in link was used already.")).to_be_visible()


async def test_a_conversation_that_is_not_there_is_no_live_chat(visit: Visit) -> None:
    page = visit.page
    await page.goto("/chat/0190a0a0-0000-7000-8000-000000000000")
    await expect(page.get_by_role("heading", name="This is not here").first).to_be_visible()
    await expect(page.get_by_role("textbox", name="Message")).to_have_count(0)


async def test_a_citation_of_a_deleted_document_shows_the_words_that_were_kept(site: Site, visit: Visit) -> None:
    kb = await site.post("/knowledge-bases", {"name": "Short-lived"})
    await site.add(kb["id"], file=("gate.txt", b"The zinnober gate opens at seven."))
    site.script.rounds = lambda question, number: (
        Call("search_documents", {"query": "zinnober gate"}) if number == 0 else Say("It opens at seven [1].")
    )
    page = visit.page
    await page.goto("/")
    await visit.ask("When does the zinnober gate open?")
    await expect(page.get_by_role("button", name="Copy answer")).to_be_visible()
    async with site.client.delete(f"{site.url}/api/v1/knowledge-bases/{kb['id']}") as response:
        assert response.status < 300
    await page.get_by_role("article").locator("button[data-support]").first.click()
    panel = page.get_by_role("complementary", name="Source")
    await expect(panel.get_by_text("This document was deleted")).to_be_visible()
    await expect(panel.get_by_text("The zinnober gate opens at seven.")).to_be_visible()
    await expect(panel.get_by_text("Download")).to_be_hidden()
    await expect(page.get_by_role("alert")).to_be_hidden()
