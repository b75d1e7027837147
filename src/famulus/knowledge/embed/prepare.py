"""Turns the packaged weights once into the files that the embedder runs from, in the data folder."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from famulus.knowledge.embed.graph import encoder
from famulus.knowledge.embed.question_graph import question_encoder
from famulus.knowledge.embed.ranges import reached
from famulus.knowledge.embed.table import Table, write_table
from famulus.knowledge.embed.texts import QUERY_PREFIX
from famulus.knowledge.embed.tokens import Tokens, write_tokens
from famulus.knowledge.embed.weights import SHA256, packaged_file, read_weights

# Part of the folder's name: a change of the file format makes a new folder beside the old one.
FORMAT = 1
# The same for the graph of questions, which is made from the other files.
QUESTIONS = "questions-2.onnx"
_DRAFT = ".preparing-"


def prepared_folder(cache: Path) -> Path:
    """The folder with `model.onnx`, `words.q4`, `positions.npy` and the tokenizer; made on the first call (about 2 s).

    Complete or absent: the files are written beside it and renamed into place, so a crash or a second process does no harm.
    What processes that were ended in the middle have left is taken away with the first success.
    """
    folder = cache / f"multilingual-e5-small-{SHA256[:12]}-{FORMAT}"
    if folder.is_dir():
        return folder
    cache.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=cache))
    try:
        _write(draft)
        os.rename(draft, folder)
    except OSError:
        # Another process was first: its folder is the same, and it may have taken this draft away.
        if not folder.is_dir():
            shutil.rmtree(draft, ignore_errors=True)
            raise
    for left in cache.glob(f"{_DRAFT}*"):
        shutil.rmtree(left, ignore_errors=True)
    return folder


def question_graph(folder: Path, tokens: Tokens, table: Table) -> Path:
    """The graph of questions in a prepared folder; made on the first call (about 2 s). Complete or absent as well."""
    path = folder / QUESTIONS
    if not path.exists():
        weights = read_weights(packaged_file())
        model = question_encoder(weights, reached(weights, tokens, table, QUERY_PREFIX))
        with tempfile.NamedTemporaryFile(prefix=_DRAFT, dir=folder, delete=False) as draft:
            draft.write(model)
        try:
            os.replace(draft.name, path)
        except FileNotFoundError:
            # Another process was first, and has taken this draft away.
            if not path.exists():
                raise
        # Drafts of killed processes, and the graph of an earlier version.
        for left in [*folder.glob(f"{_DRAFT}*"), *folder.glob("questions-*.onnx")]:
            if left != path:
                left.unlink(missing_ok=True)
    return path


def _write(folder: Path) -> None:
    weights = read_weights(packaged_file())
    (folder / "model.onnx").write_bytes(encoder(weights))
    write_table(weights, folder)
    write_tokens(weights, folder)
