"""A poisoned document, file name and answer: no request leaves the page, nothing in them runs."""

from __future__ import annotations

from playwright.async_api import expect
from tests.web.site import Site, Visit

from famulus.testing.model_servers import Call, Say

SINK = "http://sink.example"
POISON = f"""# Report <script>window.ran = 1</script>

![beacon]({SINK}/beacon.png) <img src="{SINK}/img.png" onerror="window.ran = 1"> [open me]({SINK}/link) [run](javascript:window.ran=1)

<style>@import url({SINK}/style.css); body {{ background: url({SINK}/bg.png) }}</style>
<form action="{SINK}/form"><input name="secret" autofocus onfocus="window.ran = 1"><button>Continue</button></form>
<iframe srcdoc="<script>parent.ran = 1</script>"></iframe> <svg onload="window.ran = 1"><image href="{SINK}/svg.png"/></svg>

{SINK}/bare and <{SINK}/auto> and ![r][ref] and [1]

[ref]: {SINK}/ref.png
[1]: {SINK}/one

Passphrase of the cellar: hollow lantern.
"""
NAME = f"<img src=x onerror=window.ran=1> {SINK} report.md"


async def test_poisoned_text_and_names_are_inert_everywhere(site: Site, visit: Visit) -> None:
    base = await site.post("/knowledge-bases", {"name": "<b onclick=window.ran=1>Poison</b>"})
    await site.add(base["id"], file=(NAME.replace("/", "_"), POISON.encode()))
    site.script.rounds = lambda question, number: (
        Call("search_documents", {"query": "passphrase of the cellar"}) if number == 0 else Say(POISON)
    )
    page = visit.page
    await page.goto("/")
    await visit.ask(f"Passphrase? <img src={SINK}/question.png onerror=window.ran=1>")
    article = page.get_by_role("article")
    await expect(article).to_contain_text("hollow lantern")
    await expect(article).to_contain_text(f"{SINK}/link")
    await expect(page.get_by_role("button", name="Copy answer")).to_be_visible()
    assert await article.locator("img, iframe, form, style, script, svg image, a[href^='http']").count() == 0
    document = (await site.get(f"/knowledge-bases/{base['id']}/documents"))["items"][0]
    for path in (f"/documents/{document['id']}", f"/knowledge/{base['id']}", "/search?q=cellar", "/runs"):
        await page.goto(path)
        await expect(page.get_by_text("Passphrase").or_(page.get_by_text("onerror")).first).to_be_visible()
        assert await page.locator("main img, main iframe, main form[action], main style, main script").count() == 0
        assert await page.evaluate("window.ran") is None
        assert await visit.violations() == []
    assert visit.foreign == []
