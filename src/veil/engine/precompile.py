"""Kernels made ready before a clock runs, by playing a tiny bundled game through each of them.

A kernel is compiled, or read from disk, when it is first called; that takes from milliseconds to seconds. Whoever has
to answer in time calls `warm_up` of the rooms it uses first: `belief` and `equilibrium` have their own, which warm up
the engine as well.
"""

from __future__ import annotations

from functools import cache

from veil.engine.game import Game
from veil.engine.loading import load


@cache
def tiny_game() -> Game:
    """A bundled game with chance, two roles, percepts and forced moves, all of it small."""
    return load("kuhn_poker")


@cache
def warm_up() -> None:
    """Make the kernels of the engine ready, once per process."""
    machine = tiny_game().machine
    states = machine.initial_states()
    rows, joint_moves = machine.joint_moves(states)
    machine.step_from(states, rows, joint_moves)
    machine.playouts(states, 1, seed=0)
