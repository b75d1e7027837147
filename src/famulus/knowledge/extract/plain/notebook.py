"""Jupyter notebooks: text cells as Markdown, code cells as code; outputs are left out, except plain text."""

from __future__ import annotations

import json
from typing import Any, cast

from famulus.knowledge.extract.builder import TextBuilder
from famulus.knowledge.extract.encoding import decode
from famulus.knowledge.extract.markdown import add_markdown_text
from famulus.knowledge.extract.plain.text import add_plain

_OUTPUT_CHARS = 2_000


def add_notebook(builder: TextBuilder, data: bytes) -> None:
    """A file that is not a notebook inside is read as the text that it is."""
    try:
        notebook = json.loads(decode(data).text)
        cells = cast("list[dict[str, Any]]", notebook["cells"])
    except (ValueError, KeyError, TypeError, RecursionError):
        add_plain(builder, data)
        return
    for cell in cells:
        source = _joined(cell.get("source"))
        if cell.get("cell_type") == "markdown":
            add_markdown_text(builder, source)
        else:
            builder.add("code", source)
            for output in cell.get("outputs") or ():
                builder.add("code", _joined(output.get("text"))[:_OUTPUT_CHARS])


def _joined(value: Any) -> str:
    if isinstance(value, str):
        return value
    return (
        "".join(part for part in cast("list[Any]", value) if isinstance(part, str)) if isinstance(value, list) else ""
    )
