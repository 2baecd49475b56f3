"""`GroundProgram`: a game as numbered atoms and ground rules in flat arrays.

Atoms: 0 is false, 1 is true, then the fluents, then the moves of every role, then what the rules derive.
A literal is `2 * atom + negated`. Rules are ordered by stratum. Evaluating the strata in order, each to its fixpoint,
gives the only model of a state and a joint move.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veil.vocabulary import RANDOM, Term

FALSE, TRUE = 0, 1


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GroundProgram:
    """A game in numbers. F fluents, R roles, A atoms, G rules, S strata. Arrays are read-only."""

    roles: tuple[Term, ...]
    fluents: tuple[Term, ...]  # [F] atom 2 + i says that fluent i is true
    moves: tuple[tuple[Term, ...], ...]  # [R][moves of the role]
    percepts: tuple[tuple[Term, ...], ...]  # [R][percepts of the role]
    goals: tuple[tuple[int, ...], ...]  # [R][goal values of the role]
    initial: np.ndarray  # [F] bool
    num_atoms: int
    move_atoms: tuple[np.ndarray, ...]  # [R][moves] the atom "the role does this"
    legal_atoms: tuple[np.ndarray, ...]  # [R][moves]
    percept_atoms: tuple[np.ndarray, ...]  # [R][percepts]
    goal_atoms: tuple[np.ndarray, ...]  # [R][goal values]
    next_atoms: np.ndarray  # [F]
    terminal_atom: int
    rule_head: np.ndarray  # [G] atom
    body_start: np.ndarray  # [G + 1] rule g owns body[start[g]:start[g + 1]]
    body: np.ndarray  # literals
    stratum_start: np.ndarray  # [S + 1] stratum s owns rules [start[s], start[s + 1])
    stratum_recursive: np.ndarray  # [S] bool: repeat the stratum until nothing changes
    static_strata: int  # the strata below this one do not depend on moves
    is_ground: bool = True  # False: there are only words, and no rules; the game is played from its rules
    rounds: int | None = None  # the number of first rounds whose words are listed; None: all words are

    def __repr__(self) -> str:
        return f"GroundProgram({len(self.fluents)} fluents, {self.num_rules} rules, {self.num_atoms} atoms)"

    @property
    def chance(self) -> int | None:
        """The number of the role `random`; None if the game has no such role."""
        return self.roles.index(RANDOM) if RANDOM in self.roles else None

    @property
    def serial_order(self) -> list[int]:
        """The roles in the order in which the sequential form lets them move: chance first, then as in the rules."""
        return sorted(range(len(self.roles)), key=lambda role: role != self.chance)

    @property
    def num_rules(self) -> int:
        return len(self.rule_head)
