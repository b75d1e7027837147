"""Builds the encoder a second time, for questions: one short text at a time, in two thirds of the time of `graph.py`.

Weights have 8 bits with one scale a row, activations 8 bits with one scale a tensor, found anew at each product. A few of this
model's channels are twenty times as large as the others, and one scale for all would round the others away (cosine .986 to the
other graph); so each channel is divided by a factor first, and its weights are multiplied by it (cosine .999).

Products of so few rows are quick, so each further step counts. Normalisation uses an operator that the runtime vectorises; its
own takes five times as long. What normalisation adds to each channel goes into the biases of the products behind it.
Source: G. Xiao et al., "SmoothQuant", 2023; how the exponents below were chosen: docs/decisions/embedder-weights.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from famulus.knowledge.embed.graph import unpack
from famulus.knowledge.embed.onnx_file import CONTRIB, Graph
from famulus.knowledge.embed.weights import Weights

# How much of a channel's size goes over into its weights, for each kind of product.
SHARE = {"qkv": 0.8, "ao": 0.85, "fi": 0.65, "fo": 0.72}
_LEAST = 1e-5
_MOST = 127

Row = NDArray[np.float32]


def question_encoder(weights: Weights, reached: Mapping[str, Row]) -> bytes:
    """The model file. `reached` has the largest absolute value of each channel that goes into a product (`ranges.py`).

    Inputs: `embeddings` float32 (1, tokens, hidden), `ones` and `zeros` float32 (tokens), and `pool` float32 (1, 1, tokens),
    which sums to 1. Output: `pooled` float32 (1, 1, hidden), not normalised.
    """
    return _Encoder(weights, reached).encode()


@dataclass(frozen=True, slots=True)
class _Even:
    """A normalised state as `value * scale + shift`, which is never computed."""

    value: str
    scale: Row
    shift: Row


class _Encoder:
    def __init__(self, weights: Weights, reached: Mapping[str, Row]) -> None:
        self.weights = weights
        self.reached = reached
        self.graph = Graph("multilingual-e5-small for questions")

    def encode(self) -> bytes:
        hidden = self.weights.hidden
        state = self.graph.input("embeddings", "float32", [1, "tokens", hidden])
        for name in ("ones", "zeros"):
            self.graph.input(name, "float32", ["tokens"])
        pool = self.graph.input("pool", "float32", [1, 1, "tokens"])
        even = self._even(state, "emb.ln")
        for layer in range(self.weights.layers):
            even = self._layer(f"l{layer}.", even)
        mean = self.graph.node("MatMul", [pool, even.value], "mean")
        wide = self.graph.node("Mul", [mean, self._row("mean.w", even.scale)], "mean.wide")
        self.graph.node("Add", [wide, self._row("mean.b", even.shift)], "pooled")
        self.graph.output("pooled", "float32", [1, 1, hidden])
        return self.graph.encode()

    def _layer(self, at: str, even: _Even) -> _Even:
        vectors = self.weights.vectors
        mixed = self._attention(at, even)
        own = self._dense(at + "ao")
        after = self._product(at + "ao", mixed, own * self._factor(at + "ao", own), vectors[at + "ao.b"] + even.shift)
        even = self._even(self._added(at + "first", after, even), at + "aln")
        wide = self._product_of(at + "fi", even, self._dense(at + "fi"), vectors[at + "fi.b"])
        # By a tangent, which differs less from the exact function than 8 bits do, in two thirds of its time.
        wide = self.graph.node("FastGelu", [wide], at + "gelu", None, CONTRIB)
        out = self._dense(at + "fo")
        factor = self._factor(at + "fo", out)
        scaled = self.graph.node("Mul", [wide, self._row(at + "fo.f", 1 / factor)], at + "fo.in")
        after = self._product(at + "fo", scaled, out * factor, vectors[at + "fo.b"] + even.shift)
        return self._even(self._added(at + "second", after, even), at + "oln")

    def _attention(self, at: str, even: _Even) -> str:
        """What the heads took together, each channel divided by its factor already: the values' weights hold the division."""
        vectors, factor = self.weights.vectors, self._factor(at + "ao", self._dense(at + "ao"))
        matrix = np.concatenate([self._dense(at + "q"), self._dense(at + "k"), self._dense(at + "v") / factor[:, None]])
        bias = np.concatenate([vectors[at + "q.b"], vectors[at + "k.b"], vectors[at + "v.b"] / factor])
        projected = self._product_of(at + "qkv", even, matrix, bias)
        sizes = self.graph.tensor(at + "sizes", np.full(3, self.weights.hidden, np.int64))
        parts = self.graph.node_of_many("Split", [projected, sizes], [at + name for name in "qkv"], {"axis": -1})
        return self.graph.node("MultiHeadAttention", parts, at + "mixed", {"num_heads": self.weights.heads}, CONTRIB)

    def _even(self, state: str, name: str) -> _Even:
        """Layer normalisation without its last step: that of instances does the same where each token counts as a channel."""
        epsilon = {"epsilon": self.weights.epsilon}
        value = self.graph.node("InstanceNormalization", [state, "ones", "zeros"], name + ".even", epsilon)
        return _Even(value, self.weights.vectors[name + ".w"], self.weights.vectors[name + ".b"])

    def _added(self, name: str, after: str, even: _Even) -> str:
        """The normalised state beside a product whose bias holds the shift already."""
        wide = self.graph.node("Mul", [even.value, self._row(name + ".w", even.scale)], name + ".wide")
        return self.graph.node("Add", [after, wide], name)

    def _product_of(self, name: str, even: _Even, matrix: Row, bias: Row) -> str:
        """`matrix` times each normalised token."""
        factor = self._factor(name, matrix)
        state = self.graph.node("Mul", [even.value, self._row(name + ".f", even.scale / factor)], name + ".in")
        return self._product(name, state, matrix * factor, bias + matrix @ even.shift)

    def _product(self, name: str, state: str, matrix: Row, bias: Row | NDArray[np.float64]) -> str:
        """`matrix`, which holds the factors, times each token, which is divided by them."""
        scale = np.maximum(np.abs(matrix).max(axis=1), _LEAST) / _MOST
        rounded = np.rint(matrix / scale[:, None]).astype(np.int8)
        inputs = [
            state,
            self.graph.tensor(name + ".w", np.ascontiguousarray(rounded.T)),
            self._row(name + ".s", scale),
            self.graph.tensor(name + ".z", np.zeros(len(scale), np.int8)),
            self._row(name + ".b", bias),
        ]
        return self.graph.node("DynamicQuantizeMatMul", inputs, name + ".out", None, CONTRIB)

    def _factor(self, name: str, matrix: Row) -> Row:
        share = SHARE[name.split(".")[1]]
        heaviest = np.maximum(np.abs(matrix).max(axis=0), _LEAST)
        return (np.maximum(self.reached[name], _LEAST) ** share / heaviest ** (1 - share)).astype(np.float32)

    def _dense(self, name: str) -> Row:
        return unpack(self.weights.matrices[name + ".w"])

    def _row(self, name: str, values: Row | NDArray[np.float64]) -> str:
        return self.graph.tensor(name, np.asarray(values, np.float32))
