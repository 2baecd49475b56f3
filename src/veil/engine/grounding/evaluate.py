"""Evaluation of a `GroundProgram`, one state at a time: the plain meaning of its arrays, to test the machine against.

Strata are evaluated in order. A stratum gathers its body literals, computes one AND per rule and scatters the results
to the heads; a recursive stratum is repeated until nothing changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np

from veil.engine.grounding.program import TRUE, GroundProgram
from veil.engine.reasoner import Fluents, Judgement
from veil.vocabulary import Term

T = TypeVar("T")


class GroundReasoner:
    """Evaluator of states by a ground program. A state is a set of fluents."""

    kind = "ground program"

    def __init__(self, program: GroundProgram) -> None:
        self.program = program
        self._fluent_id = {fluent: i for i, fluent in enumerate(program.fluents)}
        self._move_id = [{move: i for i, move in enumerate(moves)} for moves in program.moves]

    def initial(self) -> Fluents:
        return self._state(self.program.initial)

    def judge(self, state: Fluents) -> Judgement:
        program = self.program
        values = self._load(state)
        evaluate(program, values, 0, program.static_strata)
        legal = {
            role: _select(moves, values[atoms])
            for role, moves, atoms in zip(program.roles, program.moves, program.legal_atoms, strict=True)
        }
        goals = {
            role: tuple(sorted(set(_select(goals, values[atoms]))))
            for role, goals, atoms in zip(program.roles, program.goals, program.goal_atoms, strict=True)
        }
        return Judgement(legal, bool(values[program.terminal_atom]), goals)

    def step(self, state: Fluents, joint_move: Mapping[Term, Term]) -> tuple[Fluents, dict[Term, tuple[Term, ...]]]:
        program = self.program
        values = self._load(state)
        for role, atoms, moves in zip(program.roles, program.move_atoms, self._move_id, strict=True):
            values[atoms[moves[joint_move[role]]]] = True
        evaluate(program, values, 0, len(program.stratum_recursive))
        percepts = {
            role: _select(seen, values[atoms])
            for role, seen, atoms in zip(program.roles, program.percepts, program.percept_atoms, strict=True)
        }
        return self._state(values[program.next_atoms]), percepts

    def _load(self, state: Fluents) -> np.ndarray:
        """Return [A] bool: the atoms of a state, before any rule is applied."""
        values = np.zeros(self.program.num_atoms, dtype=bool)
        values[TRUE] = True
        values[[2 + self._fluent_id[fluent] for fluent in state]] = True
        return values

    def _state(self, holds: np.ndarray) -> Fluents:
        """Return the fluents whose entry in `holds` [F] is set."""
        return frozenset(_select(self.program.fluents, holds))


def evaluate(program: GroundProgram, values: np.ndarray, first: int, last: int) -> None:
    """Run strata [first, last) on values [A] bool (changed in place)."""
    for stratum in range(first, last):
        begin, end = program.stratum_start[stratum], program.stratum_start[stratum + 1]
        starts = program.body_start[begin:end]
        literals = program.body[starts[0] : program.body_start[end]]
        atoms, negated = literals >> 1, (literals & 1).astype(bool)
        heads = program.rule_head[begin:end]
        while True:
            fired = heads[np.logical_and.reduceat(values[atoms] != negated, starts - starts[0])]
            if not program.stratum_recursive[stratum] or values[fired].all():
                values[fired] = True
                break
            values[fired] = True


def _select(items: tuple[T, ...], mask: np.ndarray) -> tuple[T, ...]:
    """Return the items whose bit is set."""
    return tuple(items[i] for i in np.flatnonzero(mask))
