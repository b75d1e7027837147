"""The web page in a real Chromium before a real server: what it loads, when it can be used, how evenly it draws.

`python bench/web.py [--quick]` prints one JSON line. Frames are those of `requestAnimationFrame`; `busy` is the share of time in
which the page's main thread worked, which says more than frames on a machine that is busy with other things.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, CDPSession, Page, ViewportSize, async_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from fill import LONG, TURNS, fill  # noqa: E402
from tests.web.site import CHROMIUM, FLAGS, MODEL, TOKEN, Site, running_site  # noqa: E402

from famulus.testing.model_servers import Call, Round, Say  # noqa: E402

PROBE = (ROOT / "bench/web_probe.js").read_text(encoding="utf-8")
QUESTION = "What may a hotel night in London cost?"
# As a phone with a fair connection: a quarter of this machine's speed, 10 Mbit/s, 40 ms away.
PHONE = {"offline": False, "latency": 40, "downloadThroughput": 1_250_000, "uploadThroughput": 625_000}
VIEW: ViewportSize = {"width": 1280, "height": 820}
PREFERENCES = json.dumps({"language": "en", "model": MODEL})
Result = dict[str, Any]
FRAME_MS = 1000 / 60


def markdown(pieces: int) -> str:
    """An answer of so many words as models write them: headings, lists, a table, code, emphasis, citations."""
    parts: list[str] = []
    while len(" ".join(parts).split(" ")) < pieces:
        at = len(parts) + 1
        parts.append(
            f"## Part {at} of the travel policy\n\nA night in **London** may cost *GBP 185* at most [1], and during trade fairs a quarter more [2]. "
            f"The traveller asks the agency first, keeps the receipt and hands it in within {at} weeks.\n\n"
            "- Breakfast and local taxes are included [1].\n- Laundry is paid after the **fifth** night.\n- `receipt.pdf` goes to the office.\n\n"
            "| City | Ceiling | Fair |\n|---|---:|---:|\n| London | 185 | 231 |\n| Zürich | 210 | 262 |\n| Vienna | 150 | 187 |\n\n"
            "```python\ntotal = nights * ceiling  # at most\nprint(f'{total:.2f}')\n```"
        )
    return " ".join("\n\n".join(parts).split(" ")[:pieces])


def scripted(text: str) -> Callable[[str, int], Round]:
    # A pause of 9.2 ms and the work between two pauses make about 100 pieces a second.
    def rounds(question: str, number: int) -> Round:
        if number == 0 and "hotel" in question:
            return Call("search_documents", {"query": "hotel ceiling per night London", "k": 6})
        return Say(text if "hotel" in question else "Heard.", delay_s=0.0092 if "hotel" in question else 0)

    return rounds


@asynccontextmanager
async def page_of(browser: Browser, site: Site, **options: Any) -> AsyncIterator[tuple[Page, CDPSession]]:
    context = await browser.new_context(base_url=site.url, viewport=VIEW, locale="en", **options)
    try:
        await context.add_init_script(f"localStorage.setItem('famulus.preferences', '{PREFERENCES}')")
        await context.add_init_script(PROBE)
        answer = await context.request.post("/api/v1/session", data={"token": TOKEN})
        assert answer.status == 204, await answer.text()
        page = await context.new_page()
        session = await context.new_cdp_session(page)
        await session.send("Performance.enable", {"timeDomain": "threadTicks"})
        yield page, session
    finally:
        await context.close()


async def busy_s(session: CDPSession) -> float:
    found = await session.send("Performance.getMetrics")
    return next(float(metric["value"]) for metric in found["metrics"] if metric["name"] == "TaskDuration")


async def watched(
    page: Page, session: CDPSession, act: Callable[[], Awaitable[object]], rows: str | None = None
) -> Result:
    """The frames while `act` runs."""
    before, started = await busy_s(session), time.perf_counter()
    async with tasks_of(session) as tasks:
        await page.evaluate("(rows) => probe.start(rows)", rows)
        await act()
        found: Result = await page.evaluate("probe.stop()")
        busy = (await busy_s(session) - before) / (time.perf_counter() - started)
    found |= {
        "busy": busy,
        "over_frame": sum(task > FRAME_MS for task in tasks),
        "longest_task_ms": max(tasks, default=0),
    }
    return {key: round(value, 3) for key, value in found.items()}


@asynccontextmanager
async def tasks_of(session: CDPSession) -> AsyncIterator[list[float]]:
    """CPU milliseconds of each task of the page's main thread; filled when the block has ended."""
    events: list[dict[str, Any]] = []
    tasks: list[float] = []
    complete = asyncio.Event()

    def collected(message: dict[str, Any]) -> None:
        events.extend(message["value"])

    session.on("Tracing.dataCollected", collected)
    session.once("Tracing.tracingComplete", lambda _: complete.set())
    await session.send("Tracing.start", {"transferMode": "ReportEvents", "categories": "-*,toplevel"})
    yield tasks
    await session.send("Tracing.end")
    await complete.wait()
    session.remove_listener("Tracing.dataCollected", collected)
    named = [event for event in events if event["name"] == "thread_name"]
    mains = {(event["pid"], event["tid"]) for event in named if event["args"]["name"] == "CrRendererMain"}
    by_thread: dict[object, list[float]] = {}
    for event in events:
        thread = (event["pid"], event["tid"])
        if thread in mains and event["name"].endswith("RunTask"):
            by_thread.setdefault(thread, []).append(event.get("tdur", 0) / 1000)
    # The tab under measurement is the one that worked most; the others of this browser stand still.
    tasks.extend(max(by_thread.values(), key=sum, default=[]))


async def loading(browser: Browser, site: Site, times: int, *, phone: bool = False, again: bool = False) -> Result:
    """Medians of visits in milliseconds since the navigation began: with an empty cache, or for the second time."""
    found: list[Result] = []
    for _ in range(times):
        async with page_of(browser, site) as (page, session):
            if phone:
                await session.send("Network.emulateNetworkConditions", PHONE)
                await session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
            before = 0.0
            for _ in range(1 + again):
                before = await busy_s(session)
                await page.goto("/")
                await page.get_by_role("textbox", name="Message").fill("It takes text.")
                await page.wait_for_load_state("networkidle")
            after = await busy_s(session)
            # The count begins anew when the browser took another process for the page.
            spent = after - before if after > before else after
            found.append(await page.evaluate("probe.loaded()") | {"cpu_ms": spent * 1000})
    return {key: round(statistics.median(visit[key] for visit in found)) for key in found[0]}


async def streaming(browser: Browser, site: Site, pieces: int, *, slow: int = 1) -> Result:
    """One answer of so many pieces, from its first word to its last."""
    site.script.rounds = scripted(markdown(pieces))
    async with page_of(browser, site) as (page, session):
        await page.goto("/")
        await page.get_by_role("textbox", name="Message").wait_for()
        await session.send("Emulation.setCPUThrottlingRate", {"rate": slow})
        await page.get_by_role("textbox", name="Message").fill(QUESTION)
        await page.keyboard.press("Enter")
        await page.get_by_role("heading", name="Part 1 of").wait_for()
        started = time.perf_counter()
        # Asked seldom and plainly: what looks for roles walks through the whole page.
        done = "() => document.querySelector('[aria-label=\"Copy answer\"]')"
        found = await watched(page, session, lambda: page.wait_for_function(done, polling=250, timeout=120_000))
        return found | {"pieces_per_s": round(pieces / (time.perf_counter() - started))}


async def idle(browser: Browser, site: Site) -> Result:
    """A page with nothing to do: what this machine and browser give at best."""
    async with page_of(browser, site) as (page, session):
        await page.goto("/settings")
        await page.wait_for_timeout(1500)
        return await watched(page, session, lambda: page.wait_for_timeout(3000))


LISTS = {
    "conversations": ("/", "nav ul:has(a[href^='/chat/'])"),
    "documents": ("/knowledge/{base}", "[role=group]:has(a[href^='/documents/'])"),
    "runs": ("/runs", "[role=group]:has(a[href^='/runs/'])"),
}


async def listed(browser: Browser, site: Site, kind: str, base: str, count: int, seconds: float) -> Result:
    """Opening a list, walking to its end, and scrolling in it when all of it is there."""
    path, rows = LISTS[kind]
    async with page_of(browser, site) as (page, session):
        await page.goto("/settings")
        await page.wait_for_load_state("networkidle")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        first = page.locator(rows).locator("li").first
        started = time.perf_counter()
        link = path.format(base=base)
        await page.goto(link)
        await first.wait_for()
        opened_ms = (time.perf_counter() - started) * 1000
        box = await page.evaluate(SCROLLER, rows)
        started = time.perf_counter()
        await page.evaluate(TO_END, [count * box["row"]])
        all_s = time.perf_counter() - started
        await page.mouse.move(box["x"], box["y"])
        calls = len(asked)
        place = {"x": box["x"], "y": box["y"], "speed": 3000, "gestureSourceType": "mouse"}

        async def scroll() -> None:
            for distance in (3000, -3000):
                await session.send(
                    "Input.synthesizeScrollGesture",
                    {**place, "yDistance": distance * seconds / 2, "preventFling": True},
                )

        found = await watched(page, session, scroll, "[data-measured]")
        at_rest = await watched(page, session, lambda: page.wait_for_timeout(seconds * 1000), None)
        more = {
            "opened_ms": round(opened_ms),
            "all_s": round(all_s, 1),
            "rest_busy": at_rest["busy"],
            "rest_long_tasks": at_rest["long_tasks"],
        }
        return found | more | {"requests": len(asked) - calls}


async def conversed(browser: Browser, site: Site) -> Result:
    """Opening a long conversation at its end."""
    async with page_of(browser, site) as (page, session):
        await page.goto("/settings")
        await page.wait_for_load_state("networkidle")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        before, started = await busy_s(session), time.perf_counter()
        await page.goto(f"/chat/{LONG}")
        await page.get_by_role("article").last.get_by_role("button", name="Copy answer").wait_for()
        opened_ms = (time.perf_counter() - started) * 1000
        await page.wait_for_load_state("networkidle")
        nodes = await page.evaluate("document.querySelectorAll('*').length")
        cpu_ms = (await busy_s(session) - before) * 1000
        runs = sum("/events" in url for url in asked)
        return {
            "turns": TURNS,
            "opened_ms": round(opened_ms),
            "cpu_ms": round(cpu_ms),
            "runs_read": runs,
            "nodes": nodes,
        }


SCROLLER = """(rows) => {
  let element = document.querySelector(rows);
  while (element && !/auto|scroll/.test(getComputedStyle(element).overflowY)) element = element.parentElement;
  element.dataset.measured = "";
  element.scrollIntoView({ block: "center" });
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2, row: element.querySelector("li").getBoundingClientRect().height };
}"""
TO_END = """async ([height]) => {
  const element = document.querySelector("[data-measured]");
  const until = performance.now() + 120000;
  while (element.scrollHeight < height * 0.98 && performance.now() < until) {
    element.scrollTop = element.scrollHeight;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  if (element.scrollHeight < height * 0.98) throw new Error(`the list ends at ${element.scrollHeight} of ${height} pixels`);
}"""


async def prepared(site: Site) -> str:
    """The sample base with one conversation and one run of the scripted model; their rows are copied later."""
    base = await site.post("/knowledge-bases/sample", None)
    await site.settled(base["id"])
    conversation = await site.post("/conversations", {})
    run = await site.post(f"/conversations/{conversation['id']}/runs", {"message": "Anybody there?", "model": MODEL})
    for _ in range(600):
        if (await site.get(f"/runs/{run['run_id']}"))["finished_at"]:
            break
        await asyncio.sleep(0.05)
    return str(base["id"])


async def measured(browser: Browser, site: Site, data: Path, *, quick: bool) -> Result:
    site.script.rounds = scripted("")
    base = await prepared(site)
    pieces, times = (400, 1) if quick else (1000, 5)
    count, seconds = (2000, 4) if quick else (10_000, 6)
    found: Result = {
        "load": await loading(browser, site, times),
        "load_again": await loading(browser, site, times, again=True),
        "load_phone": await loading(browser, site, times, phone=True),
        "idle": await idle(browser, site),
        "stream": await streaming(browser, site, pieces),
        "stream_slow": await streaming(browser, site, pieces, slow=4),
        "count": count,
    }
    fill(data, base, count)
    found["conversation"] = await conversed(browser, site)
    found["lists"] = {kind: await listed(browser, site, kind, base, count, seconds) for kind in LISTS}
    return found


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        async with running_site(data) as site, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            print(json.dumps(await measured(browser, site, data, quick="--quick" in sys.argv)), flush=True)
            await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
