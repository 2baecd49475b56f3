"""Lazy faces of rooms: a room is used through its `__init__` only, and imports a name when it is first used.

A room lists its public names once, in `__init__.pyi`, as imports for type checkers; `lazy_face` reads them there at run
time. Importing a room costs nothing until one of its names is used; NumPy, numba and SciPy take a second together.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

IMPORT = re.compile(r"^from (\S+) import (\([^)]*\)|.*)$", re.MULTILINE)
NAME = re.compile(r"\b(?!__)(\w+) as \1\b")  # `X as X`: the name is public


def lazy_face(room: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of the room with this `__init__.py`."""
    with open(f"{file}i", encoding="utf-8") as stub:
        home_of = {name: module for module, names in IMPORT.findall(stub.read()) for name in NAME.findall(names)}
    public = sorted(home_of)

    def get(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        value = getattr(import_module(home_of[name]), name)
        setattr(sys.modules[room], name, value)  # later uses find it directly
        return value

    return get, lambda: public, public
