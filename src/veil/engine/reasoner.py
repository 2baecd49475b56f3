"""What every evaluator of a game answers: the plain, one-state-at-a-time face that ground program and rules share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from veil.vocabulary import Term

Fluents = frozenset[Term]  # a state: what is true in it


class Judgement(NamedTuple):
    """What holds in a state, whatever is done next."""

    legal: dict[Term, tuple[Term, ...]]  # per role
    terminal: bool
    goals: dict[Term, tuple[int, ...]]  # per role: every value the rules derive; sound rules give one


class Reasoner(Protocol):
    """Answers questions about single states, given as sets of fluents."""

    kind: str  # what it reasons with, for messages

    def initial(self) -> Fluents:
        """The fluents that hold at the start."""

    def judge(self, state: Fluents) -> Judgement:
        """Legal moves, end and goals of a state."""

    def step(self, state: Fluents, joint_move: Mapping[Term, Term]) -> tuple[Fluents, dict[Term, tuple[Term, ...]]]:
        """The next state, and what each role sees on the way."""
