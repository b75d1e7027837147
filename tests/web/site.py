"""A real server with a scripted model, and a real Chromium in front of it. Skipped where no browser is installed."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
from playwright.async_api import Browser, BrowserContext, Page, Request, expect

from famulus.testing.model_servers import Round, Say, ScriptedModel, Served

TOKEN = "token-of-the-page-tests-0123456789abcdef"
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WEB_DIST = Path(__file__).resolve().parents[2] / "src" / "famulus" / "web_dist"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
MODEL = "scripted/test-model"
# What the page must never do: counted in the page itself, because a blocked request is not seen from outside.
# Checks wait so long on a machine that is busy with other work; on a quiet one they take a fraction of a second.
expect.set_options(timeout=20_000)
WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`));
"""
# Drops a text file on the element of a selector: `[selector, name, text]`.
DROP = """([selector, name, text]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], name, { type: "text/plain" }));
    const target = document.querySelector(selector);
    for (const type of ["dragenter", "dragover", "drop"]) target.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }));
}"""


@dataclass(slots=True)
class Script:
    """What the scripted model says: `rounds` is asked with the number of answers it gave to the current question.

    `answer`, when set, is asked with the whole request instead.
    """

    answer: Callable[[dict[str, Any], int], Round] | None = None
    rounds: Callable[[str, int], Round] = lambda question, number: Say("Nothing was scripted.")

    def __call__(self, body: dict[str, Any], number: int) -> Round:
        if self.answer is not None:
            return self.answer(body, number)
        messages = body["messages"]
        last = max(index for index, message in enumerate(messages) if message["role"] == "user")
        given = sum(1 for message in messages[last:] if message["role"] == "assistant")
        content = messages[last]["content"]
        question = content if isinstance(content, str) else " ".join(str(part.get("text", "")) for part in content)
        return self.rounds(question, given)


@dataclass(slots=True)
class Site:
    """A running server: its address, a client that is signed in, and the script of its model."""

    url: str
    client: aiohttp.ClientSession
    script: Script

    async def post(self, path: str, body: object) -> Any:
        async with self.client.post(f"{self.url}/api/v1{path}", json=body) as response:
            response.raise_for_status()
            return await response.json()

    async def get(self, path: str) -> Any:
        async with self.client.get(f"{self.url}/api/v1{path}") as response:
            response.raise_for_status()
            return await response.json()

    async def add(self, kb: str, **files: bytes | tuple[str, bytes]) -> None:
        """Puts files into a base and waits until all are ready or have failed."""
        form = aiohttp.FormData()
        for name, content in files.items():
            shown, data = content if isinstance(content, tuple) else (name, content)
            form.add_field("file", data, filename=shown)
        async with self.client.post(f"{self.url}/api/v1/knowledge-bases/{kb}/documents", data=form) as response:
            response.raise_for_status()
        await self.settled(kb)

    async def settled(self, kb: str) -> list[dict[str, Any]]:
        for _ in range(600):
            items = (await self.get(f"/knowledge-bases/{kb}/documents?limit=200"))["items"]
            if items and all(item["status"] in ("ready", "failed") for item in items):
                return items
            await asyncio.sleep(0.05)
        raise TimeoutError("the documents are not ready after 30 seconds")

    async def embedded(self, kb: str) -> None:
        """Waits until the documents of a base are found by meaning too, for five minutes at most."""
        for _ in range(600):
            items = (await self.get(f"/knowledge-bases/{kb}/documents?limit=200"))["items"]
            if all(item["vectors"] != "pending" for item in items):
                return
            await asyncio.sleep(0.5)
        raise TimeoutError("the documents are not found by meaning after five minutes")


@dataclass(slots=True)
class Visit:
    """A signed-in page that has been watched since it was opened."""

    page: Page
    context: BrowserContext
    foreign: list[str] = field(default_factory=list[str])
    errors: list[str] = field(default_factory=list[str])

    async def violations(self) -> list[str]:
        return await self.page.evaluate("window.violations")

    async def ask(self, question: str) -> None:
        await self.page.get_by_role("textbox", name="Message").fill(question)
        await self.page.keyboard.press("Enter")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def write_settings(folder: Path, base_url: str, *, meaning: bool = False) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    embedder = "builtin/multilingual-e5-small" if meaning else "off"
    (folder / "famulus.toml").write_text(
        f'[[providers]]\nname = "scripted"\nkind = "openai"\nbase_url = "{base_url}"\nlocal = true\n\n'
        f'[[providers.models]]\nname = "test-model"\ncontext_window = 32768\ntools = true\n\n'
        f'[agent]\nmodel = "builtin/extractive"\n\n[embedding]\nmodel = "{embedder}"\n',
        encoding="utf-8",
    )


@asynccontextmanager
async def running_site(folder: Path, *, meaning: bool = False) -> AsyncIterator[Site]:
    """A server over a new data folder, with the scripted model beside the built-in one. `meaning`: it searches by meaning too."""
    script = Script()
    async with ScriptedModel("openai", script, served=Served(models=("test-model",))) as model:
        write_settings(folder, model.base_url, meaning=meaning)
        port = free_port()
        environment = {**os.environ, "FAMULUS_ADMIN_TOKEN": TOKEN, "FAMULUS_DATA": str(folder)}
        with (folder.parent / f"{folder.name}.log").open("wb") as log:
            process = await asyncio.create_subprocess_exec(
                str(Path(sys.executable).parent / "famulus"),
                *("serve", "--port", str(port), "--data", str(folder)),
                env=environment,
                stdout=log,
                stderr=log,
            )
            headers = {"Authorization": f"Bearer {TOKEN}"}
            try:
                async with aiohttp.ClientSession(headers=headers) as client:
                    url = f"http://127.0.0.1:{port}"
                    await _healthy(client, url, process, folder)
                    yield Site(url, client, script)
            finally:
                if process.returncode is None:
                    process.terminate()
                await process.wait()


async def _healthy(client: aiohttp.ClientSession, url: str, process: asyncio.subprocess.Process, folder: Path) -> None:
    for _ in range(1200):
        if process.returncode is not None:
            break
        try:
            async with client.get(f"{url}/api/v1/health") as response:
                if response.status == 200:
                    return
        except aiohttp.ClientError:
            pass
        await asyncio.sleep(0.05)
    raise RuntimeError((folder.parent / f"{folder.name}.log").read_text(errors="replace")[-3000:])


@asynccontextmanager
async def visiting(
    browser: Browser,
    site: Site,
    *,
    model: str | None = None,
    language: str = "en",
    signed_in: bool = True,
    **options: Any,
) -> AsyncIterator[Visit]:
    """A fresh browser profile on the site. Whatever it asks of another host is refused and remembered."""
    context = await browser.new_context(
        base_url=site.url, viewport=options.pop("viewport", {"width": 1280, "height": 820}), locale="en", **options
    )
    await context.add_init_script(WATCH)
    if model is not None or language != "en":
        chosen = json.dumps({"language": language} | ({"model": model} if model else {}))
        await context.add_init_script(
            f"localStorage.getItem('famulus.preferences') ?? localStorage.setItem('famulus.preferences', JSON.stringify({chosen}))"
        )
    if signed_in:
        answer = await context.request.post("/api/v1/session", data={"token": TOKEN})
        assert answer.status == 204, await answer.text()
    context.set_default_timeout(60_000)
    page = await context.new_page()
    visit = Visit(page, context)

    async def only_here(route: Any, request: Request) -> None:
        visit.foreign.append(request.url)
        await route.abort()

    await context.route(lambda url: not url.startswith((site.url, "blob:", "data:")), only_here)
    page.on("pageerror", lambda error: visit.errors.append(str(error)))
    try:
        yield visit
    finally:
        await context.close()
