"""Kernels that a test writes to a file, so that they can be changed and imported anew, as by another process."""

from __future__ import annotations

import sys
from importlib import util
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

NUMBERS = count()
INNER = """
from veil.engine.lanes import kernel

@kernel
def inner(x: int) -> int:
    return 2 * x
"""
OUTER = """
from veil.engine.lanes import kernel

@kernel
def outer(x: int) -> int:
    return inner(x) + EXTRA
"""


def import_anew(path: Path, **names: object) -> ModuleType:
    """The module in this file, executed once more; `names` are there before its first line."""
    spec = util.spec_from_file_location(f"throwaway_{next(NUMBERS)}", path)
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    sys.modules[spec.name] = module
    vars(module).update(names)
    spec.loader.exec_module(module)
    return module


def was_compiled(kernel: Any) -> bool:
    """Whether a kernel that has been called was compiled then; False: it was read from disk."""
    return bool(sum(kernel.stats.cache_misses.values()))


def import_as_process(folder: Path, extra: int = 1) -> ModuleType:
    """Both files, imported as by a new process; the second takes a kernel and a number from elsewhere."""
    inner = import_anew(folder.parent / "inner.py").inner
    return import_anew(folder.parent / "outer.py", inner=inner, EXTRA=extra)
