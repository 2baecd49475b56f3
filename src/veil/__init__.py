"""Veil plays, analyses and solves any game with hidden information, from its rules alone.

>>> import veil
>>> game = veil.load("monty_hall")
>>> game.roles
['random', 'contestant']
>>> state = game.initial_state()
>>> state.legal("contestant")
['(choose 1)', '(choose 2)', '(choose 3)']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from veil._version import __version__
from veil.errors import VeilError

if TYPE_CHECKING:
    from veil.engine.game import Game, State
    from veil.engine.ground import GroundLimits
    from veil.engine.load import load
    from veil.solve.policy import Policy
    from veil.solve.solvers import Solution, solve

__all__ = ["Game", "GroundLimits", "Policy", "Solution", "State", "VeilError", "__version__", "load", "solve"]

_HOMES = {
    "load": "veil.engine.load",
    "Game": "veil.engine.game",
    "State": "veil.engine.game",
    "GroundLimits": "veil.engine.ground",
    "solve": "veil.solve.solvers",
    "Policy": "veil.solve.policy",
    "Solution": "veil.solve.solvers",
}


def __getattr__(name: str) -> Any:
    """Import on first use: `veil --help` and the grounding process should not wait for NumPy."""
    if name not in _HOMES:
        raise AttributeError(f"module 'veil' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
