"""The part of `onnxruntime`, which has no type information, that is used here."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

Input = NDArray[np.float32] | NDArray[np.int32]


class Session(Protocol):
    """A loaded graph; usable from several threads at once. With no names, all outputs in their order."""

    def run(self, output_names: None, inputs: Mapping[str, Input]) -> list[NDArray[np.float32]]: ...


class _Options(Protocol):
    intra_op_num_threads: int
    inter_op_num_threads: int
    log_severity_level: int

    def add_session_config_entry(self, key: str, value: str) -> None: ...


class _Runtime(Protocol):
    def SessionOptions(self) -> _Options: ...

    def disable_telemetry_events(self) -> None: ...

    def InferenceSession(self, model: str | bytes, options: _Options, *, providers: list[str]) -> Session: ...


def open_session(model: Path | bytes, threads: int) -> Session:
    """A graph from its file or from memory. Threads of the caller's priority, `threads - 1` of them beside the caller's own."""
    runtime = cast(_Runtime, import_module("onnxruntime"))
    runtime.disable_telemetry_events()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Waiting threads sleep instead of burning a core between batches.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return runtime.InferenceSession(
        str(model) if isinstance(model, Path) else model, options, providers=["CPUExecutionProvider"]
    )
