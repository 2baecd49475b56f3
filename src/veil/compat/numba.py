"""What Veil uses of numba that numba does not document: options, dispatchers, caches on disk, events.

A *dispatcher* is what `njit` makes of a function: it compiles the function for each combination of argument types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from numba import njit
from numba.core import config
from numba.core.caching import FunctionCache, NullCache
from numba.core.compiler_lock import global_compiler_lock
from numba.core.event import Event, Listener, register


def is_compiler_off() -> bool:
    """Whether numba compiles nothing (`NUMBA_DISABLE_JIT=1`)."""
    return bool(config.DISABLE_JIT)


def make_dispatcher(function: Callable[..., Any], *, counts_references: bool = True) -> Any:
    """The dispatcher of a function that runs without the GIL.

    One that does not count references to arrays can make none, and must return none.
    """
    return njit(nogil=True, **({} if counts_references else {"_nrt": False}))(function)


def surround_compile(dispatcher: Any, surround: Callable[[], AbstractContextManager[Any]]) -> None:
    """Let a dispatcher enter a context each time it compiles or reads from disk, under numba's lock."""
    compile_for = dispatcher.compile

    def compile_inside(signature: Any) -> Any:
        with global_compiler_lock, surround():
            return compile_for(signature)

    dispatcher.compile = compile_inside


def is_surrounded(dispatcher: Any) -> bool:
    """Whether `surround_compile` was called with a dispatcher."""
    return "compile" in vars(dispatcher)


def set_cache(dispatcher: Any, cache: FunctionCache | NullCache) -> None:
    """Let a dispatcher keep compiled code in this cache, and look there first."""
    dispatcher._cache = cache


def find_address(dispatcher: Any, argument_types: tuple[Any, ...]) -> int:
    """Where the machine code for arguments of these types lies, callable as in C; it is compiled if need be."""
    dispatcher.compile(argument_types)
    compiled = dispatcher.overloads[argument_types]
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name))


class DiskCache(FunctionCache):  # type: ignore[misc]
    """Numba's files of one function. A subclass may add to what has to be equal for a file to be used again."""

    @property
    def function(self) -> Callable[..., Any]:
        """The Python function."""
        made: Callable[..., Any] = self._py_func
        return made

    @property
    def file_stem(self) -> str:
        """What the names of the files in `cache_path` begin with."""
        return str(self._impl.filename_base)

    def extend_key(self, signature: Any) -> tuple[Any, ...]:
        """What has to be equal as well, for arguments of these types."""
        del signature
        return ()

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        return (*super()._index_key(sig, codegen), *self.extend_key(sig))


def make_no_cache() -> NullCache:
    """A cache that keeps nothing."""
    return NullCache()


def asked_folder() -> str:
    """The folder for caches that the user asked for (`NUMBA_CACHE_DIR`); "" where there is none."""
    return str(config.CACHE_DIR)


@contextmanager
def use_folder(folder: str) -> Iterator[None]:
    """Caches that are made in the block keep their files in this folder; "": where numba would."""
    before = config.CACHE_DIR
    config.CACHE_DIR = folder
    try:
        yield
    finally:
        config.CACHE_DIR = before


class _CompileListener(Listener):  # type: ignore[misc]
    def __init__(self, started: Callable[[Any], None], ended: Callable[[Any], None]) -> None:
        self._started, self._ended = started, ended

    def on_start(self, event: Event) -> None:
        self._started(event.data["dispatcher"])

    def on_end(self, event: Event) -> None:
        self._ended(event.data["dispatcher"])


def watch_compiler(started: Callable[[Any], None], ended: Callable[[Any], None]) -> None:
    """Call a function with the dispatcher whenever numba begins to compile one, another when it is done."""
    register("numba:compile", _CompileListener(started, ended))
