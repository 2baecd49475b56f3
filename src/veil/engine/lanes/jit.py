"""`@kernel`: a function that numba compiles at its first call, without the GIL, once per machine.

To importers a kernel is the function it decorates, with the same parameters and result. Its Python form is `py_func`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numba import njit
from numba.extending import intrinsic as numba_intrinsic

from veil.compat.numba import (
    find_address,
    is_compiler_off,
    is_surrounded,
    make_dispatcher,
    set_cache,
    surround_compile,
    watch_compiler,
)
from veil.engine.lanes.kernel_cache import called_kernels, make_cache
from veil.engine.lanes.preparation import PREPARATION
from veil.engine.lanes.raw_memory import address_of

P = ParamSpec("P")
R = TypeVar("R")

Int = int | np.int64  # an integer in a kernel: numba treats both alike


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function as a kernel.

    It may take arrays, numbers, records of these (named tuples) and random generators.
    """
    return _make_kernel(function)


def borrowing(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function as a kernel that makes and returns no array: its caller owns all arrays.

    An ordinary kernel counts references to every array of every record, up at its start and down at its end, each with
    a locked instruction, and a round of a search calls a dozen kernels with thirty arrays. This kernel counts none.
    Numba refuses to compile it if it makes an array.
    """
    return _make_kernel(function, counts_references=False)


def _make_kernel(function: Callable[P, R], counts_references: bool = True) -> Callable[P, R]:
    """Return the function as numba compiles it. The time that takes is counted, and what it gives is kept on disk."""
    if is_compiler_off():
        return function
    dispatcher = make_dispatcher(function, counts_references=counts_references)
    surround_compile(dispatcher, PREPARATION.run)
    set_cache(dispatcher, make_cache(function))
    compiled: Callable[P, R] = dispatcher
    return compiled


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function as a part of its callers: it is copied into them, and never compiled by itself.

    Use it for inner loops: a call passes every array of a record and counts its references up and down, which takes
    longer than a short walk through a tree (Online Outcome Sampling in Kuhn poker: 710 nanoseconds, copied 290).
    """
    copied: Callable[P, R] = njit(nogil=True, inline="always")(function)
    return copied


def intrinsic(twin: Callable[P, R]) -> Callable[[Callable[..., Any]], Callable[P, R]]:
    """Return a decorator for a function that writes machine code for numba (`numba.extending.intrinsic`).

    `twin` does the same in Python, with the parameters of the intrinsic. If numba does not compile, kernels call
    `twin`.
    """

    def decorate(writer: Callable[..., Any]) -> Callable[P, R]:
        made: Callable[P, R] = twin if is_compiler_off() else numba_intrinsic(writer)
        return made

    return decorate


def kernel_address(function: Any, argument_types: tuple[Any, ...]) -> int:
    """Return where the machine code of a kernel lies for arguments of these types (of numba), callable as in C."""
    return address_of(function) if is_compiler_off() else find_address(function, argument_types)


def _announce(dispatcher: Any) -> None:
    """Tell the user that a kernel is compiled. Numba's own functions are passed over."""
    if is_surrounded(dispatcher):
        needed = [dispatcher, *filter(is_surrounded, called_kernels(dispatcher.py_func))]
        PREPARATION.announce(dispatcher.py_func.__name__, sum(not part.overloads for part in needed))


def _advance(dispatcher: Any) -> None:
    """Tell the user that a kernel has been compiled."""
    if is_surrounded(dispatcher):
        PREPARATION.advance()


watch_compiler(_announce, _advance)
if is_compiler_off():  # words wrap round, as they do in machine code; NumPy would warn of each
    np.seterr(over="ignore")
