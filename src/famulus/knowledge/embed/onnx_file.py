"""Writes an ONNX model file: the few protobuf messages that a graph needs, so that no converter has to be installed.

Source: onnx.proto of ONNX 1.17 (field numbers), the protobuf wire format (varint, length-delimited, fixed32).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

IR_VERSION = 9
OPSET = 17
CONTRIB = "com.microsoft"

Attribute = int | float
Tensor = NDArray[np.float32] | NDArray[np.uint8] | NDArray[np.int8] | NDArray[np.int64]
_TENSOR_TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7}


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _bytes(number: int, value: bytes | str) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(raw)) + raw


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, int):
        return _bytes(1, name) + _number(3, value) + _number(20, 2)
    return _bytes(1, name) + _varint(2 << 3 | 5) + struct.pack("<f", value) + _number(20, 1)


def _tensor(name: str, value: Tensor) -> bytes:
    dims = b"".join(_number(1, size) for size in value.shape)
    return dims + _number(2, _TENSOR_TYPES[value.dtype.name]) + _bytes(8, name) + _bytes(9, value.tobytes())


def _port(name: str, dtype: str, shape: Sequence[str | int]) -> bytes:
    dims = b"".join(_bytes(1, _bytes(2, size) if isinstance(size, str) else _number(1, size)) for size in shape)
    tensor_type = _number(1, _TENSOR_TYPES[dtype]) + _bytes(2, dims)
    return _bytes(1, name) + _bytes(2, _bytes(1, tensor_type))


@dataclass(slots=True)
class Graph:
    """Collects nodes and tensors in execution order; `encode` gives the model file."""

    name: str
    nodes: list[bytes] = field(default_factory=list[bytes])
    tensors: list[bytes] = field(default_factory=list[bytes])
    ports: list[bytes] = field(default_factory=list[bytes])

    def tensor(self, name: str, value: Tensor) -> str:
        self.tensors.append(_bytes(5, _tensor(name, value)))
        return name

    def node(
        self,
        operator: str,
        inputs: Sequence[str],
        output: str,
        attributes: Mapping[str, Attribute] | None = None,
        domain: str = "",
    ) -> str:
        """Adds one node with one output and returns the output's name."""
        return self.node_of_many(operator, inputs, [output], attributes, domain)[0]

    def node_of_many(
        self,
        operator: str,
        inputs: Sequence[str],
        outputs: Sequence[str],
        attributes: Mapping[str, Attribute] | None = None,
        domain: str = "",
    ) -> Sequence[str]:
        """As `node`, with several outputs."""
        body = b"".join(_bytes(1, name) for name in inputs) + b"".join(_bytes(2, name) for name in outputs)
        body += _bytes(4, operator)
        body += b"".join(_bytes(5, _attribute(name, value)) for name, value in (attributes or {}).items())
        self.nodes.append(_bytes(1, body + _bytes(7, domain)))
        return outputs

    def input(self, name: str, dtype: str, shape: Sequence[str | int]) -> str:
        self.ports.append(_bytes(11, _port(name, dtype, shape)))
        return name

    def output(self, name: str, dtype: str, shape: Sequence[str | int]) -> None:
        self.ports.append(_bytes(12, _port(name, dtype, shape)))

    def encode(self) -> bytes:
        graph = b"".join(self.nodes) + _bytes(2, self.name) + b"".join(self.tensors) + b"".join(self.ports)
        opsets = _bytes(8, _bytes(1, "") + _number(2, OPSET)) + _bytes(8, _bytes(1, CONTRIB) + _number(2, 1))
        return _number(1, IR_VERSION) + _bytes(2, "famulus") + _bytes(7, graph) + opsets
