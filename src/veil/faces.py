"""Rooms that are entered through their `__init__` alone, and import what is behind a name when it is first used.

A room's `__init__` lists its public names twice: for type checkers under `if TYPE_CHECKING`, and in the `else` for
`lazy_face`, which finds them at run time (type checkers must not see it: they would take any name for granted).
`tests/test_house_style.py` holds the two together. Importing a room costs nothing until one of its names is used;
NumPy, numba and SciPy take a second together.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_face(room: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a room: `homes` maps each module to the names it makes public."""
    home_of = {name: module for module, names in homes.items() for name in names.split()}
    public = sorted(home_of)

    def get(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        value = getattr(import_module(f"{room}.{home_of[name]}"), name)
        setattr(sys.modules[room], name, value)  # found at once from now on
        return value

    return get, lambda: public, public
