"""Texts to token ids exactly as multilingual-e5-small was trained: a per-character normal form, then a unigram vocabulary."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Protocol, cast

from famulus.knowledge.embed.weights import Weights

BEGIN, PAD, END = 0, 1, 2
MAX_TOKENS = 512
# A longer text cannot matter: only its first 510 tokens are read. Keeps the cost of one absurd text bounded.
MAX_CHARACTERS = 8192
_SPACES = re.compile(" {2,}")


class _Encoding(Protocol):
    ids: list[int]


class _Tokenizer(Protocol):
    def encode(self, sequence: str, *, add_special_tokens: bool) -> _Encoding: ...


class Tokens:
    """Encodes texts; immutable and usable from any thread."""

    def __init__(self, tokenizer: _Tokenizer, normal_form: dict[int, str]) -> None:
        self._tokenizer = tokenizer
        self._normal_form = normal_form

    def ids(self, text: str) -> list[int]:
        """Token ids of one text with its begin and end marks, at most 512."""
        normal = _SPACES.sub(" ", text[:MAX_CHARACTERS].translate(self._normal_form))
        content = self._tokenizer.encode(normal, add_special_tokens=False).ids
        return [BEGIN, *content[: MAX_TOKENS - 2], END]


def write_tokens(weights: Weights, folder: Path) -> None:
    """Writes what `read_tokens` needs into `folder`."""
    vocabulary = [[piece, score] for piece, score in zip(weights.pieces, weights.scores, strict=True)]
    # The format of the library `tokenizers`, whose constructor takes twice as long as its file.
    tokenizer = {
        "version": "1.0",
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": False},
        "model": {"type": "Unigram", "unk_id": weights.unknown_id, "vocab": vocabulary, "byte_fallback": False},
    }
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False), encoding="utf-8")
    (folder / "normal_form.json").write_text(json.dumps(weights.normal_form), encoding="utf-8")


def read_tokens(folder: Path) -> Tokens:
    import tokenizers

    tokenizer = cast(_Tokenizer, tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json")))
    pairs = cast("dict[str, str]", json.loads((folder / "normal_form.json").read_text(encoding="utf-8")))
    return Tokens(tokenizer, {int(code): text for code, text in pairs.items()})
