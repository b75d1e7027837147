"""What the two search programs print, as tables beside each other, and what each of the other engines leaves out. Pure."""

from __future__ import annotations

import re

LINE = re.compile(
    r"^\s+(?P<name>.+?)\s+p50\s+(?P<p50>[\d.]+) ms\s+p99\s+(?P<p99>[\d.]+) ms\s+CPU\s+(?P<cpu>[\d.]+) ms"
    r"(?:\s+agreement (?P<right>[\d.]+))?$"
)
OURS = "Famulus, "
HEAD = """14,000 chunks of 200 words in 1,000 knowledge bases, ten hits. `CPU` is of the asking process, and what a busy machine changes least.
Each line of Famulus is a whole search as the product does it, from one database file: the caller's bases hold inside the query, statistics
of words come from these bases alone, scores are absolute, the ten passages are read. Its lines leave out the question's embedding, but for the one that says so.
"""
LEFT_OUT = """`right of ten` is the share of the exact ten nearest for vectors, and what bm25s finds too for words. What the others do not do here:

- **bm25s**: words only, all in memory, built anew for every change; no scope, no word forms.
- **tantivy**: words only; no scope in this measurement, no word forms, nothing of compounds.
- **faiss** (HNSW): vectors only, in memory, no rows that go or come in a transaction; see its share under a narrow scope.
- **sqlite_vec**: vectors only, every row compared with each question.
- **chromadb**: vectors with a filter; words only as parts of the text that must be there, unranked.
- **lancedb**: both, in files of its own; its order of both legs together goes by ranks, without an absolute score.

Their lines read no passages and check no callers.
"""


def search(figures: dict[str, str]) -> str:
    """The section's text; a program that failed shows what it said."""
    rows: list[list[str]] = []
    others: list[str] = []
    for program, text in figures.items():
        for line in text.splitlines():
            found = LINE.match(line)
            if found is None:
                others += [line.strip()] if line.strip() not in others else []
                continue
            name = found["name"].strip()
            name = f"**{OURS}{name}**" if program == "famulus" else name
            rows.append([name, found["p50"], found["p99"], found["cpu"], found["right"] or ""])
    head = ["", "p50 ms", "p99 ms", "CPU ms", "right of ten"]
    table = "".join(f"| {' | '.join(line)} |\n" for line in [head, ["---"] * len(head), *rows])
    told = LEFT_OUT if "peers" in figures else ""
    return f"{HEAD}\n{table}\n{told}\n```text\n" + "\n".join(others) + "\n```\n"
