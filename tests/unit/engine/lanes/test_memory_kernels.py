"""What is fetched ahead of its use."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import jit

from veil.engine.lanes.memory_kernels import prefetch_rows


@pytest.mark.compiled("it is about compilation")
def test_fetching_rows_changes_nothing_and_is_not_optimised_away() -> None:
    rows, compiled = np.arange(40.0).reshape(10, 4), prefetch_rows
    before = rows.copy()
    for first, count in ((0, 10), (9, 1), (3, 0), (8, 100)):  # the last goes beyond the end, which does no harm
        compiled(rows, np.int64(first), np.int64(count))
    assert (rows == before).all()
    kernel: Any = compiled
    anew = jit(**kernel.targetoptions)(kernel.py_func)  # what comes from the disk cannot be looked at
    anew(rows, np.int64(0), np.int64(1))
    assert ["call void @llvm.prefetch" in text for text in anew.inspect_llvm().values()] == [True]
