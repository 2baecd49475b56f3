"""What every evaluator of a game answers: the plain, one-state-at-a-time face that ground program and rules share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from veil.vocabulary import Term

State = frozenset[Term]


class Judgement(NamedTuple):
    """What holds in a state, whatever is done next."""

    legal: dict[Term, tuple[Term, ...]]  # per role
    terminal: bool
    goals: dict[Term, tuple[int, ...]]  # per role: every value the rules derive; sound rules give one


class Reasoner(Protocol):
    """Gives the rules their meaning."""

    kind: str  # what it reasons with, for messages

    def initial(self) -> State:
        """The fluents that hold at the start."""

    def judge(self, state: State) -> Judgement:
        """Legal moves, end and goals of a state."""

    def step(self, state: State, joint_move: Mapping[Term, Term]) -> tuple[State, dict[Term, tuple[Term, ...]]]:
        """The next state, and what each role sees on the way."""
