"""A PDF beside an answer: drawn in the width of its panel, and anew when that changes."""

from __future__ import annotations

from playwright.async_api import Page, expect
from tests.web.site import Site, Visit

DRAWN = """() => {
    const canvas = document.querySelector("main canvas");
    if (!canvas?.width) return null;
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let ink = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 0 && data[at] < 128) ink += 1;
    return ink > 200 ? canvas.offsetWidth : null;
}"""


async def drawn(page: Page, *, narrower_than: float) -> float:
    found = await page.wait_for_function(
        f"() => {{ const width = ({DRAWN})(); return width && width < {narrower_than} ? width : null; }}"
    )
    return float(await found.json_value())


async def test_a_pdf_is_drawn_anew_when_its_panel_gets_another_width(site: Site, visit: Visit) -> None:
    base = (await site.get("/knowledge-bases"))["items"][0]["id"]
    documents = (await site.get(f"/knowledge-bases/{base}/documents?limit=200"))["items"]
    pdf = next(item["id"] for item in documents if item["name"] == "technical-bulletin-07.pdf")
    page = visit.page
    await page.goto(f"/documents/{pdf}")
    before = await drawn(page, narrower_than=2000)
    frame = page.get_by_role("region", name="Page 1")
    await frame.evaluate("(frame) => frame.scrollTo(0, frame.scrollHeight / 2)")
    await page.set_viewport_size({"width": 760, "height": 820})
    after = await drawn(page, narrower_than=before)
    assert after < 760
    assert await frame.evaluate("(frame) => frame.scrollWidth <= frame.clientWidth && frame.scrollTop > 50")
    await expect(page.locator("main canvas")).to_have_count(1)


WATCH = """() => {
    window.blank = 0;
    window.frames_seen = 0;
    const canvas = document.querySelector("main canvas");
    const look = () => {
        const data = canvas.width ? canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height / 2).data : [];
        let ink = 0;
        for (let at = 0; at < data.length; at += 16) if (data[at + 3] > 0 && data[at] < 128) ink += 1;
        window.frames_seen += 1;
        if (ink < 50) window.blank += 1;
        requestAnimationFrame(look);
    };
    look();
}"""


async def test_a_pdf_is_never_blank_while_its_window_and_theme_change(site: Site, visit: Visit) -> None:
    base = (await site.get("/knowledge-bases"))["items"][0]["id"]
    documents = (await site.get(f"/knowledge-bases/{base}/documents?limit=200"))["items"]
    pdf = next(item["id"] for item in documents if item["name"] == "technical-bulletin-07.pdf")
    page = visit.page
    await page.goto(f"/documents/{pdf}")
    width = await drawn(page, narrower_than=2000)
    await page.evaluate(WATCH)
    await page.emulate_media(color_scheme="dark")
    await page.get_by_role("button", name="Larger").click()
    for size in (1100, 900, 700, 420):
        await page.set_viewport_size({"width": size, "height": 700})
        await page.wait_for_timeout(30)
    await page.get_by_role("button", name="Smaller").click()
    await drawn(page, narrower_than=width / 2)
    assert await page.evaluate("window.frames_seen") > 3
    assert await page.evaluate("window.blank") == 0
