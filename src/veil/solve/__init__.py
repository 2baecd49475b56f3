"""The whole game in memory: the explicit tree, its sequences, equilibrium, best response, exploitability.

`veil.solve` is this room and, because that is what one wants to write, also the function: `veil.solve(game, "lp")`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Room(ModuleType):
    """A package that can be called."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        """The same as `veil.solve.solvers.solve`."""
        from veil.solve.solvers import solve

        return solve(*args, **options)


sys.modules[__name__].__class__ = _Room
