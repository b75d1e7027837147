"""What a worker process takes away from itself before it sees a document: network, files, processes, memory, time."""

from __future__ import annotations

import ctypes
import os
import resource
import sys

from famulus.knowledge.extract.sockets import refuse_sockets

_CLONE_NEWUSER = 0x10000000
_CLONE_NEWNET = 0x40000000
# Audit events of the interpreter that no parser needs (https://docs.python.org/3/library/audit_events.html).
_REFUSED_EVENTS = frozenset(
    {
        "socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr",
        "socket.sendto", "socket.sendmsg", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork",
        "os.forkpty", "os.spawn", "urllib.Request", "ftplib.connect", "smtplib.connect", "os.remove", "os.rename",
        "shutil.rmtree", "os.chmod", "os.chown", "os.kill",
    }
)  # fmt: skip


def close_network() -> bool:
    """Takes the network away: a namespace with nothing in it, and no socket at all. False where the system permits neither.

    Must run before any thread exists.
    """
    moved = _leave_network()
    return refuse_sockets() or moved


def _leave_network() -> bool:
    """With rights the plain namespace is enough; without, a user namespace comes along."""
    try:
        unshare = ctypes.CDLL(None, use_errno=True).unshare
    except (OSError, AttributeError):
        return False
    return any(unshare(flags) == 0 for flags in (_CLONE_NEWNET, _CLONE_NEWUSER | _CLONE_NEWNET))


def refuse_effects() -> None:
    """The second line: the interpreter itself refuses connections and processes from here on. Cannot be undone."""

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event in _REFUSED_EVENTS:
            raise PermissionError(f"{event} is not permitted while a document is read")

    sys.addaudithook(hook)


def limit_memory(size_bytes: int) -> None:
    """Bounds private memory and address space; written files and core dumps are bounded to nothing.

    The address space gets room on top: libraries and thread stacks reserve far more than they use.
    """
    _lower(resource.RLIMIT_DATA, size_bytes)
    _lower(resource.RLIMIT_AS, size_bytes * 2 + (4 << 30))
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, 0)


def limit_cpu(seconds: int) -> None:
    """The process dies by SIGXCPU after `seconds` more of CPU time; called anew for each document."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    used = int(usage.ru_utime + usage.ru_stime)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    wanted = used + max(1, seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def _lower(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    wanted = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (wanted, wanted))


def kept_environment() -> dict[str, str]:
    """What a process cannot start without on some systems; nothing else of the environment is handed on."""
    return {key: os.environ[key] for key in ("LD_LIBRARY_PATH", "SYSTEMROOT") if key in os.environ}


def environment(folder: str) -> dict[str, str]:
    """All of the environment that a worker gets: no secrets, no proxies, hub clients told to stay offline."""
    return kept_environment() | {
        "HOME": folder,
        "TMPDIR": folder,
        "XDG_CACHE_HOME": folder,
        "HF_HUB_OFFLINE": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "LC_ALL": "C.UTF-8",
        "RAYON_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
