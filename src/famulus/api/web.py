"""The web page: its built files, `index.html` for every page address, or a text that tells how to go on without it."""

from __future__ import annotations

import gzip
import html
import mimetypes
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import FileResponse, HTMLResponse
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from famulus.api.problems import problem
from famulus.api.shapes import Caller

router = APIRouter(include_in_schema=False)
_API: Final = ("api/", "agent/", "v1/", "mcp", "metrics", "openapi.json", "docs", "signin")
# Packed once, when first asked for; the files are few and of this installation.
_PACKED: Final = frozenset(
    {"text/javascript", "application/javascript", "text/css", "image/svg+xml", "application/json"}
)
_NO_PAGE: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Famulus</title>
<h1>Famulus is running</h1>
<p>The web page is not built in this installation (<code>python3 scripts/setup.py</code> builds it). Everything works without it:</p>
<ul>
<li>Command line: <code>famulus ask "QUESTION" --docs FOLDER</code>, see <code>famulus --help</code>.</li>
<li>HTTP API under <code>/api/v1</code>, with <code>Authorization: Bearer TOKEN</code>;
 <code>famulus token create NAME</code> makes a token. Reference: <a href="/docs">/docs</a>, <a href="/openapi.json">/openapi.json</a>.</li>
</ul>
"""


class Page:
    """The built files, looked up in one list made at the start: no address ever becomes a path.

    What belongs to one build is read at the start too: pages that are open keep their parts when the build is replaced on disk.
    Only the viewer's tables and fonts, whose names no build changes, are read when asked for.
    """

    def __init__(self, folder: Path | None = None) -> None:
        folder = folder or Path(str(files("famulus"))) / "web_dist"
        found = (path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else ()
        self._gzipped: dict[str, bytes] = {}
        self._files = {path.relative_to(folder).as_posix(): path for path in found}
        self._held = {name: path.read_bytes() for name, path in self._files.items() if not name.startswith("pdf/")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers what no route of the API has matched."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4404, "reason": ""})
            return
        packed = "gzip" in Headers(scope=scope).get("accept-encoding", "")
        found = self.respond(scope["path"].lstrip("/"), packed=packed) if scope["method"] in ("GET", "HEAD") else None
        response = found or problem(404, "There is nothing at this address.", code="not_found")
        await response(scope, receive, send)

    def respond(self, address: str, *, packed: bool = False) -> Response | None:
        """The file at this address, or the page; None on an address of the API. `packed`: the browser reads gzip."""
        if address in self._files and address != "index.html":
            return self._file(address, packed=packed)
        if address.startswith((*_API, "assets/")):
            return None
        if "index.html" not in self._files:
            return HTMLResponse(_NO_PAGE, headers={"Cache-Control": "no-cache"})
        return self._file("index.html")

    def _file(self, address: str, *, packed: bool = False) -> Response | None:
        # The names under assets/ hold the hash of the content.
        cache = "public, max-age=31536000, immutable" if address.startswith("assets/") else "no-cache"
        kind = {".mjs": "text/javascript", ".wasm": "application/wasm"}.get(Path(address).suffix)
        media_type = kind or mimetypes.guess_type(address)[0] or "application/octet-stream"
        headers = {"Cache-Control": cache, "Vary": "Accept-Encoding"}
        if address not in self._held:
            path = self._files[address]
            return FileResponse(path, media_type=media_type, headers=headers) if path.is_file() else None
        content = self._held[address]
        if packed and media_type in _PACKED:
            if address not in self._gzipped:
                self._gzipped[address] = gzip.compress(content, mtime=0)
            content, headers = self._gzipped[address], headers | {"Content-Encoding": "gzip"}
        return Response(content, media_type=media_type, headers=headers)


@router.get("/openapi.json")
async def openapi(request: Request, _: Caller) -> dict[str, Any]:
    app: FastAPI = request.app
    return app.openapi()


@router.get("/docs")
async def docs(request: Request, _: Caller) -> Response:
    """The reference as one plain page: nothing is loaded from elsewhere."""
    app: FastAPI = request.app
    rows = "".join(
        f"<dt><code>{method.upper()} {html.escape(path)}</code></dt><dd>{html.escape(str(operation.get('description', '')))}</dd>"
        for path, operations in app.openapi()["paths"].items()
        for method, operation in operations.items()
    )
    return HTMLResponse(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Famulus API</title><h1>HTTP API</h1>'
        f'<p>Shapes and errors: <a href="/openapi.json">/openapi.json</a>.</p><dl>{rows}</dl>'
    )
