"""Imported by one process alone: the server that players are forked from. It imports and warms up what players use.

To bring up a process for a player takes seconds: Python, NumPy, numba, kernels. `multiprocessing` has a server that is
brought up once and forks a process whenever one is wanted; it imports this module before the first. A process that is
forked from it is as new as any other, and what it changes is its own.
"""

from __future__ import annotations

from contextlib import suppress

from veil.match.executors.processes import watch_parent

# What could not be prepared here is done by the player itself, or refused there.
with watch_parent(), suppress(Exception):
    from veil.belief import warm_up
    from veil.players import PLAYERS

    for name in PLAYERS:
        with suppress(Exception):  # a row of somebody's package
            PLAYERS[name].maker()
    warm_up()
