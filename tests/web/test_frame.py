"""The frame of the page: what stands around its panels stays where it is."""

from __future__ import annotations

import re

from playwright.async_api import expect
from tests.web.site import Site, Visit

from famulus.testing.model_servers import Call, Say

# Whatever the browser itself scrolls into view (a mark, a focused control) must not move what has no scroll bar to move it back.
MOVED = """() => {
    const moved = [];
    for (let box = document.querySelector("main"); box; box = box.parentElement) {
        box.scrollTop = 40;
        if (box.scrollTop) moved.push(box.tagName);
    }
    return moved;
}"""


async def test_only_panels_scroll_never_the_page_around_them(site: Site, visit: Visit) -> None:
    base = await site.post("/knowledge-bases", {"name": "ocelots"})
    await site.add(
        base["id"], file=("ocelots.csv", b"Nr,Ocelot\n" + b"".join(b"%d,ocelot %d\n" % (n, n) for n in range(200)))
    )
    answer = "\n\n".join(["Ocelot 7 is one of many [1]."] * 60)
    site.script.rounds = lambda question, number: (
        Call("search_documents", {"query": "ocelot 7", "k": 4}) if number == 0 else Say(answer)
    )
    await visit.page.goto("/")
    await visit.ask("ocelot 7?")
    chips = visit.page.get_by_role("article").locator("button[data-support]", has_text=re.compile("^1$"))
    await chips.nth(30).click()
    await expect(visit.page.get_by_role("complementary", name="Source").locator("[data-marked]").first).to_be_visible()
    assert await visit.page.evaluate(MOVED) == []
