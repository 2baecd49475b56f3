"""`@kernel`: a function that numba compiles at its first call, without the GIL, once per machine.

To importers a kernel is the function it decorates, with the same parameters and result. Its Python form is `py_func`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numba import njit
from numba.core import config
from numba.core.compiler_lock import global_compiler_lock
from numba.core.event import Event, Listener, register
from numba.extending import intrinsic as numba_intrinsic

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
    return _make_kernel(function, _nrt=False)


def _make_kernel(function: Callable[P, R], **options: bool) -> Callable[P, R]:
    """Return the function as numba compiles it with these options."""
    if config.DISABLE_JIT:
        return function
    dispatcher = njit(nogil=True, **options)(function)
    compile_for = dispatcher.compile

    def prepare(signature: Any) -> Any:
        with global_compiler_lock, PREPARATION.run():
            return compile_for(signature)

    dispatcher.compile = prepare
    dispatcher._cache = make_cache(function)
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
        made: Callable[P, R] = twin if config.DISABLE_JIT else numba_intrinsic(writer)
        return made

    return decorate


def kernel_address(function: Any, argument_types: tuple[Any, ...]) -> int:
    """Return the address of a kernel's machine code for arguments of these numba types, callable as in C."""
    if config.DISABLE_JIT:
        return address_of(function)
    function.compile(argument_types)
    compiled = function.overloads[argument_types]
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name))


class _Announcer(Listener):  # type: ignore[misc]
    """Listener that tells the user which kernels are compiled, and when one is done.

    It ignores numba's own functions.
    """

    def on_start(self, event: Event) -> None:
        dispatcher = event.data["dispatcher"]
        if _is_kernel(dispatcher):
            needed = [dispatcher, *filter(_is_kernel, called_kernels(dispatcher.py_func))]
            PREPARATION.announce(dispatcher.py_func.__name__, sum(not part.overloads for part in needed))

    def on_end(self, event: Event) -> None:
        if _is_kernel(event.data["dispatcher"]):
            PREPARATION.advance()


def _is_kernel(dispatcher: Any) -> bool:
    """Return whether a function is a `kernel`."""
    return "compile" in vars(dispatcher)


register("numba:compile", _Announcer())
if config.DISABLE_JIT:  # words overflow as they do in machine code; NumPy would warn of each overflow
    np.seterr(over="ignore")
