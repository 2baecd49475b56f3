"""The imports of the fork server, from which players and workers of the studio are forked. Only it imports this module.

Starting such a process takes seconds: Python, NumPy, numba, kernels. The fork server of `multiprocessing` starts once,
imports this module, and then forks each process. A forked process has its own memory: its changes do not reach others.
"""

from __future__ import annotations

from contextlib import suppress

from veil.match.executors.processes import watch_parent

# If something fails here, the forked process does it again, or refuses it.
with watch_parent(), suppress(Exception):
    import veil.match
    from veil.belief import SAMPLERS, warm_up
    from veil.players import PLAYERS

    for table in (PLAYERS, SAMPLERS):
        for name in table:
            with suppress(Exception):  # a row of another package may fail
                table[name].maker()
    for name in dir(veil.match):
        getattr(veil.match, name)
    warm_up()
