"""A warm process that has imported the product once and forks real `famulus` commands from it. For tests; POSIX only.

Run as `python -m famulus.testing.forks`. Orders come as JSON lines on standard input, answers go as JSON lines to standard output:
`{"id", "arguments", "environment", "output", "trap", "effects", "embedder"}` → `{"id", "pid"}`, then `{"pid", "code"}` when that process has
ended (a signal is negative). The end of standard input ends this process and all that it forked.

A command looks at its trap file (see `trap.py`) at each write and has the tools of `effects.py`; `embedder` puts a small
deterministic one with so many seconds for each batch in the place of the built-in one.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import select
import signal
import sys
import traceback
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from famulus.testing.effects import with_traced_tools
from famulus.testing.embedder import HashEmbedder
from famulus.testing.trap import spring
from famulus.text.language import guess_language

_WARM: Final = (
    "famulus.api.app",
    "famulus.app.build",
    "famulus.cli.serve",
    "famulus.cli.worker",
    "famulus.store.migrate",
    "famulus.store.postgres",
    "famulus.store.sqlite",
    "uvicorn.lifespan.off",
    "uvicorn.protocols.http.auto",
    "uvicorn.protocols.websockets.auto",
    "wsproto",
)


class SlowEmbedder(HashEmbedder):
    """The tiny embedder with a pause before each batch of passages."""

    def __init__(self, batch_s: float) -> None:
        super().__init__()
        self._batch_s = batch_s

    async def embed_passages(self, texts: list[str]) -> NDArray[np.float32]:
        await asyncio.sleep(self._batch_s)
        return await super().embed_passages(texts)

    async def aclose(self) -> None:
        """Nothing to give back."""


def main() -> None:
    for name in _WARM:
        import_module(name)
    guess_language("Lorem dolor amet")  # loads the model of languages
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, _wake)
    children: set[int] = set()
    _say({"ready": True})
    pending = b""
    while True:
        readable, _, _ = select.select([0, wake], [], [])
        if wake in readable:
            with contextlib.suppress(BlockingIOError):
                os.read(wake, 4096)
            _reap(children)
        if 0 in readable:
            data = os.read(0, 65536)
            if not data:
                break
            *lines, pending = (pending + data).split(b"\n")
            for line in lines:
                order = cast("dict[str, Any]", json.loads(line))
                children.add(pid := _fork(order, (wake, woken)))
                _say({"id": order["id"], "pid": pid})
    for pid in children:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)


def _reap(children: set[int]) -> None:
    while children:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        children.discard(pid)
        _say({"pid": pid, "code": os.waitstatus_to_exitcode(status)})


def _fork(order: dict[str, Any], pipes: tuple[int, int]) -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for pipe in pipes:
            os.close(pipe)
        os.setsid()
        _command(order)
    except BaseException:
        traceback.print_exc()
        os._exit(70)


def _command(order: dict[str, Any]) -> NoReturn:
    from famulus.__main__ import command_line, web_app

    output = os.open(order["output"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.environ.update(cast("dict[str, str]", order["environment"]))
    _inject(Path(order["trap"]), Path(order["effects"]), cast("float | None", order["embedder"]))
    code = 0
    try:
        command_line([str(argument) for argument in order["arguments"]], prog_name="famulus", obj=web_app)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _inject(trap: Path, effects: Path, embedder_s: float | None) -> None:
    """Only this process: the store with the trap under it, the tools that leave a trace, and the embedder."""
    import famulus.app.build as build

    open_database = build.open_database
    build.__dict__["open_database"] = spring(open_database, trap)
    build.__dict__["builtin_tools"] = with_traced_tools(build.builtin_tools, effects)
    if embedder_s is not None:
        build.__dict__["_embedder"] = partial(_slow_embedder, embedder_s)


def _slow_embedder(batch_s: float, *_: object) -> SlowEmbedder:
    return SlowEmbedder(batch_s)


def _wake(*_: object) -> None:
    """The wake-up pipe has told already."""


def _say(answer: dict[str, Any]) -> None:
    os.write(1, json.dumps(answer).encode() + b"\n")


if __name__ == "__main__":
    main()
