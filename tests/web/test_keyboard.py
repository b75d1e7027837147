"""The way of the keyboard: through the composer and its scope, into a source and back to where it was opened."""

from __future__ import annotations

from playwright.async_api import Page, expect
from tests.web.site import Site, Visit

from famulus.testing.model_servers import Call, Say

FOCUSED = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"


async def focused(page: Page) -> str:
    return str(await page.evaluate(FOCUSED))


async def answered(site: Site, visit: Visit) -> Page:
    site.script.rounds = lambda question, number: (
        Call("search_documents", {"query": "hotel"}) if number == 0 else Say("A night may cost GBP 185 [1].")
    )
    page = visit.page
    await page.goto("/")
    await expect(page.get_by_role("textbox", name="Message")).to_be_focused()
    await page.keyboard.type("What may a hotel cost?")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Copy answer")).to_be_visible()
    return page


async def test_tab_goes_from_the_field_through_the_scope_in_the_order_of_sight(site: Site, visit: Visit) -> None:
    page = visit.page
    await page.goto("/")
    await expect(page.get_by_role("textbox", name="Message")).to_be_focused()
    await expect(page.get_by_role("button", name="Knowledge bases:")).to_be_visible()
    await page.keyboard.type("x")
    passed: list[str] = []
    for _ in range(5):
        await page.keyboard.press("Tab")
        passed.append(await focused(page))
    assert passed[0] == "Send"
    assert [name.split(":")[0] for name in passed[1:3]] == ["Knowledge bases", "Model"]
    assert passed[3].startswith("Allow web search")
    assert "leave" in passed[4].lower()


async def test_the_scope_opens_and_closes_by_keyboard_and_gives_the_focus_back(site: Site, visit: Visit) -> None:
    page = visit.page
    await page.goto("/")
    scope = page.get_by_role("button", name="Knowledge bases:")
    await scope.focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("switch")).to_be_visible()
    await expect(scope).not_to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("switch")).to_be_hidden()
    await expect(scope).to_be_focused()


async def test_a_source_closes_with_escape_and_gives_the_focus_back_to_its_citation(site: Site, visit: Visit) -> None:
    page = await answered(site, visit)
    chip = page.get_by_role("article").locator("button[data-support]").first
    await chip.focus()
    await page.keyboard.press("Enter")
    panel = page.get_by_role("complementary", name="Source")
    await expect(panel).to_be_focused()
    await page.keyboard.press("Tab")
    assert await panel.evaluate("(panel) => panel.contains(document.activeElement)")
    await page.keyboard.press("Escape")
    await expect(panel).to_be_hidden()
    await expect(chip).to_be_focused()
    await expect(page.get_by_role("blockquote")).to_be_hidden()


async def test_a_dialog_closes_with_escape_and_gives_the_focus_back_to_its_menu(site: Site, visit: Visit) -> None:
    page = await answered(site, visit)
    more = page.locator("header").get_by_role("button", name="More").first
    await more.focus()
    await page.keyboard.press("Enter")
    await page.get_by_role("menuitem", name="Rename").press("Enter")
    await expect(page.get_by_role("dialog").get_by_role("textbox")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_be_hidden()
    await expect(more).to_be_focused()


async def test_a_document_menu_works_by_keyboard_from_its_first_use(site: Site, visit: Visit) -> None:
    base = (await site.get("/knowledge-bases"))["items"][0]["id"]
    page = visit.page
    await page.goto(f"/knowledge/{base}")
    more = page.get_by_role("button", name="More:").first
    await more.focus()
    await page.keyboard.press("Enter")
    await page.get_by_role("menuitem", name="Delete").press("Enter")
    await expect(page.get_by_role("dialog")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_be_hidden()
    await expect(more).to_be_focused()


async def edited(page: Page) -> str:
    """What stands in the field after typing at once, without a click into it."""
    await expect(page.get_by_text("You are editing an earlier question")).to_be_visible()
    await page.wait_for_timeout(50)
    await expect(page.get_by_role("textbox", name="Message")).to_be_focused()
    await page.keyboard.type(" In Vienna")
    await page.keyboard.press("Space")
    await expect(page.get_by_role("menu")).to_be_hidden()
    return await page.get_by_role("textbox", name="Message").input_value()


async def test_editing_a_question_with_the_mouse_puts_the_caret_behind_its_text(site: Site, visit: Visit) -> None:
    page = await answered(site, visit)
    await page.get_by_role("article").get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Edit question").click()
    assert await edited(page) == "What may a hotel cost? In Vienna "


async def test_editing_a_question_by_keyboard_puts_the_caret_behind_its_text(site: Site, visit: Visit) -> None:
    page = await answered(site, visit)
    await page.get_by_role("article").get_by_role("button", name="More").press("Enter")
    await page.get_by_role("menuitem", name="Edit question").press("Enter")
    assert await edited(page) == "What may a hotel cost? In Vienna "


async def test_the_field_has_the_focus_where_no_pointer_is_plugged_in_and_keeps_it_in_a_new_chat(
    site: Site, visit: Visit
) -> None:
    without = "const real = window.matchMedia; window.matchMedia = (query) => (/hover|pointer/.test(query) ? real('not all') : real(query));"
    await visit.page.add_init_script(without)
    page = await answered(site, visit)
    await expect(page.get_by_role("textbox", name="Message")).to_be_focused()


async def test_skip_to_content_leads_to_the_message_past_the_conversations(site: Site, visit: Visit) -> None:
    page = await answered(site, visit)
    await page.get_by_role("link", name="Skip to content").press("Enter")
    await expect(page.get_by_role("textbox", name="Message")).to_be_focused()
    await page.goto("/runs")
    await page.get_by_role("link", name="Skip to content").press("Enter")
    await expect(page.get_by_role("main")).to_be_focused()
