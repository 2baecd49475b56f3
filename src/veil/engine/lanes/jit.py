"""`@kernel`: numba with the settings of this house, for modules that `warm.load_kernels` brings in."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from numba import njit

MODULES: list[str] = []  # those with kernels, in the order they were imported: whom one calls stands before it


def kernel(function: Callable[..., Any]) -> Any:
    """Compile on first use, without the GIL; kept on disk unless `VEIL_KERNEL_CACHE` is 0."""
    if function.__module__ not in MODULES:
        MODULES.append(function.__module__)
    return njit(cache=os.environ.get("VEIL_KERNEL_CACHE", "1") != "0", nogil=True)(function)
