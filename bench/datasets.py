"""The public test sets that retrieval is measured on, read from a folder that the caller names; nothing is downloaded.

`scifact/`: BEIR SciFact (corpus.jsonl, queries.jsonl, queries-train.jsonl, qrels/{test,train}.tsv).
`xquad/`: xquad.{de,en}.json of google-deepmind/xquad.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Collection:
    """Passages as (title, text); questions; for each question the relevant passages with their grade."""

    name: str
    passages: list[tuple[str, str]]
    questions: list[str]
    relevant: list[dict[int, int]]


def data_folder(argument: str | None) -> Path:
    """The folder named on the command line or by FAMULUS_BENCH_DATA."""
    folder = Path(argument or os.environ.get("FAMULUS_BENCH_DATA", ""))
    if not (folder / "scifact").is_dir():
        raise SystemExit("name the folder that holds scifact/ and xquad/: --data FOLDER or FAMULUS_BENCH_DATA=FOLDER")
    return folder


def scifact(folder: Path, split: str) -> Collection:
    lines = [json.loads(line) for line in (folder / "scifact/corpus.jsonl").open()]
    place = {line["_id"]: index for index, line in enumerate(lines)}
    relevant: dict[str, dict[int, int]] = {}
    for line in (folder / f"scifact/qrels/{split}.tsv").read_text().splitlines()[1:]:
        query, document, grade = line.split("\t")
        if int(grade) > 0:
            relevant.setdefault(query, {})[place[document]] = int(grade)
    file = folder / ("scifact/queries.jsonl" if split == "test" else "scifact/queries-train.jsonl")
    queries = [query for query in map(json.loads, file.open()) if query["_id"] in relevant]
    return Collection(
        f"scifact-{split}",
        [(line["title"], line["text"]) for line in lines],
        [query["text"] for query in queries],
        [relevant[query["_id"]] for query in queries],
    )


def xquad(folder: Path, language: str) -> Collection:
    passages: list[tuple[str, str]] = []
    questions: list[str] = []
    relevant: list[dict[int, int]] = []
    for article in json.loads((folder / f"xquad/xquad.{language}.json").read_text())["data"]:
        for paragraph in article["paragraphs"]:
            for question in paragraph["qas"]:
                questions.append(question["question"])
                relevant.append({len(passages): 1})
            passages.append(("", paragraph["context"]))
    return Collection(f"xquad-{language}", passages, questions, relevant)
