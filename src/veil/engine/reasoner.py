"""The questions that every evaluator of a game answers about single states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from veil.vocabulary import Term

Fluents = frozenset[Term]  # a state: what is true in it


class Judgement(NamedTuple):
    """The facts of a state that do not depend on the next moves."""

    legal: dict[Term, tuple[Term, ...]]  # per role
    terminal: bool
    goals: dict[Term, tuple[int, ...]]  # per role: every value that the rules derive; sound rules derive one


class Reasoner(Protocol):
    """Evaluator of single states, given as sets of fluents."""

    kind: str  # what it reasons with, for messages

    def initial(self) -> Fluents:
        """Return the fluents that hold at the start."""

    def judge(self, state: Fluents) -> Judgement:
        """Return legal moves, end and goals of a state."""

    def step(self, state: Fluents, joint_move: Mapping[Term, Term]) -> tuple[Fluents, dict[Term, tuple[Term, ...]]]:
        """Return the next state and the percepts of every role."""
