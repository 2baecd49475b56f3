"""`Game` and `State`: a game to ask and to play, in the words of its rules.

A game uses its ground program. A game that is too large to ground is played from its rules (`joins`), and `game.notes`
says so. A game can be pickled: the pickle holds the text of its rules, and not the ground program or the
machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from veil.compat.python import cached_property
from veil.display import Displayed
from veil.engine.chance import draw_uniformly
from veil.engine.datalog import MAX_ROWS, RuleReasoner
from veil.engine.grounding import GroundingError, GroundLimits, GroundProgram, GroundReasoner, ground
from veil.engine.reasoner import Judgement, Reasoner
from veil.errors import Problem, VeilError, bad_argument, check_kind, did_you_mean, fail, phrase, problem
from veil.games import POINTS, Utility
from veil.lang import Rules, Source, read_rules, read_term
from veil.vocabulary import Term

if TYPE_CHECKING:
    from veil.engine.joins import RulesMachine
    from veil.engine.lanes import Machine
    from veil.engine.names import Names
    from veil.engine.record import Record

JointMove = Mapping[str, str]  # role -> move, as the rules spell them
READINGS = (
    "gains-as-written",
    "gains-transferred",
    "ends-on-gain",
    "turns-as-written",
    "turns-by-control",
    "moves-unseen",
    "moves-seen",
)
MAX_SHOWN_MOVES = 12  # in a message
MAX_SHOWN = 200  # characters of a state


@dataclass(eq=False, repr=False)
class Game(Displayed):
    """A game description that answers questions and can be played."""

    name: str
    rules: Rules
    limits: GroundLimits = field(default_factory=GroundLimits)
    utility: Utility = POINTS  # the utility that solvers use instead of goal values
    _failure: VeilError | None = field(default=None, init=False)  # of grounding, if it was tried and failed
    _rules_machine: RulesMachine | None = field(default=None, init=False)  # if the game is too large to ground

    def __reduce__(self) -> tuple[object, ...]:
        return restore_game, (self.name, self.rules.source, self.limits, self.utility)

    def __repr__(self) -> str:
        return f"Game({self.name!r}, roles={self.roles})"

    @property
    def roles(self) -> list[str]:
        """The roles in the order of the rules, `random` included."""
        return [self.rules.show(role) for role in self.rules.roles]

    @property
    def warnings(self) -> list[Problem]:
        """The faults of the rules that were repaired."""
        return [entry for entry in self.rules.problems if entry.severity == "warning"]

    @property
    def readings(self) -> list[Problem]:
        """The chosen readings of rules that can be read in two ways."""
        return [entry for entry in self.rules.problems if entry.code in READINGS]

    @cached_property
    def program(self) -> GroundProgram:
        """The game in numbers: its ground program or, beyond the limits, only its words (`program.is_ground`).

        Raises `GroundingError` if there is no bound on the words either; a second call raises the error at once.
        """
        if self._failure is None:
            try:
                return ground(self.rules, self.limits)
            except GroundingError as error:
                self._failure = error if self.rules.doubts else None  # only a ground program could dispel them
                if self._failure is None:
                    return self._play_from_rules(error).program
            except VeilError as error:
                self._failure = error
        assert self._failure is not None
        raise self._failure.with_traceback(None)

    @cached_property
    def machine(self) -> Machine:
        """The game as native code for many worlds at once; it plays from the rules if the game is not ground.

        Raises `GroundingError` if there is no bound on what can hold.
        """
        from veil.engine.lanes import Machine  # numba takes a second to import

        program = self.program
        return self._rules_machine if self._rules_machine is not None else Machine(program)

    @cached_property
    def reasoner(self) -> Reasoner:
        """The evaluator of single states: the ground program, the machine that plays from the rules or, for a game
        without a bound on what can hold, the interpreter.
        """
        try:
            program = self.program
        except GroundingError as error:
            if self.rules.doubts:
                raise VeilError(*self.rules.doubts, *error.problems) from None
            return RuleReasoner(self.rules)
        if self._rules_machine is None:
            return GroundReasoner(program)
        from veil.engine.joins import RulesReasoner  # imports numba

        return RulesReasoner(self._rules_machine)

    def _play_from_rules(self, error: GroundingError) -> RulesMachine:
        """Make the machine that plays from the rules; if that is impossible, raise the error of grounding, and say so.

        It is impossible where terms grow without end: a question about them might have no end either.
        """
        from veil.engine.joins import RulesMachine  # imports numba

        try:
            if self.rules.domains.growing() is not None:
                raise error
            self._rules_machine = RulesMachine(self.rules, self.limits)
        except GroundingError as failure:
            if failure is not error:
                error = GroundingError(*error.problems, problem("no-bound"))
            self._failure = error
            raise error from None
        return self._rules_machine

    @cached_property
    def names(self) -> Names:
        """Numbers to words and back. Raises `GroundingError` beyond the limits."""
        from veil.engine.names import Names  # which imports this module

        return Names(self)

    @property
    def notes(self) -> list[Problem]:
        """Notes for the user about how the game is played, as far as they are known.

        This property does not ground the game.
        """
        notes = [entry for entry in self.rules.problems if entry.severity == "note"]
        if self._rules_machine is not None:
            notes.append(problem("plays-from-rules"))
            rounds = self._rules_machine.program.rounds
            notes += [problem("plays-first-rounds", rounds=rounds)] if rounds else []
        elif isinstance(vars(self).get("reasoner"), RuleReasoner):
            notes.append(problem("plays-slowly"))
        return notes

    @cached_property
    def fingerprint(self) -> str:
        """A name for these rules: it does not depend on layout and comments."""
        texts = sorted(f"{rule.head} {[literal[:2] for literal in rule.body]}" for rule in self.rules.rules)
        return hashlib.sha256("\n".join([str(self.rules.roles), *texts]).encode()).hexdigest()[:16]

    def interpreted(self, max_rows: int = MAX_ROWS) -> Game:
        """Return the same game, played by its rules themselves: slowly, but nothing is ground.

        Questions raise `VeilError` if a relation of one state has more than `max_rows` rows.
        """
        twin = Game(self.name, self.rules, self.limits, self.utility)
        twin.reasoner = RuleReasoner(self.rules, max_rows)
        return twin

    def initial_state(self) -> State:
        """Return the state before the first round."""
        return State(self, self.reasoner.initial())

    def record(self, role: str, text: str = "") -> Record:
        """Return the record of a role that a text says: `game.record("first", "noop: (card king); bet")`.

        A round is the own move and, after a colon, the percepts; semicolons separate rounds. Without a text the record
        is empty. `record.then(own_move, percepts)` adds a round.
        """
        from veil.engine.record import parse_record  # which imports this module

        if not isinstance(text, str):
            raise bad_argument("text", phrase("a-text"), text)
        return parse_record(self.role_name(role), text)

    def role_name(self, role: str) -> str:
        """Return the role as the rules spell it, given in any spelling. Raises `VeilError` if the role is unknown."""
        return self.rules.show(self.role_term(role))

    def role_term(self, role: str) -> Term:
        """Return a role as a term, given in any spelling. Raises `VeilError` if the role is unknown."""
        if not isinstance(role, str):
            raise bad_argument("role", phrase("a-text"), role)
        term = read_term(role)
        if term not in self.rules.roles:
            near = did_you_mean(role, self.roles)
            raise fail("unknown-role", role=role, roles=", ".join(self.roles), near=near)
        return term


def restore_game(name: str, source: Source, limits: GroundLimits, utility: Utility) -> Game:
    """Return the game of a pickle."""
    return Game(name, read_rules(source), limits, utility)


@dataclass(frozen=True, repr=False)
class State(Displayed):
    """An immutable state of a game; `play` returns the next state."""

    game: Game
    terms: frozenset[Term]

    @cached_property
    def judgement(self) -> Judgement:
        """All that holds in this state, whatever the moves will be, as terms."""
        return self.game.reasoner.judge(self.terms)

    @property
    def fluents(self) -> list[str]:
        """The true fluents, sorted."""
        return self._show(self.terms)

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.judgement.terminal

    @property
    def goals(self) -> dict[str, int]:
        """The goal value of every role: 0 if the rules give none, the highest if they give several."""
        return {role: values[-1] if values else 0 for role, values in self.goal_values.items()}

    @property
    def goal_values(self) -> dict[str, tuple[int, ...]]:
        """All goal values that the rules give, per role, in ascending order."""
        return {self.game.rules.show(role): values for role, values in self.judgement.goals.items()}

    def legal(self, role: str) -> list[str]:
        """Return the legal moves of a role, sorted."""
        return self._show(self.judgement.legal[self.game.role_term(role)])

    def play(self, joint_move: JointMove) -> tuple[State, dict[str, list[str]]]:
        """Return the next state and the percepts of every role.

        `joint_move` may leave out roles with a single legal move.
        """
        return self.play_terms(self.joint_terms(joint_move))

    def play_terms(self, terms: dict[Term, Term]) -> tuple[State, dict[str, list[str]]]:
        """Return the next state and the percepts of every role, for a joint move that `joint_terms` has checked."""
        following, percepts = self.game.reasoner.step(self.terms, terms)
        words = {self.game.rules.show(role): self._show(seen) for role, seen in percepts.items()}
        return State(self.game, following), words

    def random_joint_move(self, rng: np.random.Generator) -> dict[str, str]:
        """Return a uniformly drawn legal move for every role."""
        joint = {}
        for role, moves in self.judgement.legal.items():
            name = self.game.rules.show(role)
            if not moves:
                raise fail("stuck", where="", role=name)
            joint[name] = draw_uniformly(self._show(moves), rng)
        return joint

    def joint_terms(self, joint_move: JointMove, where: str = "") -> dict[Term, Term]:
        """Return the checked joint move as terms. If a move is not legal, the message starts with `where`."""
        if self.is_terminal:
            raise fail("game-over", where=where)
        check_kind("joint_move", joint_move, Mapping)
        for move in joint_move.values():
            check_kind("move", move, str)
        given = {self.game.role_term(role): move for role, move in joint_move.items()}
        return {role: self._check_move(role, given.get(role), where) for role in self.game.rules.roles}

    def _check_move(self, role: Term, text: str | None, where: str) -> Term:
        """Return the legal move that a text names, or the only legal move if there is no text."""
        name, legal = self.game.rules.show(role), self.judgement.legal[role]
        if not legal:
            raise fail("stuck", where=where, role=name)
        if text is None:
            if len(legal) == 1:
                return legal[0]
            raise fail("missing-move", where=where, role=name, legal=self._list_moves(legal))
        move = read_term(text)
        if move not in legal:
            raise fail("illegal-move", where=where, role=name, move=text.strip()[:80], legal=self._list_moves(legal))
        return move

    def _list_moves(self, moves: tuple[Term, ...]) -> str:
        """Return the legal moves as text for a message: all of them, or the first `MAX_SHOWN_MOVES`."""
        words = self._show(moves)
        more = phrase("and-more-moves", count=len(words)) if len(words) > MAX_SHOWN_MOVES else ""
        return ", ".join(words[:MAX_SHOWN_MOVES]) + more

    def _show(self, terms: frozenset[Term] | tuple[Term, ...]) -> list[str]:
        return sorted(self.game.rules.show(term) for term in terms)

    def __str__(self) -> str:
        return " ".join(self.fluents)

    def __repr__(self) -> str:
        words = str(self)
        return f"State({self.game.name!r}, {words if len(words) <= MAX_SHOWN else words[: MAX_SHOWN - 3] + '...'})"
