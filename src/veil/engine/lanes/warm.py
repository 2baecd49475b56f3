"""The kernels, compiled: once per machine, with a word to whoever waits; without a cache where none can be written."""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
from collections.abc import Callable
from functools import cache as once
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from veil.engine.lanes import cache, jit

NOTE = "note: compiling kernels for this machine, once; this takes a little while ..."
NO_CACHE = "note: cannot keep compiled kernels ({reason}); they are compiled in memory, each time"


@once
def engine_kernels() -> ModuleType:
    """The kernels of the engine, every one of them compiled or read from the cache."""
    return load_kernels("veil.engine.lanes.kernels", exercise)


def load_kernels(name: str, exercise: Callable[[ModuleType], None]) -> ModuleType:
    """A module of kernels; `exercise` calls each of them once, so that none is compiled later."""
    try:
        module = importlib.import_module(name)
        stamp = cache.folder() / f"kernels-{_fingerprint(module)}"
        if not stamp.exists():
            cache.say_once(NOTE)
        exercise(module)
        _touch(stamp)
    except (OSError, RuntimeError) as error:
        # Numba found no place for its cache, or no room in it.
        cache.say_once(NO_CACHE.format(reason=str(error).splitlines()[0][:100]))
        os.environ["VEIL_KERNEL_CACHE"] = "0"
        module = importlib.import_module(name)
        for loaded in list(jit.MODULES):  # kernels call each other, so all of them
            importlib.reload(sys.modules[loaded])
        exercise(module)
    return module


def tiny_code() -> Any:
    """A game that is over before it begins, with one role, one move and one percept: to call kernels with."""
    module = importlib.import_module("veil.engine.lanes.kernels")
    starts = np.array([0, 1], np.int64)
    return module.Code(
        static=np.uint64(0),
        dynamic=np.uint64(0),
        percepts=np.uint64(0),
        choose=np.uint64(0),
        advance=np.uint64(0),
        block_start=np.array([0, 2, 2], np.int64),
        block_recursive=np.zeros(2, np.bool_),
        part_start=np.array([0, 1, 1, 2], np.int64),
        gate_slot=np.array([4, 6], np.int64),  # legal and terminal hold
        gate_start=np.array([0, 1, 2], np.int64),
        term_start=np.array([0, 1, 2], np.int64),
        literal=np.array([2, 2], np.int64),
        areas=np.array([2, 3, 4, 5, 6, 7, 8, 9, 10], np.int64),
        num_slots=np.int64(10),
        num_fluents=np.int64(1),
        role_moves=starts,
        role_percepts=starts,
        goal_start=np.array([0, 1], np.int64),
        goal_value=np.array([100], np.int64),
    )


def exercise(module: ModuleType) -> None:
    """Call every kernel once."""
    code = tiny_code()
    rows, index, column = np.zeros((1, 1), np.uint64), np.zeros(1, np.int64), np.zeros(1, np.int64)
    counts = np.zeros((1, 1), np.int64)
    module.judge_rows(code, 4, rows, index, rows.copy(), column, np.zeros(1, np.bool_), counts)
    module.step_rows(code, 4, rows, index, counts, rows.copy(), rows.copy(), column)
    module.evaluate_rows(code, 4, rows, rows.copy())
    tally = module.Tally(
        counts.copy(), counts.copy(), column.copy(), column.copy(), np.zeros(9, np.int64), np.zeros(3, np.int64)
    )
    module.play_blocks(code, 4, rows, index, np.ones(1, np.int64), np.ones(2, np.uint64), 0, 1, 9, tally)
    assert tally.playouts[0] == 1
    words = np.zeros(1, np.uint64)
    module.list_joint_moves(rows, np.array([0, 1]), np.ones(1, np.bool_), 0, counts[0], 1, words)


def _fingerprint(module: ModuleType) -> str:
    import numba

    path = Path(str(module.__file__))  # numba keeps its cache beside the file
    text = path.read_bytes() + f"{path} {numba.__version__} {sys.version}".encode()
    return hashlib.sha256(text).hexdigest()[:16]


def _touch(stamp: Path) -> None:
    try:
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.touch()
    except OSError:
        pass  # the note will come again, nothing else
