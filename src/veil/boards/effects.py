"""What random games show about cells: where a move has its effect, and to which board a mark belongs.

A shot `(shoot 2 3)` and the mark `(shot red 2 3)` that it leaves may mean a cell of red's own board or of the other's.
The rules say it indirectly; the cells that change together show it at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from veil.boards.view_plan import ViewPlan
from veil.engine import Game, draw_rows_uniformly
from veil.engine.lanes import unpack

GAMES, MAX_ROUNDS, SEED = 32, 60, 1

Cells = dict[int, tuple[int, int]]  # board -> row and column


class Transitions(NamedTuple):
    """Steps of random games. N steps, R roles, F fluents."""

    joint: np.ndarray  # [N, R] moves
    before: np.ndarray  # [N, F] bool
    after: np.ndarray  # [N, F] bool


@lru_cache(maxsize=2)
def sample_transitions(game: Game) -> Transitions:
    """Return every step of a few random games."""
    machine, rng, fluents = game.machine, np.random.default_rng(SEED), len(game.program.fluents)
    states, steps = machine.initial_states(GAMES), []
    for _ in range(MAX_ROUNDS):
        judged = machine.judge(states)
        legal = machine.legal_bits(judged)
        going = ~judged.terminal & np.all([bits.any(axis=1) for bits in legal], axis=0)
        if not going.any():
            break
        joint = np.stack([draw_rows_uniformly(bits[going], rng) for bits in legal], axis=1)
        following = machine.step(states[going], joint).states
        steps.append((joint, unpack(states[going], fluents), unpack(following, fluents)))
        states = following
    none = (np.zeros((0, len(game.roles)), np.int64), *(np.zeros((0, fluents), np.bool_) for _ in range(2)))
    return Transitions(*(np.concatenate(parts) for parts in zip(none, *steps, strict=True)))


def count_effects_of_moves(plan: ViewPlan, role_id: int, cells_of: Callable[[int], Cells]) -> Counter[int]:
    """Count how often the cell that a move of a role names changes, by board.

    `cells_of` returns the cells of a move.
    """
    steps = sample_transitions(plan.game)
    happened = ((row, cells_of(int(move))) for row, move in enumerate(steps.joint[:, role_id]))
    return _count(plan, steps, happened)


def count_effects_of_marks(plan: ViewPlan, cells_of: dict[int, Cells]) -> Counter[int]:
    """Count how often the cell of a mark changes when the mark appears, by board; `cells_of` a fluent are its cells."""
    steps = sample_transitions(plan.game)
    marks = np.array(list(cells_of), np.int64)
    rows, found = np.nonzero(~steps.before[:, marks] & steps.after[:, marks])
    happened = ((int(row), cells_of[int(marks[mark])]) for row, mark in zip(rows, found, strict=True))
    return _count(plan, steps, happened)


def _count(plan: ViewPlan, steps: Transitions, happened: Iterator[tuple[int, Cells]]) -> Counter[int]:
    """Count how often one of the cells that belong to a step changed in it, by board."""
    fluents_at: dict[tuple[int, int, int], list[int]] = {}
    for fluent, spot in plan.spots.items():
        fluents_at.setdefault(spot[:3], []).append(fluent)
    counts = Counter[int]()
    for row, cells in happened:
        for board, cell in cells.items():
            here = fluents_at.get((board, *cell), [])
            counts[board] += bool((steps.before[row, here] != steps.after[row, here]).any())
    return counts


def find_clear_winner(counts: Counter[int], clear: float = 4.0) -> int | None:
    """Return the entry that was counted `clear` times as often as every other; None if there is none."""
    ranked = counts.most_common(2)
    if not ranked or not ranked[0][1] or (len(ranked) > 1 and ranked[1][1] * clear > ranked[0][1]):
        return None
    return ranked[0][0]
