"""`StageGraph`: what a role can conclude about every round from its record, and histories that fit (figures 5 and 6).

For every round it knows of each fluent whether it is true, false or unknown, and which moves of each role are
plausible. The circuit of the game is unrolled over the rounds (`stage_records`). Kernels add a round
(`observation_kernels`), draw conclusions through the gates (`propagation_kernels`), test plausible moves in lanes
(`candidate_kernels`) and choose moves (`choice_kernels`).

A move is excluded only if no history with it explains the record, so the graph never loses a history; it may keep
moves that no history has.
"""

from __future__ import annotations

from copy import copy
from time import perf_counter
from typing import NamedTuple, Self
from weakref import WeakKeyDictionary

import numpy as np

from veil.belief.csp.candidate_kernels import reevaluate
from veil.belief.csp.choice_kernels import sample, search
from veil.belief.csp.guide_kernels import weigh_moves
from veil.belief.csp.observation_kernels import begin_first_row, observe_round
from veil.belief.csp.propagation_kernels import take_back
from veil.belief.csp.relevance_kernels import find_live
from veil.belief.csp.stage_records import (
    BASE,
    FALSE,
    STEPS,
    TOP,
    TRUE,
    UNKNOWN,
    Choices,
    Learned,
    Planes,
    Solutions,
    Stages,
)
from veil.clock import pace
from veil.engine import Machine
from veil.engine.lanes import Wiring, unpack, wire_circuit

ROWS = 8  # at first
NO_GOODS, LONGEST = 256, 8  # how many are kept, and how many moves each has at most
AT_ONCE = 100  # choices of a search between two looks at the clock, at most


class Sampled(NamedTuple):
    """N histories. T rounds, R roles."""

    histories: np.ndarray  # [N, T, R]
    log_choices: np.ndarray  # [N] log of 1 / (the probability of these choices)
    made: int  # choices on the way
    complete: bool = False  # whether these are all histories


class StageGraph:
    """The stage graph of a role. `is_consistent` is False if it has been proved that nothing explains the record."""

    def __init__(self, machine: Machine, role: int, seed: int = 0, *, lanes: bool = True, guided: bool = False) -> None:
        """With `lanes`, plausible moves are tested in lanes as well, which excludes more of them.

        With `guided`, moves are drawn by how likely the record makes them, otherwise uniformly.
        """
        self.machine, self.role, self.rounds, self.lanes, self.guided = machine, role, 0, lanes, guided
        self.wiring = find_wiring(machine, role)
        self.is_consistent, self._pruned = True, ""
        self._rng = np.random.SeedSequence((seed, role)).generate_state(1, np.uint64)
        self._stages = self._allocate(ROWS)
        self._no_goods = np.zeros(1, np.int64), np.full((NO_GOODS, LONGEST), -1, np.int64)
        self._weights = np.ones((0, len(self.wiring.move_role)))
        slots = self.wiring.num_slots
        words, flags = np.zeros((2, slots), np.uint64), np.zeros((2, slots), np.bool_)
        self._planes = Planes(words[0], words[1], flags[0], flags[1], np.zeros(1, np.int64))
        self._begin()

    @property
    def passes(self) -> int:
        """The number of passes in lanes so far, of at most 64 moves each."""
        return int(self._planes.passes[0])

    @property
    def steps(self) -> int:
        """The number of conclusions drawn so far."""
        return int(self._stages.state[STEPS])

    def copy(self) -> Self:
        """Return an independent graph with the same knowledge."""
        twin = copy(self)
        twin._stages = Stages(*(part.copy() for part in self._stages))
        twin._planes = Planes(*(part.copy() for part in self._planes))
        twin._rng = self._rng.copy()
        kept, moves = self._no_goods
        twin._no_goods = kept.copy(), moves.copy()
        return twin

    def observe(self, own_move: int, percepts: np.ndarray, over: bool = False) -> bool:
        """Observe one more round, with percepts [words]; return False if nothing can explain it."""
        if not self.is_consistent:
            return False
        if self.rounds + 2 > len(self._stages.value):
            self._grow()
        wiring, stages = self.wiring, self._stages
        seen = unpack(percepts[None, :], len(wiring.percepts))[0]
        slot = wiring.moves + int(wiring.role_moves[self.role]) + own_move
        self.rounds += 1
        if self._pruned:
            stages.live[:] = True
            self._pruned = ""
        self.is_consistent = observe_round(wiring, stages, self._planes, slot, seen, over)
        if self.is_consistent and self.lanes:
            self.is_consistent = reevaluate(wiring, stages, self._planes)
        stages.state[BASE] = stages.state[TOP]
        return self.is_consistent

    def plausible(self, round_index: int, role: int) -> np.ndarray:
        """Return which moves [moves] of a role are plausible in a round, counted from 0."""
        begin, end = (int(start) for start in self.wiring.moves + self.wiring.role_moves[role : role + 2])
        kept: np.ndarray = self._stages.value[round_index, begin:end] != FALSE
        return kept

    def count_plausible(self) -> float:
        """Count the histories that can be made of plausible moves: at least the size of the infoset."""
        return float(np.prod(np.maximum(1, self._stages.plausible[: self.rounds]), dtype=np.float64))

    def stage(self, round_index: int) -> tuple[np.ndarray, np.ndarray]:
        """Return ([fluents], [fluents]): which are known to be true, and which false, before a round (from 0)."""
        begin = self.wiring.fluents
        values = self._stages.value[round_index, begin : begin + self.wiring.num_fluents]
        return values == TRUE, values == FALSE

    def sample(
        self, tries: int, *, constrained: bool = True, lanes: bool = False, ignore_termination: bool = False
    ) -> Sampled:
        """Make `tries` attempts that choose moves at random and may fail (figure 5); `lanes`: test at every choice.

        With `ignore_termination`, the game may be over too early in the histories that are found; this saves
        conclusions that are seldom of use.
        """
        found = self._solutions(tries)
        how = np.array([constrained, lanes], np.int64)
        choices, learned = self._choices(ignore_termination)
        count, made = sample(self.wiring, self._stages, self._planes, choices, learned, how, tries, found, self._rng)
        return Sampled(found.history[:count], found.log_choices[:count], made)

    def search(self, count: int, budget: int, *, constrained: bool = True, deadline: float | None = None) -> Sampled:
        """Find `count` distinct histories, one after the other, or all if there are fewer; go back on conflicts.

        The search ends after `budget` choices, or at the deadline.
        """
        found = self._solutions(count)
        choices, learned = self._choices(ignore_termination=False)
        progress, complete = np.array([0, 0, 0, 1]), False
        wiring, stages = self.wiring, self._stages
        ends = perf_counter() + 1e9 if deadline is None else deadline
        try:
            for portion in pace(ends):
                part = min(budget, int(progress[1]) + min(portion, AT_ONCE))
                complete = search(wiring, stages, choices, learned, int(constrained), part, found, progress, self._rng)
                if complete or progress[0] == count or progress[1] >= budget:
                    break
        finally:
            take_back(wiring, stages, learned, int(stages.state[BASE]))
        number = int(progress[0])
        return Sampled(found.history[:number], found.log_choices[:number], int(progress[1]), complete)

    def _begin(self) -> None:
        """Begin the first row with the initial state."""
        begin_first_row(self.wiring, self._stages, self._planes, self.machine.program.initial.copy())
        self._stages.state[BASE] = self._stages.state[TOP]

    def _solutions(self, count: int) -> Solutions:
        roles = len(self.machine.program.roles)
        return Solutions(np.zeros((count, self.rounds, roles), np.int32), np.zeros(count))

    def _choices(self, ignore_termination: bool) -> tuple[Choices, Learned]:
        """Allocate the choices of an attempt: a variable per round and role that has more than one plausible move."""
        self._prune(ignore_termination)
        plausible = self._stages.plausible[: self.rounds]
        # Kernels need contiguous arrays: other arrays have another type.
        rows, roles = map(np.ascontiguousarray, np.nonzero(plausible > 1))
        size = len(rows) + 1
        most = int(plausible[rows, roles].sum()) + 1
        choices = Choices(
            rows,
            roles,
            np.zeros(size, np.int64),
            np.zeros(size, np.int64),
            self._weights,
            np.zeros(size, np.bool_),
            np.zeros(len(self._stages.trail), np.bool_),
        )
        refuted = np.zeros(1, np.int64), np.zeros((most, size), np.bool_)
        return choices, Learned(*refuted, *self._no_goods)

    def _prune(self, ignore_termination: bool) -> None:
        """Find out what matters for choices; everything matters again when the next round is observed."""
        way = "ignore_termination" if ignore_termination else "all"
        if self._pruned != way:
            find_live(self.wiring, self._stages, ignore_termination)
            self._pruned = way
            self._weights = np.ones((self.rounds, len(self.wiring.move_role)))
            if self.guided:
                weigh_moves(self.wiring, self._stages, self._weights)

    def _allocate(self, rows: int) -> Stages:
        wiring = self.wiring
        slots, gates, terms = wiring.num_slots, len(wiring.gate_slot), len(wiring.term_gate)
        return Stages(
            state=np.zeros(7, np.int64),
            value=np.full((rows, slots), UNKNOWN, np.int8),
            reason=np.zeros((rows, slots), np.int32),
            place=np.zeros((rows, slots), np.int32),
            true_count=np.zeros((rows, terms), np.int16),
            false_count=np.zeros((rows, terms), np.int16),
            open_count=np.zeros((rows, gates), np.int32),
            plausible=np.zeros((rows, len(wiring.role_moves) - 1), np.int32),
            touched=np.zeros(rows, np.bool_),
            live=np.ones((rows, slots), np.bool_),
            trail=np.zeros(rows * slots, np.int32),
        )

    def _grow(self) -> None:
        """Double the number of rows."""
        old, new = self._stages, self._allocate(2 * len(self._stages.value))
        for before, after in zip(old, new, strict=True):
            after[: len(before)] = before
        self._stages = new


_WIRINGS: WeakKeyDictionary[Machine, dict[int, Wiring]] = WeakKeyDictionary()


def find_wiring(machine: Machine, role: int) -> Wiring:
    """Return the wiring of a game for a role. It is cached as long as the machine exists."""
    wirings = _WIRINGS.setdefault(machine, {})
    if role not in wirings:
        wirings[role] = wire_circuit(machine.program, machine.circuit, role)
    return wirings[role]
