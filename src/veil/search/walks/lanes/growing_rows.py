"""`GrowingRows`: an array of rows that grows without being copied, where the operating system can do that.

A table of infosets of several hundred megabytes takes tenths of a second to copy, which is a whole move under a clock.
Rows lie in memory that is mapped for them alone: to grow, the system gives the same pages another address, and the new
ones are zero and cost nothing until they are written to. Where it cannot (no `mremap`), or where somebody still holds
the array, rows are copied.
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
        """Have so many rows, at least as many as before. An array that was taken before is not to be used any more."""
        before, self.array = len(self.array), np.zeros((0, *self.columns), self.dtype)  # nobody may look meanwhile
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
    """Zeros of this process alone, so many bytes."""
    if hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return mmap.mmap(-1, size)
