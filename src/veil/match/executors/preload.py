"""The imports of the fork server, from which the processes of players are forked. Only the server imports this module.

Starting a process for a player takes seconds: Python, NumPy, numba, kernels. The fork server of `multiprocessing`
starts once, imports this module, and then forks a process for each player. A forked process has its own memory: its
changes do not reach other processes.
"""

from __future__ import annotations

from contextlib import suppress

from veil.match.executors.processes import watch_parent

# If something fails here, the process of the player does it again, or refuses it.
with watch_parent(), suppress(Exception):
    from veil.belief import warm_up
    from veil.players import PLAYERS

    for name in PLAYERS:
        with suppress(Exception):  # a row of another package may fail
            PLAYERS[name].maker()
    warm_up()
