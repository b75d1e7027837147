"""Ways back: into a page one has signed out of, to a server that was away, from an address that leads nowhere."""

from __future__ import annotations

from playwright.async_api import Browser, FilePayload, expect
from tests.web.site import Site, Visit, visiting

from famulus.testing.model_servers import Call, Say


async def test_who_signed_out_is_told_the_command_that_prints_a_new_link(browser: Browser, site: Site) -> None:
    async with visiting(browser, site, permissions=["clipboard-read", "clipboard-write"]) as visit:
        page = visit.page
        await page.goto("/settings")
        await page.get_by_role("button", name="Sign out").click()
        await expect(page.get_by_text("famulus token signin", exact=True)).to_be_visible()
        await page.get_by_role("button", name="Copy").click()
        assert await page.evaluate("navigator.clipboard.readText()") == "famulus token signin"


async def test_what_signs_nobody_in_is_told_by_its_kind(browser: Browser, site: Site) -> None:
    async with visiting(browser, site, signed_in=False) as visit:
        page = visit.page
        await page.goto("/")
        field, button = page.get_by_label("Token or link", exact=True).first, page.get_by_role("button", name="Sign in")
        await field.fill("http://example.org/x")
        await button.click()
        await expect(page.get_by_role("alert")).to_contain_text("not a sign-in link of this server")
        await field.fill("no-such-token-of-this-server")
        await button.click()
        await expect(page.get_by_role("alert")).to_contain_text("does not know this token")
        await expect(page.get_by_role("alert")).to_contain_text("famulus token signin")


async def test_a_server_that_is_away_is_named_and_the_message_goes_when_it_is_back(site: Site, visit: Visit) -> None:
    site.script.rounds = lambda question, number: Say("The tower is old.")
    page = visit.page
    await page.goto("/")
    await expect(page.get_by_role("textbox", name="Message")).to_be_visible()
    await page.route("**/api/**", lambda route: route.abort())
    await visit.ask("How old is the tower?")
    await expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached")
    await expect(page.get_by_role("textbox", name="Message")).to_have_value("How old is the tower?")
    await page.unroute("**/api/**")
    await expect(page.get_by_role("alert")).to_be_hidden()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("article")).to_contain_text("The tower is old.")


async def test_a_machine_without_a_network_still_asks_the_server_that_runs_on_it(site: Site, visit: Visit) -> None:
    page = visit.page
    await page.goto("/")
    await expect(page.get_by_role("textbox", name="Message")).to_be_visible()
    await page.evaluate("window.dispatchEvent(new Event('offline'))")
    await page.get_by_role("link", name="Knowledge", exact=True).click()
    await page.get_by_role("button", name="New base").first.click()
    await page.get_by_role("dialog").get_by_role("textbox").first.fill("Made without a network")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("Made without a network").first).to_be_visible()


async def test_the_answers_before_stay_beside_the_new_one(site: Site, visit: Visit) -> None:
    site.script.rounds = lambda question, number: Say(f"Heard: {question}")
    page = visit.page
    await page.goto("/")
    await visit.ask("the oak")
    article = page.get_by_role("article")
    await expect(article.get_by_role("button", name="Copy answer")).to_be_visible()
    await expect(article.get_by_role("group", name="Answers to this question")).to_be_hidden()
    await article.get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Edit question").click()
    await visit.ask("the elm")
    ways = article.get_by_role("group", name="Answers to this question")
    await expect(ways).to_contain_text("2/2")
    await expect(page.get_by_role("heading", name="the elm", exact=True)).to_be_visible()
    await expect(page.get_by_role("link", name="the elm", exact=True)).to_be_visible()
    await ways.get_by_role("button", name="Earlier answer").click()
    await expect(article).to_contain_text("Heard: the oak")
    await expect(article.locator("p").first).to_have_text("the oak")
    await expect(article.get_by_role("button", name="Answer again")).to_be_hidden()
    await ways.get_by_role("button", name="Later answer").click()
    await expect(article).to_contain_text("Heard: the elm")
    await article.get_by_role("button", name="Answer again").click()
    await expect(ways).to_contain_text("3/3")
    await page.reload()
    await expect(ways).to_contain_text("3/3")


async def test_an_address_that_leads_nowhere_names_the_ways_on(visit: Visit) -> None:
    page = visit.page
    for path, way in (
        ("runs", "To the runs"),
        ("documents", "To the knowledge bases"),
        ("knowledge", "To the knowledge bases"),
    ):
        await page.goto(f"/{path}/0190a0a0-0000-7000-8000-000000000000")
        await expect(page.get_by_role("heading", name="This is not here")).to_be_visible()
        await expect(page.get_by_role("link", name=way)).to_be_visible()
        await expect(page.get_by_role("link", name="To the chat")).to_be_visible()


async def test_a_search_that_its_filters_leave_empty_names_them(visit: Visit) -> None:
    page = visit.page
    await page.goto("/search?q=hotel&type=excel&since=2099-01-01&score=0.4")
    await expect(page.get_by_text("Excel · Added since Jan 1, 2099 · Score at least 0.4")).to_be_visible()
    await page.get_by_role("button", name="Clear filters").click()
    await expect(page.locator("ol li").first).to_be_visible()
    score = page.get_by_role("textbox", name="Score at least")
    await expect(score).to_have_value("0")
    await score.fill("5")
    await expect(page.get_by_role("alert")).to_contain_text("from 0 to 1")
    await score.fill("0.3")
    await expect(page.get_by_role("alert")).to_be_hidden()
    await page.wait_for_url("**score=0.3**")


async def test_a_time_zone_is_found_as_it_is_spoken(visit: Visit) -> None:
    page = visit.page
    await page.goto("/settings")
    field = page.get_by_role("combobox", name="Time zone").or_(page.get_by_role("textbox", name="Time zone")).first
    for typed, found in (("new york", "America/New York"), ("Zürich", "Europe/Zurich")):
        await field.fill(typed)
        await expect(page.get_by_role("option", name=found)).to_be_visible()


async def test_the_settings_name_their_file_in_full(visit: Visit) -> None:
    await visit.page.goto("/settings")
    await expect(visit.page.get_by_text("/data/famulus.toml")).to_be_visible()


async def test_escape_closes_a_source_from_the_field_of_the_message(site: Site, visit: Visit) -> None:
    site.script.rounds = lambda question, number: (
        Call("search_documents", {"query": "hotel London"}) if number == 0 else Say("It is GBP 185 [1].")
    )
    page = visit.page
    await page.goto("/")
    await visit.ask("How much is the hotel?")
    await page.get_by_role("article").locator("button[data-support]").first.click()
    source = page.get_by_role("complementary", name="Source")
    await expect(source).to_be_visible()
    await page.get_by_role("textbox", name="Message").focus()
    await page.keyboard.press("Escape")
    await expect(source).to_be_hidden()


async def test_the_uploads_into_a_deleted_base_go_with_it(site: Site, visit: Visit) -> None:
    base = await site.post("/knowledge-bases", {"name": "Gone soon"})
    page = visit.page
    await page.goto(f"/knowledge/{base['id']}")
    uploads = page.get_by_role("region", name="Uploads")
    empty: FilePayload = {"name": "empty.txt", "mimeType": "text/plain", "buffer": b""}
    await page.locator('input[type="file"]').first.set_input_files([empty])
    await expect(uploads.get_by_text("1 failed")).to_be_visible()
    await page.get_by_role("link", name="Knowledge").first.click()
    await expect(uploads.get_by_role("link", name="Gone soon")).to_be_visible()
    await uploads.get_by_role("button", name="Try again").click()
    await expect(uploads.get_by_text("Is empty.")).to_be_visible()
    await expect(uploads.get_by_text("1 failed")).to_be_visible()
    await page.get_by_role("link", name="Gone soon").last.click()
    await page.locator("header").get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Delete").click()
    await expect(page.get_by_role("dialog")).to_contain_text("1 document goes with it")
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(page.get_by_role("heading", name="Knowledge", exact=True)).to_be_visible()
    await expect(uploads).to_be_hidden()
