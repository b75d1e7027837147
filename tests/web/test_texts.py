"""Texts of the server that the page says in the reader's language stand in its catalogue word for word."""

from __future__ import annotations

import inspect
import re

from tests.web.site import WEB_DIST

from famulus.app import sample


def test_the_page_knows_what_the_server_calls_the_sample_base() -> None:
    catalogue = (WEB_DIST.parents[2] / "web" / "src" / "i18n" / "en.ts").read_text(encoding="utf-8")
    texts = re.findall(r'"kb\.sample(?:Name|Text)": "(.+)"', catalogue)
    assert texts[0] == sample.NAME
    assert texts[1] in inspect.getsource(sample.add_sample)
