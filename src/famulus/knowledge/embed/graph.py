"""Builds the encoder of multilingual-e5-small as an ONNX graph with the 4-bit weights kept exactly as they are packed.

The graph begins after the table of word vectors: that table is 90 % of all weights and only a few rows are read for a text,
so `engine.py` reads them from a memory-mapped file. Matrix products keep 4-bit weights and round activations to 8 bits per
block of 32, like the packed file's own engine. Stored vectors come from this graph; questions have a faster one
(`question_graph.py`). Rejected: float32 weights (six times the file, 1.6 times the time for a question).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from famulus.knowledge.embed.onnx_file import CONTRIB, Graph
from famulus.knowledge.embed.weights import BLOCK, Weights

ROUND_ACTIVATIONS_TO_8_BITS = 4


def unpack(blocks: NDArray[np.uint8]) -> NDArray[np.float32]:
    """float32 (rows, width) from Q4_0 blocks (rows, blocks, 18)."""
    scale = np.ascontiguousarray(blocks[..., :2]).view("<f2").astype(np.float32)
    packed = blocks[..., 2:]
    values = np.concatenate([packed & 15, packed >> 4], axis=-1).astype(np.float32) - 8
    return (values * scale).reshape(len(blocks), -1)


def encoder(weights: Weights, watched: Sequence[str] = ()) -> bytes:
    """The model file. Inputs: `embeddings` float32 (texts, tokens, hidden), `mask` int32 (texts, tokens), and `pool`
    float32 (texts, 1, tokens), whose rows sum to 1. Output: `pooled` float32 (texts, 1, hidden), not normalised; then the
    values inside that are `watched`."""
    return _Encoder(weights).encode(watched)


def watched_inputs(weights: Weights) -> dict[str, str]:
    """Each matrix product as the layers name it (`l3.qkv`, `l3.ao`, `l3.fi`, `l3.fo`), with the value that goes into it."""
    return {
        f"l{layer}.{product}": value
        for layer in range(weights.layers)
        for product, value in (
            ("qkv", f"l{layer - 1}.oln" if layer else "embedded"),
            ("ao", f"l{layer}.mixed"),
            ("fi", f"l{layer}.aln"),
            ("fo", f"l{layer}.gelu"),
        )
    }


class _Encoder:
    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.graph = Graph("multilingual-e5-small")

    def encode(self, watched: Sequence[str]) -> bytes:
        hidden = self.weights.hidden
        state = self.graph.input("embeddings", "float32", ["texts", "tokens", hidden])
        mask = self.graph.input("mask", "int32", ["texts", "tokens"])
        pool = self.graph.input("pool", "float32", ["texts", 1, "tokens"])
        norm = [self._vector("emb.ln.w"), self._vector("emb.ln.b")]
        epsilon = {"axis": -1, "epsilon": self.weights.epsilon}
        state = self.graph.node("LayerNormalization", [state, *norm], "embedded", epsilon)
        for layer in range(self.weights.layers):
            state = self._layer(f"l{layer}.", state, mask)
        self.graph.node("MatMul", [pool, state], "pooled")
        self.graph.output("pooled", "float32", ["texts", 1, hidden])
        for name in watched:
            self.graph.output(name, "float32", ["texts", "tokens", name + " width"])
        return self.graph.encode()

    def _layer(self, at: str, state: str, mask: str) -> str:
        projected = [self._product(state, at + name) for name in "qkv"]
        vectors = self.weights.vectors
        bias = self.graph.tensor(at + "qkv.b", np.concatenate([vectors[f"{at}{name}.b"] for name in "qkv"]))
        heads = {"num_heads": self.weights.heads}
        mixed = self.graph.node("MultiHeadAttention", [*projected, bias, mask], at + "mixed", heads, CONTRIB)
        state = self._add_and_normalise(self._product(mixed, at + "ao"), state, at, "ao.b", "aln")
        wide = self._product(state, at + "fi")
        wide = self.graph.node("BiasGelu", [wide, self._vector(at + "fi.b")], at + "gelu", domain=CONTRIB)
        return self._add_and_normalise(self._product(wide, at + "fo"), state, at, "fo.b", "oln")

    def _add_and_normalise(self, new: str, state: str, at: str, bias: str, norm: str) -> str:
        inputs = [new, state, *(self._vector(at + name) for name in (norm + ".w", norm + ".b", bias))]
        epsilon = {"epsilon": self.weights.epsilon}
        return self.graph.node("SkipLayerNormalization", inputs, at + norm, epsilon, CONTRIB)

    def _product(self, state: str, name: str) -> str:
        blocks = self.weights.matrices[name + ".w"]
        values = np.concatenate([blocks[..., 2:] & 15, blocks[..., 2:] >> 4], axis=-1)
        packed = values[..., 0::2] | values[..., 1::2] << 4
        scales = np.ascontiguousarray(blocks[..., :2]).view("<f2").astype(np.float32).reshape(-1)
        inputs = [state, self.graph.tensor(name + ".w", packed), self.graph.tensor(name + ".s", scales)]
        shape = {"N": blocks.shape[0], "K": blocks.shape[1] * BLOCK, "bits": 4, "block_size": BLOCK}
        attributes = {**shape, "accuracy_level": ROUND_ACTIVATIONS_TO_8_BITS}
        return self.graph.node("MatMulNBits", inputs, name, attributes, CONTRIB)

    def _vector(self, name: str) -> str:
        return self.graph.tensor(name, self.weights.vectors[name])
