"""A worker process gets no socket of any kind, from no library, also where no namespace may be made."""

from __future__ import annotations

import subprocess
import sys
import sysconfig

import pytest

TRY = """
import socket
from concurrent.futures import ThreadPoolExecutor
from famulus.knowledge.extract.sockets import refuse_sockets
assert refuse_sockets()
def told(make):
    try:
        make()
    except PermissionError:
        return "refused"
    return "made"
kinds = [(socket.AF_INET, socket.SOCK_STREAM), (socket.AF_INET, socket.SOCK_DGRAM), (socket.AF_INET6, socket.SOCK_STREAM), (socket.AF_UNIX, socket.SOCK_STREAM)]
print([told(lambda kind=kind: socket.socket(*kind)) for kind in kinds])
with ThreadPoolExecutor(1) as other:
    print(other.submit(told, socket.socket).result())
left, right = socket.socketpair()
left.send(b"x")
print(right.recv(1))
"""


@pytest.mark.skipif(
    sys.platform != "linux" or not sysconfig.get_platform().endswith(("x86_64", "aarch64")),
    reason="the filter is Linux's, on x86-64 and ARM",
)
def test_a_process_that_refuses_sockets_gets_none_in_any_thread_and_keeps_its_pipes() -> None:
    done = subprocess.run([sys.executable, "-c", TRY], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [str(["refused"] * 4), "refused", "b'x'"]
