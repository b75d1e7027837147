"""Ways back: into a page one has signed out of, to a server that was away, from an address that leads nowhere."""

from __future__ import annotations

from playwright.async_api import Browser, expect
from tests.web.site import Site, Visit, visiting

from famulus.testing.model_servers import Say


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
