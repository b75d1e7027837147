"""The page's generated types say what the server's OpenAPI document says."""

from __future__ import annotations

import re
from pathlib import Path

from famulus.api.app import create_routes

SCHEMA = Path(__file__).resolve().parents[2] / "web" / "src" / "api" / "schema.d.ts"
USED = re.compile(r'Schemas\["(\w+)"\]')


def test_every_shape_that_the_page_uses_is_as_the_server_describes_it() -> None:
    text = SCHEMA.read_text(encoding="utf-8")
    used = set(USED.findall((SCHEMA.parent / "types.ts").read_text(encoding="utf-8")))
    schemas = create_routes().openapi()["components"]["schemas"]
    missing = used - schemas.keys()
    differing = [
        name for name in sorted(used & schemas.keys()) if fields(text, name) != set(schemas[name].get("properties", {}))
    ]
    assert (missing, differing) == (set(), []), "run `npm run types` in web/ with a server on port 8710"


def fields(text: str, name: str) -> set[str]:
    """The property names of a schema in the generated file."""
    start = text.index(f"\n        {name}: {{\n")
    body = text[start : text.index("\n        };\n", start)]
    return set(re.findall(r"^            (\w+)\??:", body, re.MULTILINE))
