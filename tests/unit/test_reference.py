"""The reference is what the code says: complete and current."""

import importlib.util
from pathlib import Path
from types import ModuleType

from famulus.api.event_reference import EVENTS
from famulus.events import types

ROOT = Path(__file__).resolve().parents[2]


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference", ROOT / "scripts" / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_reference_is_current() -> None:
    module = script()
    assert list(module.differing(module.pages())) == [], "run `python scripts/reference.py`"


def test_every_event_is_described() -> None:
    assert set(EVENTS) == types.DURABLE | {types.TEXT_DELTA, types.REASONING_DELTA}


def test_every_link_between_pages_leads_somewhere() -> None:
    import re

    broken: list[str] = []
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", page.read_text(encoding="utf-8")):
            if not (page.parent / target).exists():
                broken.append(f"{page.relative_to(ROOT)}: {target}")
    assert broken == []
