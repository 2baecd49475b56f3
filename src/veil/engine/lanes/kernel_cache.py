"""Compiled kernels on disk: where they are stored, and what has to be equal for a kernel to be used again.

Numba names a file after its kernel and uses it as long as the kernel's own source file has not changed. But a kernel
also contains the kernels it calls and the constants it uses, from any module, so these are part of its key here.
Damaged files are compiled again. If nothing can be stored, kernels are compiled in memory, and a note says so.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache as once, lru_cache
from pathlib import Path
from time import time
from typing import Any

import numpy as np

from veil.compat.numba import DiskCache, asked_folder, make_no_cache, use_folder
from veil.engine.lanes import cache
from veil.engine.lanes.preparation import PREPARATION
from veil.private_folders import choose_private_folder, make_private_folder

LEFT_SECONDS = 3600.0  # after which a temporary file of numba is a leftover
MAX_SOURCES = 256  # number of files whose digests are cached; there are fewer files with kernels
NO_CACHE = "note: cannot keep compiled kernels ({reason}); they are compiled in memory, each time"


class KernelCache(DiskCache):
    """Numba's cache of one kernel, shared by processes."""

    @property
    def lock_path(self) -> Path:
        """The file that the process holds which compiles this kernel."""
        return Path(self.cache_path) / f"{self.file_stem}.lock"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled kernel for these argument types, or None; then this process has to compile it."""
        compiled = self._load(sig, target_context)
        if compiled is None and PREPARATION.wait_for_turn(self.lock_path):
            compiled = self._load(sig, target_context)  # another process may have compiled it in the meantime
        return compiled

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store a compiled kernel if there is room."""
        try:
            _remove_leftovers(self.cache_path)
            super().save_overload(sig, data)
        except OSError as error:
            cache.say_once(NO_CACHE.format(reason=error.strerror))

    def _load(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # a damaged pickle can raise anything
            try:
                self.flush()
            except OSError as error:
                cache.say_once(NO_CACHE.format(reason=error.strerror))
            return None

    def extend_key(self, signature: Any) -> tuple[Any, ...]:
        """Return the fields of records among the arguments, and all that the kernel is made of."""
        return tuple(map(_field_names, signature)), _digest(self.function)


def _remove_leftovers(folder: str) -> None:
    """Remove temporary files of processes that were killed while they wrote a kernel, at least an hour ago."""
    for path in Path(folder).glob("*.tmp.*"):
        with suppress(OSError):
            if time() - path.stat().st_mtime > LEFT_SECONDS:
                path.unlink()


def make_cache(function: Callable[..., Any]) -> Any:
    """Return the cache of a kernel; one that keeps nothing where no folder can be written to."""
    try:
        with use_folder(choose_folder()):  # functions that are not ours keep their own
            return KernelCache(function)
    except RuntimeError:
        cache.say_once(NO_CACHE.format(reason=f"cannot write to {cache.cache_folder()}"))
        return make_no_cache()


@once
def choose_folder() -> str:
    """Return the folder for compiled kernels: `NUMBA_CACHE_DIR`, or ours if it can be written to, or "".

    Folders that other users can write to are not used.

    With "" numba chooses: the folder of the sources, or one in the user's home.
    """
    if asked_folder():
        _, reason = choose_private_folder(Path(asked_folder()), cache.cache_folder() / "kernels")
        if reason is None:
            return asked_folder()
        cache.say_once(f"note: {reason}, so compiled kernels are not read from there")
    try:
        folder = make_private_folder(make_private_folder(cache.cache_folder()) / "kernels")
        with tempfile.TemporaryFile(dir=folder):
            return str(folder)
    except OSError:
        return ""


def called_kernels(function: Callable[..., Any], seen: set[Any] | None = None) -> Iterator[Any]:
    """Yield the kernels that a Python function calls by name, directly or through others, each once."""
    seen = set() if seen is None else seen
    for name in function.__code__.co_names:
        value: Any = function.__globals__.get(name)
        if hasattr(value, "py_func") and value not in seen:
            seen.add(value)
            yield value
            yield from called_kernels(value.py_func, seen)


def _field_names(kind: Any) -> tuple[Any, ...]:
    """Return the field names of a record type in order, with those of records inside; () for other types."""
    names = getattr(kind, "fields", ())
    return (names, *map(_field_names, kind.types)) if names else ()


def _digest(function: Callable[..., Any]) -> str:
    """Return a digest of a kernel: the sources of the kernels it calls, and numbers from other modules."""
    functions = [function, *(called.py_func for called in called_kernels(function))]
    digest = hashlib.sha256()
    for path in sorted({inspect.getfile(part) for part in functions}):
        digest.update(_source_digest(path, os.stat(path).st_mtime))
    numbers = {
        f"{part.__qualname__}: {name} = {value!r}"
        for part in functions
        for name in part.__code__.co_names
        if isinstance(value := part.__globals__.get(name), int | float | np.generic)
    }
    digest.update("\n".join(sorted(numbers)).encode())
    return digest.hexdigest()


@lru_cache(maxsize=MAX_SOURCES)
def _source_digest(path: str, modified: float) -> bytes:
    return hashlib.sha256(Path(path).read_bytes()).digest()
