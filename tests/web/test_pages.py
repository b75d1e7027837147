"""Knowledge, search, runs and settings: each page's main path."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import expect
from tests.web.site import MODEL, Site, Visit

from famulus.testing.model_servers import Call, Say, Stall


async def test_a_failing_file_among_good_ones_does_not_stop_them(site: Site, visit: Visit, tmp_path: Path) -> None:
    page = visit.page
    good, bad, other = tmp_path / "good.txt", tmp_path / "bad.pdf", tmp_path / "other.md"
    good.write_text("The blue door opens at seven in the morning.", encoding="utf-8")
    bad.write_bytes(b"%PDF-1.4\nthis is not a document")
    other.write_text("# Other\n\nThe red door opens at nine.", encoding="utf-8")
    await page.goto("/knowledge")
    await page.get_by_role("button", name="New base").click()
    await page.get_by_role("textbox", name="Name").fill("Doors")
    await page.get_by_role("button", name="Create").click()
    await expect(page.get_by_role("heading", name="Doors")).to_be_visible()
    await page.locator('input[type="file"]').first.set_input_files([str(good), str(bad), str(other)])
    uploads = page.get_by_role("region", name="Uploads")
    await expect(uploads.get_by_text("3 of 3 finished")).to_be_visible(timeout=60_000)
    await expect(uploads.get_by_text("ready", exact=True)).to_have_count(0)
    # What failed stands in the list below: told once.
    await expect(uploads.get_by_text("failed", exact=True)).to_have_count(0)
    await expect(uploads.get_by_text("1 failed")).to_be_visible()
    await uploads.get_by_role("button", name="Show all uploads").click()
    await expect(uploads.get_by_text("failed", exact=True)).to_have_count(1)
    await expect(uploads.get_by_text("ready", exact=True)).to_have_count(2)
    rows = page.get_by_role("group", name="3 documents")
    await expect(rows.get_by_role("link", name="bad.pdf")).to_be_visible()
    await rows.get_by_role("link", name="good.txt").click()
    await expect(page.get_by_text("The blue door opens at seven")).to_be_visible()


async def test_search_shows_passages_with_scores_and_opens_them(visit: Visit) -> None:
    page = visit.page
    await page.goto("/search")
    await page.get_by_role("searchbox").fill("hotel London ceiling")
    await page.keyboard.press("Enter")
    hit = page.get_by_role("button").filter(has_text="travel-policy.md").first
    await expect(hit).to_be_visible()
    await expect(hit.locator("mark").first).to_be_visible()
    await hit.click()
    source = page.get_by_role("complementary", name="Source")
    await expect(source.locator("mark").first).to_be_visible()
    await page.go_back()
    await expect(source).to_be_hidden()
    await expect(hit).to_be_visible()


async def test_a_pdf_opens_at_its_page_with_the_passage_marked(visit: Visit) -> None:
    page = visit.page
    await page.goto("/search?q=KT-22%20harness%20lanyards%20lots")
    hit = page.get_by_role("button").filter(has_text="technical-bulletin-07.pdf").first
    await hit.click()
    panel = page.get_by_role("complementary", name="Source")
    await expect(panel.locator("canvas")).to_be_visible(timeout=20_000)
    await expect(panel.locator("mark").first).to_be_attached(timeout=20_000)
    assert await visit.violations() == []


async def test_a_run_has_a_timeline_its_events_and_an_export(site: Site, visit: Visit) -> None:
    site.script.rounds = lambda question, number: (
        Call("calculate", {"expression": "6 * 7"}) if number == 0 else Say("It is 42.")
    )
    page = visit.page
    await page.goto("/")
    await visit.ask("What is six times seven?")
    await expect(page.get_by_role("article")).to_contain_text("It is 42.")
    await page.goto("/runs")
    await page.get_by_role("link", name="six times seven").first.click()
    await expect(page.get_by_text("Round 2: Model call")).to_be_visible()
    await expect(page.get_by_text("6 * 7")).to_be_visible()
    await page.get_by_role("button", name="run.response.v1").first.click()
    await expect(page.get_by_text('"round": 1').first).to_be_visible()
    async with page.expect_download() as download:
        await page.get_by_role("button", name="Export events").click()
    assert (await download.value).suggested_filename.endswith(".json")


async def test_a_run_that_has_just_begun_is_not_said_to_cost_nothing(site: Site, visit: Visit) -> None:
    site.script.rounds = lambda question, number: [Stall()]
    chat = (await site.post("/conversations", {}))["id"]
    asked = {"message": "What is slow?", "model": MODEL}
    run = (await site.post(f"/conversations/{chat}/runs", asked))["run_id"]
    page = visit.page
    await page.goto("/runs")
    row = page.get_by_role("link", name="What is slow?")
    await expect(row).to_contain_text("working")
    await expect(row).not_to_contain_text("cost")
    await expect(row).not_to_contain_text("tokens")
    await page.goto(f"/runs/{run}")
    await expect(page.get_by_text("Status", exact=True)).to_be_visible()
    await expect(page.get_by_text("Cost", exact=True)).to_be_hidden()
    await page.get_by_role("button", name="Stop").click()
    await expect(page.get_by_role("definition").filter(has_text="stopped")).to_be_visible()


async def test_settings_change_language_and_theme_and_test_a_model(site: Site, visit: Visit) -> None:
    site.script.rounds = lambda question, number: Say("ok")
    page = visit.page
    await page.goto("/settings")
    await page.get_by_role("button", name="Test: scripted/test-model").click()
    await expect(page.get_by_text("Answered in").first).to_be_visible()
    await page.get_by_text("Dark", exact=True).click()
    await expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
    await page.get_by_label("Language").first.click()
    await page.get_by_role("option", name="Deutsch").click()
    await expect(page.get_by_role("heading", name="Darstellung")).to_be_visible()
    await page.reload()
    await expect(page.locator("html")).to_have_attribute("lang", "de")
    await expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")
    assert await visit.violations() == []


async def test_the_time_zone_goes_with_each_request(site: Site, visit: Visit) -> None:
    page = visit.page
    seen: list[str | None] = []
    page.on(
        "request",
        lambda request: seen.append(request.headers.get("x-user-timezone")) if "/api/v1/runs" in request.url else None,
    )
    await page.goto("/runs")
    await expect(page.get_by_role("heading", name="Runs", exact=True)).to_be_visible()
    assert seen[0] == "UTC" or "/" in str(seen[0])
