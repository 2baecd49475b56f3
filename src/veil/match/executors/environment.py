"""The environment of a guest: it keeps the variables that Python, libraries and kernels need, and no others.

Variables may hold what is secret: keys, tokens, names of files. Those that go are overwritten as well, so that they
are not found in the memory of the process where the system has put them.
"""

from __future__ import annotations

import ctypes
import os
import re
from contextlib import suppress

KEPT = re.compile(
    r"LANG|LANGUAGE|LC_\w+|TZ|HOME|PATH|TMPDIR|TERM|COLUMNS|NO_COLOR|XDG_CACHE_HOME|VEIL_CACHE"
    r"|PYTHON\w+|NUMBA_\w+|\w+_NUM_THREADS"
)


def forget_environment() -> None:
    """Remove all variables of this process that are not `KEPT`."""
    gone = _find_texts()
    for name in list(os.environ):
        if not KEPT.fullmatch(name):
            del os.environ[name]
    for address, size in gone:
        ctypes.memset(address, 0, size)


def _find_texts() -> list[tuple[int, int]]:
    """Return where the variables that are not kept stand in memory, each with its length."""
    found = []
    with suppress(ValueError):  # a system that does not show its variables
        block = ctypes.POINTER(ctypes.c_void_p).in_dll(ctypes.CDLL(None), "environ")
        place = 0
        while block and (address := block[place]):
            text = ctypes.string_at(address)
            if not KEPT.fullmatch(text.partition(b"=")[0].decode(errors="replace")):
                found.append((address, len(text)))
            place += 1
    return found
