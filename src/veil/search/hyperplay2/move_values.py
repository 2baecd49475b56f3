"""Values of moves by random playouts from the worlds of many infosets at once (equations 12 to 14).

1. At most `models` worlds of every infoset are drawn by weight.
2. Every (world, move) gets its share of the playouts; the others' moves of the first round are drawn at random.
3. Playouts of all infosets run in few calls. The value of a move is the mean per world, weighted by the worlds (13).

Under a clock, calls are so small that none takes much of the time, and playouts that are too long for it are cut
(`playout_clock`).
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

import numpy as np

from veil.belief.many_records import Records, WorldPool
from veil.engine import Machine
from veil.engine.lanes import empty_tally
from veil.search.contract import TIE
from veil.search.hyperplay2.records import ValuePool
from veil.search.playouts.playout_clock import PlayoutClock
from veil.search.playouts.style import UNIFORM_STYLE, PlayoutStyle

MAX_ROWS = 1 << 12  # playouts in one call: few enough to look at the clock in between
FIRST_VALUES = 1 << 10  # initial room
SHARE = 0.05  # of the time that is left, for one call


class MoveValues(NamedTuple):
    """The values of the moves of one infoset. K moves."""

    moves: np.ndarray  # [K] ascending
    values: np.ndarray  # [K]
    visits: np.ndarray  # [K] playouts

    def best(self) -> np.ndarray:
        """Return the moves of the highest value (14)."""
        top = self.values.max()
        best: np.ndarray = self.moves[self.values >= top - TIE * max(1.0, abs(top))]
        return best


class PlayoutBudget(NamedTuple):
    """The amount of playouts: at most `models` worlds of an infoset, and `playouts` per move and world.

    An infoset with fewer worlds gets as many playouts as one with `models` worlds.
    """

    models: int
    playouts: int
    style: PlayoutStyle = UNIFORM_STYLE


class RecordValues:
    """The values of all moves after records of all roles, once they have been computed."""

    def __init__(self, machine: Machine, records: Records, budget: PlayoutBudget, seed: int) -> None:
        """Draw worlds and play playouts by `seed`."""
        self.machine, self.records, self.budget = machine, records, budget
        self.states_visited = 0
        self.clock = PlayoutClock()
        self.pool = ValuePool(
            np.zeros(FIRST_VALUES, np.int64),
            np.zeros(FIRST_VALUES),
            np.zeros(FIRST_VALUES, np.int64),
            np.zeros(1, np.int64),
        )
        self._seed = np.uint64((seed + 1) & (2**63 - 1))
        self._rng = np.random.SeedSequence(seed).generate_state(1, np.uint64)
        self._layout = machine.row_layout()
        self._tally = empty_tally(MAX_ROWS, len(machine.program.roles), sum(map(len, machine.program.goals)))

    def work_out(
        self,
        role: int,
        worlds: WorldPool,
        numbers: np.ndarray,
        check_clock: Callable[[], None],
        deadline: float | None = None,
    ) -> None:
        """Compute the values of the moves after these records [S] of a role, each of which has worlds.

        `check_clock` is called before every portion of playouts; if it raises, nothing is known of these records.
        Playouts have only as many rounds as there is time for before the deadline.
        """
        from veil.search.hyperplay2.value_kernels import (  # imports numba
            PlayoutRules,
            list_pairs,
            play_pairs,
            store_values,
        )

        machine, layout, style = self.machine, self._layout, self.budget.style
        chance = -1 if machine.program.chance is None else machine.program.chance
        clock, begin = self.clock, 0
        limits = np.array([self.budget.models, self.budget.playouts], np.int64)
        table = self.records.arrays
        pairs = list_pairs(table, worlds, layout, role, numbers, limits, self._seed)
        total = int(pairs.end[-1]) if len(pairs.end) else 0
        while begin < total:
            check_clock()
            now, end = perf_counter(), min(total, begin + clock.portion(deadline, MAX_ROWS, SHARE))
            rounds = clock.rounds(deadline, end - begin)
            rules = PlayoutRules(role, chance, style.foresight, style.discount, rounds)
            visited = int(play_pairs(machine.code, layout, rules, worlds, pairs, begin, end, self._tally, self._rng))
            clock.learn(visited, perf_counter() - now)
            self.states_visited += visited
            begin = end
        self.pool = store_values(table, self.pool, pairs, numbers, len(machine.program.moves[role]))

    def known(self, number: int) -> MoveValues | None:
        """Return the values after a record that have been computed; None if nothing explains the record."""
        table, pool = self.records.arrays, self.pool
        if not table.num_values[number]:
            return None
        rows = slice(table.first_value[number], table.first_value[number] + table.num_values[number])
        return MoveValues(pool.move[rows].copy(), pool.value[rows].copy(), pool.visits[rows].copy())
