"""The table of promises names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_promise_has_tests_that_exist() -> None:
    lines = (ROOT / "docs" / "cases.md").read_text().splitlines()
    cases = [line for line in lines if re.match(r"\| [A-Z\d]\d", line)]
    assert len(cases) > 40
    for case in cases:
        named = re.findall(r"`([\w/]+\.py)::(test_\w+)`", case)
        assert named, case
        for file, test in named:
            assert re.search(rf"^(async )?def {test}\(", (ROOT / "tests" / file).read_text(), re.MULTILINE), test
