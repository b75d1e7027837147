"""The way through the page on which its pictures are taken: every screen, what opens on it, and what works or fails."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import FilePayload, Locator, Page, expect
from scripts.screenshots_model import HOTEL, RECALL, SLOW, UNKNOWN
from tests.web.site import DROP, Site

CATALOGUES = Path(__file__).resolve().parent.parent / "web" / "src" / "i18n"
FILES = {
    "travel-policy-2025.md": b"# Travel policy\n\n## Hotels\n\nA night in London may cost GBP 185 at most.\n",
    "contract-signed.pdf": b"%PDF-1.4\nthis is not a document",
    "opening-hours.txt": b"The office is open from 8:00 to 18:00, on Fridays until 16:00.\n",
}


class Words:
    """The page's messages in one language, so that the same way leads through each: `words("chat.send")`."""

    def __init__(self, language: str) -> None:
        text = (CATALOGUES / f"{language}.ts").read_text(encoding="utf-8")
        found = re.findall(r'^  "([\w.]+)": (?:\{.*other: )?("(?:[^"\\]|\\.)*")(?: \})?,$', text, re.MULTILINE)
        self.messages: dict[str, str] = {key: json.loads(message) for key, message in found}

    def __call__(self, key: str, **values: object) -> str:
        """The message with its values filled in; of two forms the plural one."""
        return re.sub(r"\{(\w+)\}", lambda match: str(values[match[1]]), self.messages[key])


@dataclass(frozen=True, slots=True)
class Way:
    """A page, the server behind it, the words on it, and what takes its picture. `every`: also what opens on the screens."""

    page: Page
    site: Site
    words: Words
    take: Callable[[str], Awaitable[None]]
    every: bool

    def button(self, key: str, **values: object) -> Locator:
        return self.page.get_by_role("button", name=self.words(key, **values))

    def message(self) -> Locator:
        return self.page.get_by_role("textbox", name=self.words("chat.message"))

    def panel(self) -> Locator:
        return self.page.get_by_role("complementary", name=self.words("source.panel"))


async def screens(way: Way) -> None:
    """The chat with its sources, then every other screen."""
    page, take = way.page, way.take
    await page.goto("/")
    await page.get_by_role("heading", name=way.words("chat.empty")).wait_for()
    await take("new")
    await ask(way, HOTEL)
    await take("chat")
    if way.every:
        await cards(way)
    await opened(way, way.page.get_by_role("article"))
    await way.panel().locator("mark").first.wait_for()
    await take("source")
    await way.panel().get_by_role("button", name=way.words("app.back")).click()
    await take("passages")
    await page.keyboard.press("Escape")
    await ask(way, RECALL)
    await opened(way, page.get_by_role("article").last)
    await way.panel().locator("mark").first.wait_for(state="attached")
    await page.wait_for_timeout(900)
    await take("pdf")
    await page.keyboard.press("Escape")
    await ask(way, UNKNOWN)
    await take("no-answer")
    await pages(way)


async def ask(way: Way, question: str) -> None:
    done = way.button("chat.copyAnswer")
    turns = await done.count()
    await way.message().fill(question)
    await way.page.keyboard.press("Enter")
    await expect(done).to_have_count(turns + 1, timeout=30_000)
    await way.page.wait_for_timeout(400)


async def opened(way: Way, article: Locator) -> None:
    """Opens the first source of an answer."""
    await article.locator("button[data-use]").first.click()
    await way.panel().wait_for()


async def cards(way: Way) -> None:
    """What opens over an answer and its composer."""
    page, take, words = way.page, way.take, way.words
    article = page.get_by_role("article").first
    step = article.get_by_role("button", name=words("tool.search_documents")).first
    await step.click()
    await take("tool")
    await article.get_by_role("button", name=words("step.json")).first.click()
    await article.get_by_role("heading", name=words("tool.arguments")).first.scroll_into_view_if_needed()
    await take("tool-json")
    await step.click()
    await article.locator("button[data-support]").first.hover()
    await page.get_by_role("blockquote").first.wait_for()
    await take("citation")
    await page.mouse.move(2, 2)
    scope = page.get_by_role("group", name=words("scope.label"))
    for name, key in {"scope": "scope.bases", "models": "scope.model", "leaves": "scope.stays"}.items():
        await scope.get_by_role("button", name=words(key)).first.click()
        await take(name)
        await page.keyboard.press("Escape")
    await article.get_by_role("button", name=words("context.label")).click()
    await take("context")
    await page.keyboard.press("Escape")
    await article.get_by_role("button", name=words("app.more")).click()
    await take("answer-menu")
    await page.keyboard.press("Escape")
    more = page.locator("header").get_by_role("button", name=words("app.more")).first
    for name, key in {"rename": "app.rename", "delete": "app.delete"}.items():
        await more.click()
        await page.get_by_role("menuitem", name=words(key)).click()
        await page.get_by_role("dialog").wait_for()
        await take(name)
        await page.keyboard.press("Escape")
        await page.get_by_role("dialog").wait_for(state="hidden")
    if (page.viewport_size or {"width": 0})["width"] < 900:
        await way.button("chat.open").click()
        await take("conversations")
        await page.keyboard.press("Escape")
        await page.get_by_role("dialog").wait_for(state="hidden")


async def pages(way: Way) -> None:
    """The screens that have an address of their own."""
    base = (await way.site.get("/knowledge-bases"))["items"][0]["id"]
    documents = (await way.site.get(f"/knowledge-bases/{base}/documents?limit=200"))["items"]
    identity = {item["name"]: item["id"] for item in documents}
    runs = (await way.site.get("/runs"))["items"]
    run = next(item["id"] for item in runs if item["question"] == HOTEL)
    addresses = {
        "knowledge": "/knowledge",
        "base": f"/knowledge/{base}",
        "document": f"/documents/{identity['travel-policy.md']}",
        "document-pdf": f"/documents/{next(id for name, id in identity.items() if name.endswith('.pdf'))}",
        "document-sheet": f"/documents/{identity['invoices-2026.csv']}",
        "search": "/search?q=hotel%20ceiling%20London",
        "search-weak": "/search?q=chess%20championship",
        "search-empty": "/search",
        "missing": "/nowhere",
        "runs": "/runs",
        "run": f"/runs/{run}",
        "settings": "/settings",
    }
    for name, path in addresses.items():
        await way.page.goto(path)
        await way.page.locator("h1, h2").first.wait_for()
        await way.page.wait_for_timeout(900)
        await expect(way.page.locator(".mantine-Skeleton-root")).to_have_count(0)
        await way.take(name)
        if way.every and name in ("runs", "run", "settings"):
            await whole(way, name)


async def whole(way: Way, name: str) -> None:
    """The whole length of a long page, as in a very high window."""
    size = way.page.viewport_size or {"width": 1280, "height": 820}
    await way.page.set_viewport_size({"width": size["width"], "height": 2000})
    await way.take(f"{name}-whole")
    await way.page.set_viewport_size(size)


async def working(way: Way) -> None:
    """The chat while a run works: cards with the model thinking, then an answer being written, then one that was stopped."""
    page = way.page
    await page.goto("/")
    await way.message().fill(SLOW)
    await page.keyboard.press("Enter")
    await page.get_by_text("231.25").or_(page.get_by_text("185 * 1.25")).first.wait_for()
    await way.take("thinking")
    await page.get_by_text("EUR 187.50").wait_for()
    await way.take("streaming")
    await page.get_by_role("button", name=way.words("chat.stop"), exact=True).click()
    await way.button("chat.copyAnswer").wait_for()
    await way.take("stopped")


async def uploading(way: Way, name: str) -> None:
    """A base with one failing file among good ones, and files dropped on the chat."""
    page, take, words = way.page, way.take, way.words
    kb = (await way.site.post("/knowledge-bases", {"name": name}))["id"]
    await page.goto(f"/knowledge/{kb}")
    await page.get_by_role("heading", name=name).wait_for()
    await take("empty-base")
    picked: list[FilePayload] = [
        {"name": file, "mimeType": "application/octet-stream", "buffer": data} for file, data in FILES.items()
    ]
    await page.locator('input[type="file"]').first.set_input_files(picked)
    await page.get_by_text(words("upload.progress", done=3, count=3)).wait_for()
    rows = page.get_by_role("group", name=words("kb.documents", count=3))
    # A phone shows the mark without its word.
    await rows.get_by_text(words("doc.status.failed"), exact=True).last.wait_for(state="attached")
    await take("uploads")
    await way.button("upload.clear").click()
    # A button only where the row has no room for the whole reason.
    failed = rows.get_by_role("button", name=words("doc.status.failed"), exact=True)
    if await failed.count():
        await failed.click()
    await take("failing")
    await page.keyboard.press("Escape")
    await rows.get_by_role("link", name="contract-signed.pdf").click()
    await page.get_by_role("heading", name="contract-signed.pdf").wait_for()
    await take("failed-document")
    await page.goto("/knowledge")
    await way.button("kb.new").click()
    await page.get_by_role("dialog").wait_for()
    await take("new-base")
    await page.goto("/")
    await way.message().wait_for()
    await page.evaluate(DROP, ["textarea", "contract-signed.pdf", "%PDF-1.4 nothing"])
    await page.get_by_role("dialog").wait_for()
    await take("drop")
    await page.get_by_role("dialog").get_by_role("button", name=words("chat.dropAdd"), exact=True).click()
    await page.get_by_text(words("upload.progress", done=1, count=1)).wait_for()
    await take("dropped")
