"""Seen from the kernel: a question to the built-in model sends nothing to anybody.

Once in a network namespace that has no network at all, and once with every call that could name a destination written down.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parents[2] / "examples"
ASK = ("-m", "famulus", "ask", "How long is the notice period?", "--model", "builtin/extractive", "--json", "--docs")
CALLS = "connect,sendto,sendmsg,sendmmsg,unshare,clone,clone3,fork,vfork"
# What a socket call names: a family, and for the internet's families an address.
DESTINATION = re.compile(r"sa_family=(AF_\w+)(?:.*?(?:inet_addr\(|inet_pton\(AF_INET6, )\"([^\"]+)\")?")
HERE = re.compile(r"127\.|::1$|::ffff:127\.")
CLOSED = re.compile(r"unshare\(.*CLONE_NEWNET.*= 0$")
STARTED = re.compile(r"(?:clone3?|v?fork)[( ].*= (\d+)$")


def works(*command: str) -> bool:
    found = shutil.which(command[0])
    return bool(found) and subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0


def ask(folder: Path, *before: str) -> subprocess.CompletedProcess[str]:
    """A question to a folder with two of the samples, by the command line."""
    documents = folder / "documents"
    documents.mkdir()
    for name in ("lease-leeds.docx", "meeting-notes-2026.md"):
        shutil.copy(next(SAMPLES.rglob(name)), documents)
    environment = {**os.environ, "FAMULUS_DATA": str(folder / "data"), "HOME": str(folder)}
    command = [*before, sys.executable, *ASK, str(documents)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=110, env=environment)


def destinations(trace: Iterable[str]) -> set[str]:
    """Each destination outside this machine that a trace names, and each kind of socket that is neither local nor the internet's.

    A worker that has moved into a network namespace with nothing in it may try what it likes, and so may what it starts.
    """
    closed: set[str] = set()
    found: set[str] = set()
    for line in trace:
        process, _, call = line.partition(" ")
        started = STARTED.search(call)
        if CLOSED.search(call):
            closed.add(process)
        elif started and process in closed:
            closed.add(started[1])
        for family, address in DESTINATION.findall(call) if process not in closed else ():
            if family not in ("AF_UNIX", "AF_NETLINK", "AF_UNSPEC") and not HERE.match(address):
                found.add(f"{family} {address}")
    return found


@pytest.mark.skipif(not works("unshare", "-rn"), reason="needs network namespaces (unshare -rn)")
def test_a_question_is_answered_without_any_network(tmp_path: Path) -> None:
    done = ask(tmp_path, "unshare", "-rn")
    assert done.returncode == 0, done.stderr
    assert '"completed"' in done.stdout


@pytest.mark.skipif(not works("strace", "-f", "-e", "trace=connect"), reason="needs strace, and the right to trace")
def test_no_system_call_names_a_destination_outside_this_machine(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    done = ask(tmp_path, "strace", "-f", "-e", f"trace={CALLS}", "-o", str(trace))
    assert done.returncode == 0, done.stderr
    assert destinations(trace.read_text(errors="replace").splitlines()) == set()


def test_a_trace_that_names_a_stranger_is_noticed() -> None:
    trace = [
        '7 connect(3, {sa_family=AF_UNIX, sun_path="/run/x"}, 110) = 0',
        '7 connect(3, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("127.0.0.1")}, 16) = 0',
        '7 sendto(3, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("9.9.9.9")}, 16) = 1',
        '7 connect(3, {sa_family=AF_INET6, sin6_port=htons(443), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr)}, 28) = 0',
        "8 unshare(CLONE_NEWNET) = 0",
        "8 clone3({flags=CLONE_THREAD} => {parent_tid=[9]}, 88) = 9",
        '9 connect(3, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("8.8.8.8")}, 16) = -1 ENETUNREACH',
    ]
    assert destinations(trace) == {"AF_INET 9.9.9.9", "AF_INET6 2001:db8::1"}
