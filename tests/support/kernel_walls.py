"""What the kernel has for walls around guests, asked of the kernel itself and not of the code under test."""

from __future__ import annotations

import platform
import subprocess
import sys
from functools import cache

import pytest

PROBE = """
import ctypes
libc = ctypes.CDLL(None)
libc.syscall.restype = ctypes.c_long
landlock = libc.syscall(ctypes.c_long(444), None, ctypes.c_long(0), ctypes.c_long(1)) >= 1
allow = (ctypes.c_uint64 * 1)(0x7FFF000000000006)  # one instruction: return "allowed"
program = (ctypes.c_uint64 * 2)(1, ctypes.addressof(allow))
words = [ctypes.c_ulong(value) for value in (38, 1, 0, 0, 0)], [ctypes.c_ulong(22), ctypes.c_ulong(2), program]
seccomp = libc.prctl(*words[0]) == 0 and libc.prctl(*words[1]) == 0
print("" if landlock else "Landlock (no wall around files)", "" if seccomp else "filters of system calls", sep=";")
"""


@cache
def find_missing() -> str:
    """Return what this system lacks for walls; empty if it has all."""
    if sys.platform != "linux" or platform.machine() not in ("x86_64", "aarch64"):
        return f"walls on {sys.platform}, {platform.machine()}"
    said = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True).stdout
    return " and ".join(filter(None, said.strip().split(";")))


needs_walls = pytest.mark.skipif(bool(find_missing()), reason=f"this system has no {find_missing()}")
