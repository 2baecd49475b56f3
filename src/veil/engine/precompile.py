"""Compilation of kernels before a clock runs, by playing a tiny bundled game through each of them.

A kernel is compiled, or read from disk, at its first call; that takes from milliseconds to seconds. A program that has
to answer in time first calls `warm_up` of the rooms it uses. `belief` and `equilibrium` have their own, which warm up
the engine as well.
"""

from __future__ import annotations

from functools import cache

from veil.engine.game import Game
from veil.engine.loader import load


@cache
def tiny_game() -> Game:
    """Return a small bundled game with chance, two roles, percepts and forced moves."""
    return load("kuhn_poker")


@cache
def warm_up() -> None:
    """Compile the kernels of the engine or read them from disk, once per process."""
    machine = tiny_game().machine
    states = machine.initial_states()
    rows, joint_moves = machine.joint_moves(states)
    machine.step_from(states, rows, joint_moves)
    machine.playouts(states, 1, seed=0)
