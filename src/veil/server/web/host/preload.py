"""Imports for one process alone: the server that forks the workers. It imports and compiles what they use.

A worker that is forked from it is ready within milliseconds, and its changes are its own.
"""

from __future__ import annotations

from contextlib import suppress

from veil.match import watch_parent

# If something cannot be prepared here, the worker does it itself or refuses.
with watch_parent(), suppress(Exception):
    import veil.match
    import veil.report
    from veil.belief import SAMPLERS, warm_up
    from veil.players import PLAYERS

    for table in (PLAYERS, SAMPLERS):
        for name in table:
            with suppress(Exception):  # a row of somebody's package
                table[name].maker()
    for room in (veil.match, veil.report):
        for name in room.__all__:
            getattr(room, name)
    warm_up()
