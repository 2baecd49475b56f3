"""On which board a move has its effect: where a family makes a board for each of its values, random games show it.

A shot at `(shoot 2 3)` may mean the cell of one's own board or of the other's. The rules may say so by a detour; the
cell that changes says it at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np

from veil.engine import draw_rows_uniformly, unpack
from veil.report.views.planning import ViewPlan

GAMES, MAX_ROUNDS, SEED = 32, 60, 1


def count_effects(plan: ViewPlan, role_id: int, cells_of: Callable[[int], dict[int, tuple[int, int]]]) -> Counter[int]:
    """How often the cell that a move of a role names changes, by board; `cells_of` gives its cells, by board."""
    game, counts = plan.game, Counter[int]()
    machine, rng = game.machine, np.random.default_rng(SEED)
    fluents_at = _fluents_by_cell(plan)
    states = machine.initial_states(GAMES)
    for _ in range(MAX_ROUNDS):
        judged = machine.judge(states)
        legal = machine.legal_bits(judged)
        going = ~judged.terminal & np.all([bits.any(axis=1) for bits in legal], axis=0)
        if not going.any():
            break
        joint = np.stack([draw_rows_uniformly(bits[going], rng) for bits in legal], axis=1)
        following = machine.step(states[going], joint).states
        changed = unpack(states[going] ^ following, len(game.program.fluents))
        for move, row in zip(joint[:, role_id].tolist(), changed, strict=True):
            for board, cell in cells_of(move).items():
                counts[board] += bool(row[fluents_at.get((board, *cell), [])].any())
        states = following
    return counts


def _fluents_by_cell(plan: ViewPlan) -> dict[tuple[int, int, int], list[int]]:
    """The fluents that are drawn in each cell."""
    found: dict[tuple[int, int, int], list[int]] = {}
    for fluent, spot in plan.spots.items():
        found.setdefault(spot[:3], []).append(fluent)
    return found
