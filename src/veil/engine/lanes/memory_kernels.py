"""Kernels that tell the processor which memory will be read soon, so that it fetches many lines at the same time."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir

from veil.compat.intrinsics import write_effect
from veil.engine.lanes.circuit_kernels import address
from veil.engine.lanes.jit import Int, borrowing, intrinsic

LINE = np.uint64(64)  # bytes that the processor fetches at a time


def _fetch_nothing(place: np.uint64) -> None:
    pass


@intrinsic(_fetch_nothing)
def prefetch(typing_context: Any, place: Any) -> Any:
    """Fetch the line of memory at an address into all caches; an invalid address does nothing."""

    def write(builder: Any, place: Any) -> None:
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        function_type = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [pointer], function_type)
        how = [ir.Constant(number, value) for value in (0, 3, 1)]  # read, keep, data
        builder.call(function, [builder.inttoptr(place, pointer), *how])

    return write_effect(1, write)


@borrowing
def prefetch_rows(rows: np.ndarray, first: Int, count: Int) -> None:
    """Fetch rows [first, first + count) of an array [N, K] without gaps, which will be read soon."""
    row_bytes = np.uint64(rows.shape[1] * rows.itemsize)
    place = address(rows) + np.uint64(first) * row_bytes
    end = place + np.uint64(count) * row_bytes
    while place < end:
        prefetch(place)
        place += LINE
