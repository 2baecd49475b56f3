"""`@kernel`: numba with the settings of this house, for modules that `warm.load_kernels` brings in."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from numba import njit


def kernel(function: Callable[..., Any]) -> Any:
    """Compile on first use, without the GIL; kept on disk unless `VEIL_KERNEL_CACHE` is 0."""
    return njit(cache=os.environ.get("VEIL_KERNEL_CACHE", "1") != "0", nogil=True)(function)
