"""`GrowingRows`: an array of rows that grows without being copied, if the operating system can do that.

A table of infosets of several hundred megabytes takes tenths of a second to copy, which is a whole move under a clock.
The rows have mapped memory of their own. When it grows, the system gives the same pages another address; the new pages
are zero and cost nothing until they are written to. If the system cannot do this (no `mremap`), or if the array is
still in use, rows are copied.
"""

from __future__ import annotations

import mmap
from math import prod

import numpy as np


class GrowingRows:
    """Rows of one shape and type; `array` is all of them. New rows are zero."""

    def __init__(self, rows: int, columns: tuple[int, ...], dtype: type[np.generic]) -> None:
        self.columns, self.dtype = columns, np.dtype(dtype)
        self.row_bytes = self.dtype.itemsize * prod(columns)
        self._memory = map_memory(rows * self.row_bytes)
        self.array = self._show(rows)

    def grow(self, rows: int) -> None:
        """Grow to `rows` rows, at least as many as before. Arrays that were taken before are no longer valid."""
        before, self.array = len(self.array), np.zeros((0, *self.columns), self.dtype)  # not in use meanwhile
        try:
            self._memory.resize(rows * self.row_bytes)
        except (BufferError, OSError, SystemError):
            old, self._memory = self._memory, map_memory(rows * self.row_bytes)
            self._memory[: before * self.row_bytes] = memoryview(old)[: before * self.row_bytes]
        self.array = self._show(rows)

    def _show(self, rows: int) -> np.ndarray:
        count = rows * prod(self.columns)
        return np.frombuffer(self._memory, self.dtype, count).reshape(rows, *self.columns)


def map_memory(size: int) -> mmap.mmap:
    """Return `size` bytes of zeros that belong to this process alone."""
    if hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return mmap.mmap(-1, size)
