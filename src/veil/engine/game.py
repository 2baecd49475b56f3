"""`Game` and `State`: a game you can ask and play, in the words of its rules.

Behind the face stands the ground program. A game that is too large to ground is played by the interpreter, slowly, and
`game.notes` says so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from veil.engine.datalog import RuleReasoner
from veil.engine.grounding import GroundingError, GroundLimits, GroundProgram, GroundReasoner, ground
from veil.engine.reasoner import Judgement, Reasoner
from veil.errors import Problem, VeilError, fail, problem
from veil.games import POINTS, Utility
from veil.lang import Rules, read_rules, read_term
from veil.vocabulary import Term

if TYPE_CHECKING:
    from veil.engine.lanes import Machine
    from veil.engine.names import Names
    from veil.engine.record import Record

JointMove = Mapping[str, str]  # role -> move, as the rules spell them
MAX_SHOWN_MOVES = 12  # in a message


@dataclass(eq=False, repr=False)
class Game:
    """A game description that is ready to be asked."""

    name: str
    rules: Rules
    limits: GroundLimits = field(default_factory=GroundLimits)
    utility: Utility = POINTS  # what solvers count instead of goal values

    def __repr__(self) -> str:
        return f"Game({self.name!r}, roles={self.roles})"

    def __getstate__(self) -> tuple[str, str, str, GroundLimits, Utility]:
        """What another process needs to have the same game: the rules text, limits and utility; caches stay behind."""
        return self.name, self.rules.source.text, self.rules.source.name, self.limits, self.utility

    def __setstate__(self, state: tuple[str, str, str, GroundLimits, Utility]) -> None:
        self.name, text, source_name, self.limits, self.utility = state
        self.rules = read_rules(text, source_name)

    @property
    def roles(self) -> list[str]:
        """The roles in the order of the rules, `random` included."""
        return [self.rules.show(role) for role in self.rules.roles]

    @property
    def warnings(self) -> list[Problem]:
        """What was wrong with the rules and has been repaired."""
        return [entry for entry in self.rules.problems if entry.severity == "warning"]

    @cached_property
    def program(self) -> GroundProgram:
        """The ground program. Raises `GroundingError` beyond the limits."""
        return ground(self.rules, self.limits)

    @cached_property
    def machine(self) -> Machine:
        """The game as native code for many worlds at once. Raises `GroundingError` beyond the limits."""
        from veil.engine.lanes import Machine  # numba takes a second to import

        return Machine(self.program)

    @cached_property
    def reasoner(self) -> Reasoner:
        """Whoever answers for the rules: the ground program, or the interpreter where there can be none."""
        try:
            return GroundReasoner(self.program)
        except GroundingError as error:
            if self.rules.doubts:  # only a ground program could dispel them
                raise VeilError(*self.rules.doubts, *error.problems) from None
            return RuleReasoner(self.rules)

    @cached_property
    def names(self) -> Names:
        """Numbers to words and back. Raises `GroundingError` beyond the limits."""
        from veil.engine.names import Names

        return Names(self)

    @property
    def notes(self) -> list[Problem]:
        """What a user should know about how the game is played here."""
        notes = [entry for entry in self.rules.problems if entry.severity == "note"]
        if isinstance(self.reasoner, RuleReasoner):
            notes.append(problem("plays-slowly", reason="too large to ground within the limits"))
        return notes

    @cached_property
    def fingerprint(self) -> str:
        """A name for these rules: the same for the same rules, however they are laid out and commented."""
        texts = sorted(f"{rule.head} {[literal[:2] for literal in rule.body]}" for rule in self.rules.rules)
        return hashlib.sha256("\n".join([str(self.rules.roles), *texts]).encode()).hexdigest()[:16]

    def initial_state(self) -> State:
        return State(self, self.reasoner.initial())

    def record(self, role: str) -> Record:
        """What a role has been told before the first round: nothing. `.then(own_move, percepts)` adds a round."""
        from veil.engine.record import Record

        return Record(self.rules.show(self.role_term(role)))

    def role_term(self, role: str) -> Term:
        """The role of this name, in any spelling."""
        term = read_term(role)
        if term not in self.rules.roles:
            raise fail("unknown-role", role=role, roles=", ".join(self.roles))
        return term


@dataclass(frozen=True, repr=False)
class State:
    """A state of a game; it does not change, `play` gives a new one."""

    game: Game
    terms: frozenset[Term]

    @cached_property
    def judgement(self) -> Judgement:
        """Everything that holds here whatever is done next, as terms."""
        return self.game.reasoner.judge(self.terms)

    @property
    def fluents(self) -> list[str]:
        """What is true here, sorted."""
        return self._show(self.terms)

    @property
    def is_terminal(self) -> bool:
        return self.judgement.terminal

    @property
    def goals(self) -> dict[str, int]:
        """The goal value of every role; 0 where the rules give none, the highest where they give several."""
        return {role: values[-1] if values else 0 for role, values in self.goal_values.items()}

    @property
    def goal_values(self) -> dict[str, tuple[int, ...]]:
        """Every goal value the rules give, per role, ascending."""
        return {self.game.rules.show(role): values for role, values in self.judgement.goals.items()}

    def legal(self, role: str) -> list[str]:
        """The legal moves of a role, sorted."""
        return self._show(self.judgement.legal[self.game.role_term(role)])

    def play(self, joint_move: JointMove) -> tuple[State, dict[str, list[str]]]:
        """The next state, and the percepts of every role. Roles with a single legal move may be left out."""
        terms = self.joint_terms(joint_move)
        following, percepts = self.game.reasoner.step(self.terms, terms)
        shown = {self.game.rules.show(role): self._show(seen) for role, seen in percepts.items()}
        return State(self.game, following), shown

    def random_joint_move(self, rng: np.random.Generator) -> dict[str, str]:
        """A legal move for every role, uniformly."""
        joint = {}
        for role, moves in self.judgement.legal.items():
            name = self.game.rules.show(role)
            if not moves:
                raise fail("stuck", where="", role=name)
            shown = self._show(moves)
            joint[name] = shown[int(rng.integers(len(shown)))]
        return joint

    def joint_terms(self, joint_move: JointMove, where: str = "") -> dict[Term, Term]:
        """The joint move as terms, checked; `where` starts the message if it is not legal."""
        if self.is_terminal:
            raise fail("game-over", where=where)
        given = {self.game.role_term(role): move for role, move in joint_move.items()}
        return {role: self._checked_move(role, given.get(role), where) for role in self.game.rules.roles}

    def _checked_move(self, role: Term, text: str | None, where: str) -> Term:
        name, legal = self.game.rules.show(role), self.judgement.legal[role]
        if not legal:
            raise fail("stuck", where=where, role=name)
        if text is None:
            if len(legal) == 1:
                return legal[0]
            raise fail("missing-move", where=where, role=name, legal=self._shown_moves(legal))
        move = read_term(text)
        if move not in legal:
            raise fail("illegal-move", where=where, role=name, move=text.strip()[:80], legal=self._shown_moves(legal))
        return move

    def _shown_moves(self, moves: tuple[Term, ...]) -> str:
        shown = self._show(moves)
        more = f", ... ({len(shown)} in all)" if len(shown) > MAX_SHOWN_MOVES else ""
        return ", ".join(shown[:MAX_SHOWN_MOVES]) + more

    def _show(self, terms: frozenset[Term] | tuple[Term, ...]) -> list[str]:
        return sorted(self.game.rules.show(term) for term in terms)

    def __str__(self) -> str:
        return " ".join(self.fluents)

    def __repr__(self) -> str:
        return f"State({self.game.name!r}, {self})"
