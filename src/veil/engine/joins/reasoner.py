"""Single states, asked of a machine that plays from the rules: terms outside, one lane inside."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from veil.engine.joins.machine import RulesMachine
from veil.engine.lanes import FLUENTS, GOALS, LEGAL, MOVES, NEXT, PERCEPTS, TERMINAL
from veil.engine.reasoner import Fluents, Judgement
from veil.vocabulary import Term

T = TypeVar("T")
FUNCTION = ctypes.CFUNCTYPE(None, *(ctypes.c_uint64,) * 3)


class RulesReasoner:
    """Evaluator of states by the rules. A state is a set of fluents."""

    kind = "rules"

    def __init__(self, machine: RulesMachine) -> None:
        self.machine, self.program, code = machine, machine.program, machine.code
        self._areas = code.areas.tolist()
        self._fluent_id = {fluent: i for i, fluent in enumerate(self.program.fluents)}
        self._move_id = [{move: i for i, move in enumerate(moves)} for moves in self.program.moves]
        self._static, self._dynamic, self._percepts = (
            FUNCTION(int(address)) for address in (code.static, code.dynamic, code.percepts)
        )

    def initial(self) -> Fluents:
        """Return the fluents that hold at the start."""
        return frozenset(_select(self.program.fluents, self.program.initial))

    def judge(self, state: Fluents) -> Judgement:
        """Return legal moves, end and goals of a state."""
        values = self._load(state)
        self._run(self._static, values)
        self.machine.check_rounds()
        legal = self._by_role(self.program.moves, values, LEGAL)
        goals = self._by_role(self.program.goals, values, GOALS)
        return Judgement(legal, bool(values[self._areas[TERMINAL], 0]), goals)

    def step(self, state: Fluents, joint_move: Mapping[Term, Term]) -> tuple[Fluents, dict[Term, tuple[Term, ...]]]:
        """Return the next state and the percepts of every role."""
        values, first = self._load(state), self._areas[MOVES]
        for role, ids in zip(self.program.roles, self._move_id, strict=True):
            values[first + ids[joint_move[role]], 0] = 1
            first += len(ids)
        self._run(self._dynamic, values)
        self._run(self._percepts, values)
        self.machine.check_rounds()
        begin = self._areas[NEXT]
        following = frozenset(_select(self.program.fluents, values[begin : begin + len(self.program.fluents), 0]))
        return following, self._by_role(self.program.percepts, values, PERCEPTS)

    def _load(self, state: Iterable[Term]) -> np.ndarray:
        """Return the value array with a state in its first lane, the only one that matters."""
        self.machine.expect_all_words()
        values = np.zeros((self.machine.code.num_slots, self.machine.width), np.uint64)
        values[1, 0] = 1
        values[[self._areas[FLUENTS] + self._fluent_id[fluent] for fluent in state], 0] = 1
        return values

    def _run(self, function: ctypes._CFunctionType, values: np.ndarray) -> None:
        function(values.ctypes.data, 0, 0)
        self.machine.check()

    def _by_role(self, words: Sequence[tuple[T, ...]], values: np.ndarray, area: int) -> dict[Term, tuple[T, ...]]:
        """Return what holds for each role."""
        found, begin = {}, self._areas[area]
        for role, own in zip(self.program.roles, words, strict=True):
            found[role] = _select(own, values[begin : begin + len(own), 0])
            begin += len(own)
        return found


def _select(words: tuple[T, ...], holds: np.ndarray) -> tuple[T, ...]:
    """Return the words whose entry is set."""
    return tuple(words[i] for i in np.flatnonzero(holds))
