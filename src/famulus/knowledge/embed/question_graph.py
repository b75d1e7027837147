"""Builds the encoder a second time, for questions: one short text at a time, in two thirds of the time of `graph.py`.

Weights have 8 bits with one scale a row, activations 8 bits with one scale a tensor, found anew at each product. A few of this
model's channels are twenty times as large as the others, and one scale for all would round the others away (cosine .986 to the
other graph); so each channel is divided by a factor first, and its weights are multiplied by it (cosine .999). Normalisation
is put together from operators that the runtime vectorises; its own takes five times as long.
Source: G. Xiao et al., "SmoothQuant", 2023; how the exponents below were chosen: docs/decisions/embedder-weights.md.
"""

from __future__ import annotations

from collections.abc import Mapping

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
        state = self._normalised(state, "emb.ln")
        for layer in range(self.weights.layers):
            state = self._layer(f"l{layer}.", state)
        self.graph.node("MatMul", [pool, state], "pooled")
        self.graph.output("pooled", "float32", [1, 1, hidden])
        return self.graph.encode()

    def _layer(self, at: str, state: str) -> str:
        vectors = self.weights.vectors
        mixed = self._attention(at, state)
        after = self._product(at + "ao", mixed, self._dense(at + "ao"), vectors[at + "ao.b"], scaled=True)
        state = self._normalised(self.graph.node("Add", [after, state], at + "first"), at + "aln")
        wide = self._product(at + "fi", state, self._dense(at + "fi"))
        wide = self.graph.node(
            "BiasGelu", [wide, self._row(at + "fi.b", vectors[at + "fi.b"])], at + "gelu", None, CONTRIB
        )
        after = self._product(at + "fo", wide, self._dense(at + "fo"), vectors[at + "fo.b"])
        return self._normalised(self.graph.node("Add", [after, state], at + "second"), at + "oln")

    def _attention(self, at: str, state: str) -> str:
        """What the heads took together, each channel divided by its factor already: the values' weights hold the division."""
        vectors, factor = self.weights.vectors, self._factor(at + "ao", self._dense(at + "ao"))
        matrix = np.concatenate([self._dense(at + "q"), self._dense(at + "k"), self._dense(at + "v") / factor[:, None]])
        bias = np.concatenate([vectors[at + "q.b"], vectors[at + "k.b"], vectors[at + "v.b"] / factor])
        projected = self._product(at + "qkv", state, matrix, bias)
        sizes = self.graph.tensor(at + "sizes", np.full(3, self.weights.hidden, np.int64))
        parts = self.graph.node_of_many("Split", [projected, sizes], [at + name for name in "qkv"], {"axis": -1})
        return self.graph.node("MultiHeadAttention", parts, at + "mixed", {"num_heads": self.weights.heads}, CONTRIB)

    def _normalised(self, state: str, name: str) -> str:
        """Layer normalisation: that of instances does the same where each token counts as a channel."""
        vectors = self.weights.vectors
        epsilon = {"epsilon": self.weights.epsilon}
        even = self.graph.node("InstanceNormalization", [state, "ones", "zeros"], name + ".even", epsilon)
        wide = self.graph.node("Mul", [even, self._row(name + ".w", vectors[name + ".w"])], name + ".wide")
        return self.graph.node("Add", [wide, self._row(name + ".b", vectors[name + ".b"])], name)

    def _product(self, name: str, state: str, matrix: Row, bias: Row | None = None, *, scaled: bool = False) -> str:
        """`matrix` times each token; `scaled` says that the state is divided by the factors already."""
        factor = self._factor(name, matrix)
        if not scaled:
            state = self.graph.node("Mul", [state, self._row(name + ".f", 1 / factor)], name + ".in")
        wide = matrix * factor
        scale = np.maximum(np.abs(wide).max(axis=1), _LEAST) / _MOST
        rounded = np.rint(wide / scale[:, None]).astype(np.int8)
        inputs = [
            state,
            self.graph.tensor(name + ".w", np.ascontiguousarray(rounded.T)),
            self._row(name + ".s", scale),
            self.graph.tensor(name + ".z", np.zeros(len(scale), np.int8)),
        ]
        if bias is not None:
            inputs.append(self._row(name + ".b", bias))
        return self.graph.node("DynamicQuantizeMatMul", inputs, name + ".out", None, CONTRIB)

    def _factor(self, name: str, matrix: Row) -> Row:
        share = SHARE[name.split(".")[1]]
        heaviest = np.maximum(np.abs(matrix).max(axis=0), _LEAST)
        return (np.maximum(self.reached[name], _LEAST) ** share / heaviest ** (1 - share)).astype(np.float32)

    def _dense(self, name: str) -> Row:
        return unpack(self.weights.matrices[name + ".w"])

    def _row(self, name: str, values: Row | NDArray[np.float64]) -> str:
        return self.graph.tensor(name, np.asarray(values, np.float32))
