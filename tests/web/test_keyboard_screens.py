"""Each screen, on a small phone and in a wide window, by keyboard alone: Tab reaches everything, what has the focus is seen, nothing is a trap, Escape closes what was opened."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect
from tests.web.site import MODEL, Site, Visit, visiting

from famulus.testing.model_servers import Call, Say

SIZES: dict[str, ViewportSize] = {"phone": {"width": 360, "height": 740}, "wide": {"width": 1280, "height": 820}}
PHONE: dict[str, Any] = {"viewport": SIZES["phone"], "reduced_motion": "reduce"}
SCREENS = [
    "/",
    "chat",
    "source",
    "/knowledge",
    "base",
    "document",
    "pdf",
    "/search",
    "/search?q=hotel",
    "/runs",
    "run",
    "/settings",
    "/nowhere",
]
# What is looked at: `begin()` names what Tab must reach, `step()` tells what is wrong with what has the focus, `left()` what was not reached.
LOOK = """
window.look = (() => {
    const reached = new Set();
    let wanted = [];
    const named = (e) => `${e.tagName.toLowerCase()} ${e.getAttribute("aria-label") ?? e.textContent.trim().slice(0, 40)}`;
    // A hidden radio or checkbox is seen as its label.
    const seen = (e) => (/^(radio|checkbox)$/.test(e.type) ? e.labels[0] ?? e : e);
    const shown = (e) => e.checkVisibility({ visibilityProperty: true }) && seen(e).getBoundingClientRect().width > 1 && !e.closest("[inert], [aria-hidden=true]");
    const look = (e) => [e, e.nextElementSibling, e.parentElement, e.parentElement?.parentElement].map((part) => {
        if (!part) return "";
        const { outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor, insetBlockStart } = getComputedStyle(part);
        return [outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor, insetBlockStart].join();
    }).join("|");
    const begin = () => {
        const all = "a[href], button:not(:disabled), input:not(:disabled), textarea, summary, [tabindex='0']";
        wanted = [...document.querySelectorAll(all)].filter((e) => shown(e) && e.tabIndex >= 0 && (e.type !== "radio" || e.checked));
        document.body.tabIndex = -1;
        document.body.focus();
        return wanted.length;
    };
    const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const step = async () => {
        const e = document.activeElement;
        if (!e || e === document.body || (reached.size > 1 && e === [...reached][0])) return null;
        // The parts of a date are one field.
        if (reached.has(e)) return [];
        reached.add(e);
        await drawn();
        const faults = [];
        const box = seen(e).getBoundingClientRect();
        const inside = { left: Math.max(box.left, 0), top: Math.max(box.top, 0), right: Math.min(box.right, innerWidth), bottom: Math.min(box.bottom, innerHeight) };
        const [wide, high] = [inside.right - inside.left, inside.bottom - inside.top];
        if (wide < Math.min(box.width, 24) - 1 || high < Math.min(box.height, 16) - 1) faults.push(`out of view at ${Math.round(box.left)},${Math.round(box.top)}`);
        else {
            const points = [0.5, 0.2, 0.8].flatMap((x) => [0.5, 0.2, 0.8].map((y) => document.elementFromPoint(inside.left + wide * x, inside.top + high * y)));
            if (!points.some((hit) => hit && (seen(e).contains(hit) || hit.contains(e)))) faults.push("covered by something else");
        }
        const focused = look(e);
        e.blur();
        await drawn();
        const plain = look(e);
        e.focus({ preventScroll: true });
        if (focused === plain) faults.push("no sign that it has the focus");
        const wide_page = Math.max(document.documentElement.scrollWidth, document.querySelector("main > *")?.scrollWidth ?? 0);
        if (wide_page > innerWidth) faults.push(`the page is ${wide_page} wide`);
        return faults.map((fault) => `${named(e)}: ${fault}`);
    };
    const left = () => wanted.filter((e) => e.isConnected && shown(e) && !reached.has(e)).map(named);
    return { begin, step, left };
})();
"""


@pytest.fixture(scope="module")
async def told(site: Site) -> dict[str, str]:
    """A conversation with steps and a citation, and the addresses of the screens that have an id in them."""
    site.script.rounds = lambda question, number: (
        [Call("search_documents", {"query": "hotel ceiling"}), Call("calculate", {"expression": "1 + a"})]
        if number == 0
        else Say("# Hotels\n\nA night may cost GBP 185 [1].\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nls\n```")
    )
    chat = (await site.post("/conversations", {}))["id"]
    asked = {"message": "What may a hotel cost?", "model": MODEL}
    run = (await site.post(f"/conversations/{chat}/runs", asked))["run_id"]
    for _ in range(400):
        if (await site.get(f"/runs/{run}"))["finished_at"]:
            break
        await asyncio.sleep(0.05)
    base = (await site.get("/knowledge-bases"))["items"][0]["id"]
    documents = (await site.get(f"/knowledge-bases/{base}/documents?limit=200"))["items"]
    identity = {item["name"]: item["id"] for item in documents}
    return {
        "chat": f"/chat/{chat}",
        "source": f"/chat/{chat}",
        "base": f"/knowledge/{base}",
        "document": f"/documents/{identity['travel-policy.md']}",
        "pdf": f"/documents/{identity['technical-bulletin-07.pdf']}",
        "run": f"/runs/{run}",
    }


@pytest.fixture
async def phone(browser: Browser, site: Site) -> AsyncIterator[Visit]:
    async with visiting(browser, site, model=MODEL, **PHONE) as visit:
        await visit.context.add_init_script(LOOK)
        yield visit


async def opened(page: Page, screen: str, told: dict[str, str]) -> None:
    await page.goto(told.get(screen, screen))
    await expect(page.locator("h1, h2").first).to_be_visible()
    await page.wait_for_load_state("networkidle")
    if screen == "source":
        await page.get_by_role("button", name="Open source 1").first.press("Enter")
        await expect(page.get_by_role("complementary", name="Source").locator("mark").first).to_be_attached()
    if screen == "pdf":
        await expect(page.locator("main canvas")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("screen", SCREENS)
async def test_tab_reaches_everything_and_is_always_seen(
    phone: Visit, told: dict[str, str], screen: str, size: str
) -> None:
    page = phone.page
    await page.set_viewport_size(SIZES[size])
    await opened(page, screen, told)
    wanted = await page.evaluate("look.begin()")
    faults: list[str] = []
    for _ in range(2 * wanted + 60):
        await page.keyboard.press("Tab")
        found = await page.evaluate("look.step()")
        if found is None:
            break
        faults += found
    else:
        faults.append("Tab never came to an end")
    assert faults + [f"{name}: not reached" for name in await page.evaluate("look.left()")] == []


OPENERS = {
    "the knowledge": ("/", "Knowledge bases:", "dialog"),
    "the model": ("/", "Model:", "menu"),
    "what may leave": ("/", "May leave this machine", "dialog"),
    "the conversations": ("/", "Show conversations", "dialog"),
    "the context": ("chat", "Context", "dialog"),
    "the menu of a conversation": ("chat", "More", "menu"),
    "a new base": ("/knowledge", "New base", "dialog"),
    "the menu of a base": ("base", "More", "menu"),
}


@pytest.mark.parametrize("opener", OPENERS)
async def test_escape_closes_what_was_opened_and_gives_the_focus_back(
    phone: Visit, told: dict[str, str], opener: str
) -> None:
    screen, name, role = OPENERS[opener]
    page = phone.page
    await opened(page, screen, told)
    button = page.get_by_role("button", name=name).first
    await button.press("Enter")
    panel = page.get_by_role(role)  # type: ignore[arg-type]
    await expect(panel).to_be_visible()
    # The keys are those of what was opened from the moment when it takes the focus.
    await expect(button).not_to_be_focused()
    await page.keyboard.press("Escape")
    await expect(panel).to_be_hidden()
    await expect(button).to_be_focused()
