"""Takes the pictures of the web page for README and docs: `.venv/bin/python scripts/screenshots.py` writes docs/images/*.png.

Starts a server over a temporary folder with the sample files and a scripted model, waits until all is found by meaning where the
embedder is installed, and looks at it with the installed Chromium.
`--all` takes every screen in light and dark, wide and phone, into build/screenshots instead, to be looked at.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from importlib import util
from itertools import product
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, async_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.screenshots_model import HOTEL, say  # noqa: E402
from scripts.screenshots_screens import Way, Words, screens, uploading, working  # noqa: E402
from tests.web.site import CHROMIUM, FLAGS, MODEL, Site, running_site, visiting  # noqa: E402

from famulus.knowledge.embed.weights import PACKAGE  # noqa: E402

SIZES = {"wide": (1280, 820), "phone": (360, 780)}
# The pictures that stand in README and docs.
BEST = {
    ("light", "wide"): ("chat", "pdf", "base", "run", "streaming"),
    ("dark", "wide"): ("source",),
    ("light", "phone"): ("chat",),
}


def main() -> None:
    options = arguments()
    folder: Path = options.to or (ROOT / "build" / "screenshots" if options.all else ROOT / "docs" / "images")
    folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(pictures(folder, options))
    print(f"pictures in {folder}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Takes the pictures of the web page.")
    parser.add_argument("--all", action="store_true", help="every screen, to be looked at")
    parser.add_argument("--to", type=Path, help="the folder to write to")
    parser.add_argument("--themes", type=listed, default=["light", "dark"], help="with --all: light,dark")
    parser.add_argument("--sizes", type=listed, default=list(SIZES), help="with --all: wide,phone")
    parser.add_argument("--languages", type=listed, default=["en"], help="with --all: en,de,nl,fr")
    return parser.parse_args()


def listed(text: str) -> list[str]:
    return text.split(",")


async def pictures(folder: Path, options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as data:
        # As a reader has it: where the embedder's weights are installed, everything is searched by meaning too.
        meaning = util.find_spec(PACKAGE) is not None
        async with running_site(Path(data) / "data", meaning=meaning) as site, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            kinds = list(product(options.languages, options.themes, options.sizes)) if options.all else []
            for language, theme, size in kinds:
                await first_start(browser, site, folder, language, theme, size)
            base = await site.post("/knowledge-bases/sample", None)
            await site.settled(base["id"])
            if meaning:
                await site.embedded(base["id"])
                await site.post("/search", {"query": HOTEL})
            site.script.answer = say
            for language, theme, size in kinds or [("en", *kind) for kind in BEST]:
                await look(browser, site, folder, language, theme, size, every=options.all)
            await browser.close()


def ending(language: str, theme: str, size: str) -> str:
    return f"{theme}-{size}.png" if language == "en" else f"{language}-{theme}-{size}.png"


def seen(theme: str, size: str) -> dict[str, Any]:
    width, height = SIZES[size]
    return {"viewport": {"width": width, "height": height}, "color_scheme": theme, "reduced_motion": "reduce"}


async def first_start(browser: Browser, site: Site, folder: Path, language: str, theme: str, size: str) -> None:
    for name, signed_in in {"signin": False, "first": True}.items():
        async with visiting(browser, site, signed_in=signed_in, language=language, **seen(theme, size)) as visit:
            await visit.page.goto("/")
            title = Words(language)("first.title" if signed_in else "signin.title")
            await visit.page.get_by_role("heading", name=title, exact=True).wait_for()
            await visit.page.wait_for_timeout(600)
            await visit.page.screenshot(path=folder / f"{name}-{ending(language, theme, size)}")


async def look(
    browser: Browser, site: Site, folder: Path, language: str, theme: str, size: str, *, every: bool
) -> None:
    best = BEST.get((theme, size), ())
    async with visiting(browser, site, model=MODEL, language=language, **seen(theme, size)) as visit:

        async def take(name: str) -> None:
            if every or name in best:
                await visit.page.wait_for_timeout(300)
                await visit.page.screenshot(path=folder / f"{name}-{ending(language, theme, size)}")

        way = Way(visit.page, site, Words(language), take, every)
        await screens(way)
        if every or "streaming" in best:
            await working(way)
        if every:
            await uploading(way, f"Contracts, {language}, {theme} and {size}")


if __name__ == "__main__":
    main()
