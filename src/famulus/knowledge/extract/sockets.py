"""A filter in the kernel that refuses every socket to this process, whatever its native libraries try.

It also holds where no network namespace may be made, and for local services that would look up names for others (`nss-resolve`).
Source: seccomp(2), `struct sock_filter` of linux/filter.h.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from typing import Final

_NO_NEW_PRIVILEGES: Final = 38
_SET_SECCOMP: Final = 22
_FILTER_MODE: Final = 2

_LOAD: Final = 0x20
_EQUAL: Final = 0x15
_AT_LEAST: Final = 0x35
_RETURN: Final = 0x06
_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = 0x00050000 | errno.EACCES
# Offsets in `struct seccomp_data`.
_NUMBER: Final = 0
_ARCHITECTURE: Final = 4

_FOREIGN_ABI: Final = 0x40000000
_IO_URING_SETUP: Final = 425
# machine → (its number in audit.h, the number of socket(2)).
_MACHINES: Final = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def refuse_sockets() -> bool:
    """False where the system has no such filter. Cannot be undone; holds for all threads and processes that are made later."""
    machine = _MACHINES.get(os.uname().machine) if os.name == "posix" else None
    if machine is None:
        return False
    architecture, socket = machine
    # Each line: what to do, how many lines to skip when it holds, and when it does not, and the value.
    lines = (
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 0, 5, architecture),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 3, 0, _FOREIGN_ABI),
        (_EQUAL, 2, 0, _IO_URING_SETUP),
        (_EQUAL, 1, 0, socket),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    )
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in lines))
    program = _Program(len(lines), ctypes.addressof(code))
    try:
        control = ctypes.CDLL(None, use_errno=True).prctl
    except (OSError, AttributeError):
        return False
    if control(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return False
    return control(_SET_SECCOMP, _FILTER_MODE, ctypes.byref(program), 0, 0) == 0
