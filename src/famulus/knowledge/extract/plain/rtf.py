"""Rich text: paragraphs, tables' cells and escapes. A best effort: styles are not read, so there are no headings."""

from __future__ import annotations

import re

from famulus.knowledge.extract.builder import TextBuilder
from famulus.knowledge.extract.clean import clean
from famulus.knowledge.extract.tables import add_markdown

_TOKEN = re.compile(
    r"\\u(-?\d{1,6}) ?|\\'([0-9a-fA-F]{2})|\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\([^a-zA-Z])|([{}])|([\r\n]+)|([^\\{}\r\n]+)"
)
# Groups that hold no text of the document.
_IGNORED = frozenset(
    [
        "fonttbl",
        "colortbl",
        "stylesheet",
        "info",
        "pict",
        "object",
        "themedata",
        "colorschememapping",
        "latentstyles",
        "datastore",
        "listtable",
        "listoverridetable",
        "rsidtbl",
        "generator",
        "xmlnstbl",
        "header",
        "footer",
        "headerl",
        "headerr",
        "footerl",
        "footerr",
        "fldinst",
        "bkmkstart",
        "bkmkend",
        "filetbl",
        "revtbl",
        "pgptbl",
        "nonshppict",
    ]
)
_BREAKS = {"par": "\n\n", "sect": "\n\n", "page": "\n\n", "line": "\n", "tab": "\t", "row": "\x1e", "cell": "\x1f"}
_SIGNS = {
    "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•",
}  # fmt: skip


def add_rtf(builder: TextBuilder, data: bytes) -> None:
    text = clean_rtf(data.decode("latin-1"))
    for part in re.split(r"((?:[^\x1e\n]*\x1f[^\x1e]*\x1e\s*)+)", text):
        if "\x1e" in part:
            rows = [row.split("\x1f") for row in part.split("\x1e") if row.strip()]
            add_markdown(builder, [[cell.strip() for cell in row[:-1]] for row in rows])
            continue
        for paragraph in part.split("\n\n"):
            builder.add("text", clean(paragraph.replace("\x1f", " ")))


def clean_rtf(source: str) -> str:
    """The text; `\\x1f` ends a table cell and `\\x1e` a row."""
    out: list[str] = []
    stack: list[tuple[bool, int]] = []
    hidden, skip_count, to_skip = False, 1, 0
    encoding = "cp1252"
    fresh = False
    for match in _TOKEN.finditer(source):
        code, hexed, word, number, symbol, brace, newline, plain = match.groups()
        if newline:
            continue
        if brace == "{":
            stack.append((hidden, skip_count))
            fresh = True
            continue
        if brace == "}":
            hidden, skip_count = stack.pop() if stack else (False, 1)
        elif (symbol == "*" and fresh) or (word in _IGNORED and fresh):
            hidden = True
        elif word == "ansicpg" and number:
            encoding = f"cp{number}"
        elif word == "uc" and number:
            skip_count = max(0, min(int(number), 8))
        elif hidden:
            pass
        elif code is not None:
            out.append(chr(int(code) % 65536))
            to_skip = skip_count
            fresh = False
            continue
        elif to_skip and (hexed or plain):
            plain, to_skip = (plain[to_skip:], 0) if plain else (None, to_skip - 1)
            out.append(plain or "")
            fresh = False
            continue
        else:
            out.append(_visible(hexed, word, symbol, plain, encoding))
        fresh = symbol == "*" and fresh
    return _joined_surrogates("".join(out))


def _visible(hexed: str | None, word: str | None, symbol: str | None, plain: str | None, encoding: str) -> str:
    if plain:
        return plain
    if hexed:
        return _character(bytes.fromhex(hexed), encoding)
    if word:
        return _BREAKS.get(word) or _SIGNS.get(word, "")
    return {"~": " ", "_": "-", "\\": "\\", "{": "{", "}": "}", "\n": "\n\n", "\r": "\n\n"}.get(symbol or "", "")


def _character(raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding, "replace")
    except LookupError:
        return raw.decode("cp1252", "replace")


def _joined_surrogates(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
