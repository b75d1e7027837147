"""Takes the pictures of the web page for README and docs: `.venv/bin/python scripts/screenshots.py [--all]` writes docs/images/*.png.

Starts a server over a temporary folder with the sample files and a scripted model, waits until all is found by meaning where the
embedder is installed, and looks at it with the installed Chromium.
`--all` takes every screen in light and dark, wide and phone, into build/screenshots instead, to be looked at.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator
from importlib import util
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, FilePayload, Page, async_playwright, expect

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.web.site import CHROMIUM, DROP, FLAGS, MODEL, Site, running_site, visiting  # noqa: E402

from famulus.knowledge.embed.weights import PACKAGE  # noqa: E402
from famulus.testing.model_servers import Call, Round, Say, Stall  # noqa: E402

HOTEL = "What may a hotel night in London cost, and what is left of a budget of GBP 1,000 after four nights?"
RECALL = "Which lots of the KT-22 harness lanyards are recalled?"
UNKNOWN = "Who won the chess championship of 1972?"
SLOW = "Compare the hotel ceilings of London, Vienna and Zürich, and say what changes during trade fairs."
FILES = {
    "travel-policy-2025.md": b"# Travel policy\n\n## Hotels\n\nA night in London may cost GBP 185 at most.\n",
    "contract-signed.pdf": b"%PDF-1.4\nthis is not a document",
    "opening-hours.txt": b"The office is open from 8:00 to 18:00, on Fridays until 16:00.\n",
}


def hits(messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The passages that the tools of this conversation have found."""
    for message in messages:
        if message["role"] != "tool":
            continue
        try:
            found = json.loads(message["content"])
        except (TypeError, ValueError):
            continue
        yield from found.get("hits", []) if isinstance(found, dict) else []


def number(messages: list[dict[str, Any]], words: str) -> int:
    return next((int(hit["n"]) for hit in hits(messages) if words in hit["excerpt"]), 1)


def say(body: dict[str, Any], _: int) -> Round:
    messages = body["messages"]
    last = max(index for index, message in enumerate(messages) if message["role"] == "user")
    question, turn = str(messages[last]["content"]), messages[last:]
    asked = sum(1 for message in turn if message["role"] == "assistant")
    if "KT-22" in question:
        if asked == 0:
            return Call("search_documents", {"query": "KT-22 harness lanyards recalled lots", "k": 3})
        lots = number(turn, "40817")
        return Say(
            f"The **lots 40817 to 41263** are affected [{lots}]. Take these lanyards out of use and send them back."
        )
    if "chess" in question:
        return (
            Call("search_documents", {"query": question, "k": 3})
            if asked == 0
            else Say("The documents say nothing about chess.")
        )
    if "Compare" in question:
        return slow(asked)
    if asked == 0:
        return [
            Say("I look at the travel policy first."),
            Call("search_documents", {"query": "hotel ceiling per night London", "k": 4}),
            Call("search_documents", {"query": "prices during trade fairs", "k": 3}),
        ]
    if asked == 1:
        return Call("calculate", {"expression": "1000 - 4 * 185"})
    ceiling = number(turn, "London and its airports")
    fair = number(turn, "trade fairs")
    return Say(
        f"A night in London may cost **GBP 185** at most, breakfast and local taxes included [{ceiling}].\n\n"
        "| | GBP |\n|---|---|\n| Budget | 1,000 |\n| Four nights | 740 |\n| **Left** | **260** |\n\n"
        f"During trade fairs the price may be up to 25 per cent higher, if the agency confirms in writing that nothing cheaper is free [{fair}].",
        delay_s=0.01,
    )


def slow(asked: int) -> Round:
    """Looks up, computes wrongly, thinks for a while, then writes slowly: something to look at while it works."""
    if asked == 0:
        return [
            Say("I look at each city's ceiling."),
            Call("search_documents", {"query": "hotel ceiling per night London", "k": 4}),
            Call("search_documents", {"query": "prices during trade fairs", "k": 3}),
            Call("calculate", {"expression": "185 * (1 + a quarter)"}),
        ]
    if asked == 1:
        return [Call("calculate", {"expression": "185 * 1.25"})]
    text = "In **London** a night may cost GBP 185 at most [1], breakfast and local taxes included. During trade fairs the price may be higher [2]:\n\n"
    rows = "| City | Ceiling | During fairs |\n|---|---:|---:|\n| London | GBP 185 | GBP 231.25 |\n| Vienna | EUR 150 | EUR 187.50 |\n\n"
    return [
        Stall(1.6),
        Say(text + rows + "The agency confirms in writing that nothing cheaper is free. " * 12, delay_s=0.06),
    ]


async def ask(page: Page, question: str) -> None:
    turns = await page.get_by_role("button", name="Copy answer").count()
    await page.get_by_role("textbox", name="Message").fill(question)
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Copy answer")).to_have_count(turns + 1, timeout=30_000)
    await page.wait_for_timeout(400)


async def working(page: Page, take: Any) -> None:
    """The chat while a run works: cards with the model thinking, then an answer being written, then one that was stopped."""
    await page.goto("/")
    await page.get_by_role("textbox", name="Message").fill(SLOW)
    await page.keyboard.press("Enter")
    await page.get_by_text("231.25").or_(page.get_by_text("185 * 1.25")).first.wait_for()
    await take("thinking")
    await page.get_by_text("EUR 187.50").wait_for()
    await take("streaming")
    await page.get_by_role("button", name="Stop", exact=True).click()
    await page.get_by_role("button", name="Copy answer").wait_for()
    await take("stopped")


async def cards(page: Page, take: Any) -> None:
    """What opens over an answer and its composer."""
    article = page.get_by_role("article").first
    await article.get_by_role("button", name="Search documents").first.click()
    await take("tool")
    await article.get_by_role("button", name="Show as JSON").first.click()
    await article.get_by_role("heading", name="Arguments").first.scroll_into_view_if_needed()
    await take("tool-json")
    await article.get_by_role("button", name="Search documents").first.click()
    await article.locator("button[data-support]").first.hover()
    await page.get_by_role("blockquote").first.wait_for()
    await take("citation")
    await page.mouse.move(2, 2)
    for name, label in {"scope": "Knowledge bases:", "models": "Model:", "leaves": "May leave this machine"}.items():
        await page.get_by_role("group", name="What this question may use").get_by_role("button", name=label).click()
        await take(name)
        await page.keyboard.press("Escape")
    await article.get_by_role("button", name="Context").click()
    await take("context")
    await page.keyboard.press("Escape")
    more = page.locator("header").get_by_role("button", name="More").first
    for name, item in {"rename": "Rename", "delete": "Delete"}.items():
        await more.click()
        await page.get_by_role("menuitem", name=item).click()
        await page.get_by_role("dialog").wait_for()
        await take(name)
        await page.keyboard.press("Escape")
        await page.get_by_role("dialog").wait_for(state="hidden")


async def uploading(page: Page, site: Site, take: Any, name: str) -> None:
    """A base with one failing file among good ones, and files dropped on the chat."""
    kb = (await site.post("/knowledge-bases", {"name": name}))["id"]
    await page.goto(f"/knowledge/{kb}")
    await page.get_by_role("heading", name=name).wait_for()
    await take("empty-base")
    picked: list[FilePayload] = [
        {"name": file, "mimeType": "application/octet-stream", "buffer": data} for file, data in FILES.items()
    ]
    await page.locator('input[type="file"]').first.set_input_files(picked)
    await page.get_by_text("3 of 3 finished").wait_for()
    await page.get_by_role("group", name="3 documents").get_by_text("failed").wait_for()
    await take("uploads")
    await page.get_by_role("button", name="Clear finished").click()
    await page.get_by_role("group", name="3 documents").get_by_text("failed").click()
    await take("failing")
    await page.keyboard.press("Escape")
    await page.get_by_role("group", name="3 documents").get_by_role("link", name="contract-signed.pdf").click()
    await page.get_by_role("heading", name="contract-signed.pdf").wait_for()
    await take("failed-document")
    await page.goto("/knowledge")
    await page.get_by_role("button", name="New base").click()
    await page.get_by_role("dialog").wait_for()
    await take("new-base")
    await page.goto("/")
    await page.get_by_role("textbox", name="Message").wait_for()
    await page.evaluate(DROP, ["textarea", "contract-signed.pdf", "%PDF-1.4 nothing"])
    await page.get_by_role("dialog").wait_for()
    await take("drop")
    await page.get_by_role("dialog").get_by_role("button", name="Add").click()
    await page.get_by_text("1 of 1 finished").wait_for()
    await take("dropped")


async def screens(page: Page, site: Site, take: Any, *, every: bool) -> None:
    """Every screen in turn; `take(name)` takes the picture. `every`: also what opens, works or fails on them."""
    await page.goto("/")
    await page.wait_for_timeout(500)
    await take("new")
    await ask(page, HOTEL)
    await take("chat")
    if every:
        await cards(page, take)
    await page.get_by_role("article").get_by_role("button", name="Open source").first.click()
    await page.get_by_role("complementary", name="Source").locator("mark").first.wait_for()
    await take("source")
    await page.get_by_role("complementary", name="Source").get_by_role("button", name="Back").click()
    await take("passages")
    await page.keyboard.press("Escape")
    await ask(page, RECALL)
    await page.get_by_role("article").last.get_by_role("button", name="Open source").first.click()
    await page.get_by_role("complementary", name="Source").locator("mark").first.wait_for(state="attached")
    await page.wait_for_timeout(900)
    await take("pdf")
    await page.keyboard.press("Escape")
    await ask(page, UNKNOWN)
    await take("no-answer")
    base = (await site.get("/knowledge-bases"))["items"][0]["id"]
    documents = (await site.get(f"/knowledge-bases/{base}/documents?limit=200"))["items"]
    policy = next(item["id"] for item in documents if item["name"] == "travel-policy.md")
    runs = (await site.get("/runs"))["items"]
    run = next(item["id"] for item in runs if item["question"] == HOTEL)
    for name, path in {
        "knowledge": "/knowledge",
        "base": f"/knowledge/{base}",
        "document": f"/documents/{policy}",
        "search": "/search?q=hotel%20ceiling%20London",
        "search-empty": "/search",
        "missing": "/nowhere",
        "runs": "/runs",
        "run": f"/runs/{run}",
        "settings": "/settings",
    }.items():
        await page.goto(path)
        await page.locator("h1, h2").first.wait_for()
        await page.wait_for_timeout(900)
        await take(name)
        if every and name in ("runs", "run", "settings"):
            await page.evaluate("document.querySelectorAll('main div').forEach((part) => part.scrollTo(0, 1e6))")
            await take(f"{name}-end")


async def look(browser: Browser, site: Site, folder: Path, *, every: bool) -> None:
    sizes = {"wide": (1280, 820), "phone": (360, 780)}
    kinds = [(theme, size) for theme in ("light", "dark") for size in sizes]
    best = {
        ("light", "wide"): ("chat", "pdf", "base", "run", "streaming"),
        ("dark", "wide"): ("source",),
        ("light", "phone"): ("chat",),
    }
    for theme, size in kinds:
        wanted = best.get((theme, size), ())
        if not every and not wanted:
            continue
        width, height = sizes[size]
        options: dict[str, Any] = {"viewport": {"width": width, "height": height}, "color_scheme": theme}
        async with visiting(browser, site, model=MODEL, reduced_motion="reduce", **options) as visit:

            async def take(name: str, theme: str = theme, size: str = size, page: Page = visit.page) -> None:
                if every or name in best.get((theme, size), ()):
                    await page.wait_for_timeout(300)
                    await page.screenshot(path=folder / f"{name}-{theme}-{size}.png")

            await screens(visit.page, site, take, every=every)
            if every or "streaming" in wanted:
                await working(visit.page, take)
            if every or "uploads" in wanted:
                await uploading(visit.page, site, take, f"Contracts, {theme} and {size}" if every else "Contracts")


async def main() -> None:
    every = "--all" in sys.argv
    folder = ROOT / "build" / "screenshots" if every else ROOT / "docs" / "images"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        # As a reader has it: where the embedder's weights are installed, everything is searched by meaning too.
        meaning = util.find_spec(PACKAGE) is not None
        async with running_site(Path(data) / "data", meaning=meaning) as site, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            await first_start(browser, site, folder if every else None)
            base = await site.post("/knowledge-bases/sample", None)
            await site.settled(base["id"])
            if meaning:
                await site.embedded(base["id"])
                await site.post("/search", {"query": HOTEL})
            site.script.answer = say
            await look(browser, site, folder, every=every)
            await browser.close()
    print(f"pictures in {folder}")


async def first_start(browser: Browser, site: Site, folder: Path | None) -> None:
    if folder is None:
        return
    for theme, width in (("light", 1280), ("dark", 360)):
        options: dict[str, Any] = {"viewport": {"width": width, "height": 820}, "color_scheme": theme}
        async with visiting(browser, site, signed_in=False, reduced_motion="reduce", **options) as visit:
            await visit.page.goto("/")
            await visit.page.wait_for_timeout(900)
            await visit.page.screenshot(path=folder / f"signin-{theme}-{width}.png")
        async with visiting(browser, site, reduced_motion="reduce", **options) as visit:
            await visit.page.goto("/")
            await visit.page.get_by_role("heading", name="Ask your own documents").wait_for()
            await visit.page.wait_for_timeout(600)
            await visit.page.screenshot(path=folder / f"first-{theme}-{width}.png")


if __name__ == "__main__":
    asyncio.run(main())
