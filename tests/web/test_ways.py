"""The ways around the main path: branches, exports, drops, folders, duplicates, cancelled and repeated uploads, names."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.async_api import FilePayload, Page, expect
from tests.web.site import DROP, Site, Visit

from famulus.testing.model_servers import Call, Say


async def asked(site: Site, visit: Visit, *questions: str) -> Page:
    site.script.rounds = lambda question, number: Say(f"Heard: {question[-14:]}.")
    page = visit.page
    await page.goto("/")
    for count, question in enumerate(questions, 1):
        await visit.ask(question)
        await expect(page.get_by_role("button", name="Copy answer")).to_have_count(count)
    return page


async def base_page(site: Site, page: Page, name: str) -> str:
    base = await site.post("/knowledge-bases", {"name": name})
    await page.goto(f"/knowledge/{base['id']}")
    await expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    return str(base["id"])


def file(name: str, text: str) -> FilePayload:
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def content(path: Path) -> str:
    return path.read_text(encoding="utf-8")


async def names(site: Site, kb: str) -> list[str]:
    return sorted(item["name"] for item in await site.settled(kb))


async def test_a_branch_is_a_copy_up_to_the_answer_and_leaves_the_original(site: Site, visit: Visit) -> None:
    page = await asked(site, visit, "the oak question", "the elm question")
    original = page.url
    await page.get_by_role("article").first.get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Branch from here").click()
    await page.wait_for_url(lambda url: url != original)
    await expect(page.get_by_role("article")).to_have_count(1)
    await expect(page.get_by_role("article")).to_contain_text("Heard: e oak question")
    await expect(page.get_by_role("heading", name="Branch of").first).to_be_visible()
    await page.goto(original)
    await expect(page.get_by_role("article")).to_have_count(2)


async def test_a_conversation_is_exported_as_markdown_and_as_json(site: Site, visit: Visit) -> None:
    page = await asked(site, visit, "the pine question")
    texts: list[str] = []
    for item in ("Export as Markdown", "Export as JSON"):
        await page.get_by_role("banner").or_(page.locator("header")).get_by_role("button", name="More").first.click()
        async with page.expect_download() as download:
            await page.get_by_role("menuitem", name=item).click()
        texts.append(content(await (await download.value).path()))
    assert "the pine question" in texts[0]
    assert "Heard:" in texts[0]
    assert "the pine question" in json.dumps(json.loads(texts[1]))


async def test_a_conversation_is_renamed_in_its_title_and_in_the_list(site: Site, visit: Visit) -> None:
    page = await asked(site, visit, "the birch question")
    await page.locator("header").get_by_role("button", name="More").first.click()
    await page.get_by_role("menuitem", name="Rename").click()
    await page.get_by_role("dialog").get_by_role("textbox").fill("About birches")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="About birches")).to_be_visible()
    await expect(page.get_by_role("link", name="About birches")).to_be_visible()


async def test_feedback_outlives_a_reload(site: Site, visit: Visit) -> None:
    page = await asked(site, visit, "the ash question")
    async with page.expect_response("**/feedback"):
        await page.get_by_role("button", name="Bad answer").click()
    await page.reload()
    await expect(page.get_by_role("button", name="Bad answer")).to_have_attribute("aria-pressed", "true")


async def test_a_file_dropped_on_the_chat_goes_into_the_chosen_base(site: Site, visit: Visit) -> None:
    kb = str((await site.post("/knowledge-bases", {"name": "Dropped"}))["id"])
    page = visit.page
    await page.goto("/")
    await expect(page.get_by_role("textbox", name="Message")).to_be_visible()
    await page.evaluate(DROP, ["textarea", "dropped.txt", "The cellar key hangs behind the clock."])
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("combobox").or_(dialog.get_by_role("textbox")).first.click()
    await page.get_by_role("option", name="Dropped").click()
    await dialog.get_by_role("button", name="Add").click()
    await expect(page.get_by_text("Being added to Dropped")).to_be_visible()
    assert await names(site, kb) == ["dropped.txt"]


async def test_a_folder_keeps_the_paths_of_its_files(site: Site, visit: Visit, tmp_path: Path) -> None:
    folder = tmp_path / "handbook"
    (folder / "part").mkdir(parents=True)
    (folder / "intro.txt").write_text("The handbook begins here.", encoding="utf-8")
    (folder / "part" / "end.txt").write_text("The handbook ends here.", encoding="utf-8")
    page = visit.page
    await base_page(site, page, "Folder")
    await page.locator("input[webkitdirectory]").first.set_input_files(str(folder))
    rows = page.get_by_role("group", name="2 documents")
    await expect(rows.get_by_role("link", name="handbook/part/end.txt")).to_be_visible()


async def test_a_known_name_is_skipped_replaced_or_kept_twice_as_chosen(site: Site, visit: Visit) -> None:
    page = visit.page
    kb = await base_page(site, page, "Twice")
    uploads = page.get_by_role("region", name="Uploads")
    picker = page.locator('input[type="file"]').first
    await picker.set_input_files([file("note.txt", "The gate is green.")])
    await expect(uploads.get_by_text("1 of 1 finished")).to_be_visible()
    first = (await site.settled(kb))[0]
    for count, (choice, text) in enumerate((("Skip", "The gate is red."), ("Replace", "The gate is blue.")), 2):
        await page.get_by_text(choice, exact=True).click()
        await picker.set_input_files([file("note.txt", text)])
        await expect(uploads.get_by_text(f"{count} of {count} finished")).to_be_visible()
        documents = await site.settled(kb)
        assert [item["revision"] - first["revision"] for item in documents] == [count - 2]
    await page.get_by_text("Keep both", exact=True).click()
    await picker.set_input_files([file("note.txt", "The gate is white.")])
    await expect(uploads.get_by_text("4 of 4 finished")).to_be_visible()
    assert len(await names(site, kb)) == 2


async def test_an_upload_is_cancelled_and_a_failed_one_sent_again(site: Site, visit: Visit) -> None:
    page = visit.page
    kb = await base_page(site, page, "Again")
    picker, uploads = page.locator('input[type="file"]').first, page.get_by_role("region", name="Uploads")
    await page.route("**/documents", lambda route: None if route.request.method == "POST" else route.continue_())
    await picker.set_input_files([file("slow.txt", "Never sent.")])
    await uploads.get_by_role("button", name="Cancel").click()
    await expect(uploads.get_by_text("cancelled", exact=True)).to_be_visible()
    await page.unroute("**/documents")
    await page.route(
        "**/documents", lambda route: route.abort() if route.request.method == "POST" else route.continue_()
    )
    await picker.set_input_files([file("lost.txt", "Sent at the second try.")])
    await expect(uploads.get_by_text("failed", exact=True)).to_be_visible()
    await page.unroute("**/documents")
    await uploads.get_by_role("button", name="Try again").last.click()
    await expect(uploads.get_by_text("failed", exact=True)).to_be_hidden()
    await expect(uploads.get_by_text("2 of 2 finished")).to_be_visible()
    assert await names(site, kb) == ["lost.txt"]


async def test_a_name_that_would_turn_its_own_text_around_is_shown_with_its_marks(site: Site, visit: Visit) -> None:
    page = visit.page
    kb = await base_page(site, page, "Turned")
    await site.add(kb, file=("invoice\u202efdp.txt", "The bill is מאה שקל in all.".encode()))
    await page.goto(f"/knowledge/{kb}")
    await expect(page.get_by_role("link", name="fdp.txt")).to_be_visible()
    assert "\u202e" not in await page.locator("body").inner_text()
    await page.get_by_role("link", name="fdp.txt").click()
    await expect(page.get_by_role("heading", name="fdp.txt")).to_be_visible()
    assert "\u202e" not in await page.locator("body").inner_text()
    await expect(page.get_by_text("מאה שקל")).to_have_attribute("dir", "auto")


async def test_a_base_is_renamed_on_its_page_and_in_the_list(site: Site, visit: Visit) -> None:
    page = visit.page
    await base_page(site, page, "Before")
    await page.get_by_role("button", name="More").first.click()
    await page.get_by_role("menuitem", name="Rename").click()
    await page.get_by_role("dialog").get_by_role("textbox", name="Name").fill("Afterwards")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Afterwards", exact=True)).to_be_visible()
    await page.goto("/knowledge")
    await expect(page.get_by_role("link", name="Afterwards")).to_be_visible()


async def test_a_dropped_file_that_fails_says_why_in_the_chat(site: Site, visit: Visit) -> None:
    await site.post("/knowledge-bases", {"name": "Broken"})
    page = visit.page
    await page.goto("/")
    await expect(page.get_by_role("textbox", name="Message")).to_be_visible()
    await page.evaluate(DROP, ["textarea", "no\u202efdp.pdf", "%PDF-1.4\nthis is not a document"])
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("combobox").or_(dialog.get_by_role("textbox")).first.click()
    await page.get_by_role("option", name="Broken").click()
    await dialog.get_by_role("button", name="Add").click()
    uploads = page.get_by_role("region", name="Uploads")
    await expect(uploads.get_by_text("failed", exact=True)).to_be_visible()
    await expect(uploads.get_by_text("no⟨U+202E⟩fdp.pdf").first).to_be_visible()
    await expect(uploads.get_by_role("button", name="Try again")).to_be_visible()
    assert "\u202e" not in await uploads.inner_text()
    await page.get_by_role("button", name="Close", exact=True).click()
    await expect(uploads).to_be_hidden()


async def test_a_result_that_hides_its_text_is_shown_with_its_marks(site: Site, visit: Visit) -> None:
    site.script.rounds = lambda question, number: (
        Call("calculate", {"expression": "1 +\u202e 2\u200b"}) if number == 0 else Say("Done.")
    )
    page = visit.page
    await page.goto("/")
    await visit.ask("What is one and two?")
    await expect(page.get_by_role("button", name="Copy answer")).to_be_visible()
    await expect(page.get_by_role("article")).to_contain_text("1 +⟨U+202E⟩ 2⟨U+200B⟩")
    shown = await page.get_by_role("article").inner_text()
    assert "\u202e" not in shown
    assert "\u200b" not in shown


async def test_the_list_of_conversations_keeps_its_place(site: Site, visit: Visit) -> None:
    for number in range(60):
        await site.post("/conversations", {"title": f"Talk {number:02}"})
    page = visit.page
    await page.goto("/")
    rows = page.get_by_role("navigation", name="Conversations")
    await rows.get_by_role("link", name="Talk 59").wait_for()
    await rows.get_by_role("link", name="Talk 45").hover()
    await page.mouse.wheel(0, 900)
    await rows.get_by_role("link", name="Talk 30").click()
    await expect(page.get_by_role("heading", name="Talk 30")).to_be_visible()
    await expect(rows.get_by_role("link", name="Talk 30")).to_be_visible()
