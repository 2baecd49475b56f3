"""Kernels that call the functions of a circuit by address, so that they are compiled once per machine, not per game.

A *block* is W words of 64 lanes. `v` is the value array of a block, [slots, W]; lane l is bit l % 64 of word l // 64.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir

from veil.compat.intrinsics import write_effect
from veil.engine.lanes.bit_kernels import ONES, ZERO
from veil.engine.lanes.code import Code
from veil.engine.lanes.jit import Int, borrowing, intrinsic, kernel
from veil.engine.lanes.raw_memory import call_at


@intrinsic(call_at)
def call_address(typing_context: Any, function: Any, values: Any, other: Any, image: Any) -> Any:
    """Call `void f(i64, i64, i64)` at an address."""

    def write(builder: Any, function: Any, *words: Any) -> None:
        function_type = ir.FunctionType(ir.VoidType(), [ir.IntType(64)] * 3)
        builder.call(builder.inttoptr(function, function_type.as_pointer()), words)

    return write_effect(4, write)


@borrowing
def address(array: np.ndarray) -> np.uint64:
    """Return the address of an array in memory."""
    return np.uint64(array.ctypes.data)


@kernel
def new_values(code: Code, width: Int) -> np.ndarray:
    """Return an empty value array with its two constants."""
    v = np.zeros((code.num_slots, width), np.uint64)
    v[1, :] = ONES
    return v


@borrowing
def run_static(code: Code, v: np.ndarray) -> None:
    """Compute legal, goals and terminal of the states in `v` (changed in place)."""
    call_address(code.static, address(v), ZERO, code.image)


@borrowing
def run_dynamic(code: Code, v: np.ndarray) -> None:
    """Compute the next states (v changed in place)."""
    call_address(code.dynamic, address(v), ZERO, code.image)


@borrowing
def run_percepts(code: Code, v: np.ndarray) -> None:
    """Compute the percepts, after `run_dynamic` (v changed in place)."""
    call_address(code.percepts, address(v), ZERO, code.image)


@borrowing
def run_choose(code: Code, v: np.ndarray, rng: np.ndarray) -> None:
    """Draw a uniform legal move per role and lane, and compute `stuck` (v and rng [4, W] changed in place)."""
    call_address(code.choose, address(v), address(rng), code.image)


@borrowing
def run_advance(code: Code, v: np.ndarray, start: np.ndarray) -> None:
    """Make the next state the state; start [1 + F, W] holds ended lanes and the states they begin with (v changed)."""
    call_address(code.advance, address(v), address(start), code.image)
