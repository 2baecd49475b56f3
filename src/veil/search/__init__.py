"""Online search: functions from (machine, belief, budget, random numbers) to values of moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.search.hyperplay2 import (
        Pruning as Pruning,
        Simulations as Simulations,
        chance_role as chance_role,
        check_discount as check_discount,
        simulate_moves as simulate_moves,
    )
    from veil.search.montecarlo import (
        MoveValues as MoveValues,
        Tally as Tally,
        draw_moves as draw_moves,
        per_world as per_world,
    )
    from veil.search.nested import NestedPlayers as NestedPlayers
    from veil.search.pimc import Forest as Forest

__getattr__, __dir__ = lazy_face(
    __name__,
    {
        "hyperplay2": "Pruning Simulations chance_role check_discount simulate_moves",
        "montecarlo": "MoveValues Tally draw_moves per_world",
        "nested": "NestedPlayers",
        "pimc": "Forest",
    },
)
