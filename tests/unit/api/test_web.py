"""The files of the page: packed for browsers that read gzip, whole for the others, and never a path from outside."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from starlette.responses import Response

from famulus.api.web import Page


@pytest.fixture
def page(tmp_path: Path) -> Page:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "main.js").write_text("export const answer = 42;\n" * 100)
    (tmp_path / "index.html").write_text("<!doctype html>")
    return Page(tmp_path)


def test_a_script_is_packed_for_a_browser_that_reads_gzip(page: Page) -> None:
    packed = page.respond("assets/main.js", packed=True)
    assert isinstance(packed, Response)
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(bytes(packed.body)) == b"export const answer = 42;\n" * 100
    whole = page.respond("assets/main.js")
    assert whole is not None
    assert "content-encoding" not in whole.headers


@pytest.mark.parametrize("address", ["assets/../index.html", "assets/absent.js", "api/v1/x"])
def test_an_address_never_becomes_a_path(page: Page, address: str) -> None:
    assert page.respond(address) is None


def test_an_open_page_keeps_its_parts_when_the_build_is_replaced(page: Page, tmp_path: Path) -> None:
    (tmp_path / "assets" / "main.js").unlink()
    (tmp_path / "index.html").write_text("<!doctype html><p>new</p>")
    script, index = page.respond("assets/main.js"), page.respond("chat/1")
    assert script is not None
    assert bytes(script.body) == b"export const answer = 42;\n" * 100
    assert index is not None
    assert bytes(index.body) == b"<!doctype html>"
