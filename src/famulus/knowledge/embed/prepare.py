"""Turns the packaged weights once into the files that the embedder runs from, in the data folder."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import numpy as np

from famulus.knowledge.embed.graph import encoder
from famulus.knowledge.embed.tokens import write_tokens
from famulus.knowledge.embed.weights import SHA256, packaged_file, read_weights

# Part of the folder's name: a change of the file format makes a new folder beside the old one.
FORMAT = 1
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


def _write(folder: Path) -> None:
    weights = read_weights(packaged_file())
    (folder / "model.onnx").write_bytes(encoder(weights))
    weights.matrices["emb.word"].tofile(folder / "words.q4")
    positions = weights.vectors["emb.pos"].reshape(-1, weights.hidden) + weights.vectors["emb.type"][: weights.hidden]
    np.save(folder / "positions.npy", positions)
    write_tokens(weights, folder)
