"""`AnswerSets`: the program of a record in clingo, multi-shot, and the histories that are its answer sets.

States follow from moves by rules without choices, so every history that explains the record is one answer set. Rounds
are added as they are observed (`folded_rounds`); the solver keeps what it has learned.

- `list_histories` enumerates histories without repetition. Histories that are close in the search follow each other.
- `draw_history` decides at random. A variable is a round and a hidden role. Whenever the solver has to decide,
  `Decisions` picks a variable and one of its moves, both in random order. The solver still learns from conflicts, so
  the probability of drawing a history is not known. After many decisions without success, more and more variables are
  left to the solver.

The solver is interrupted at a deadline, or after a number of decisions (`Until`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import clingo
import numpy as np

from veil.belief.asp.folded_rounds import FoldedRounds
from veil.clock import has_passed
from veil.engine import Machine

PATIENCE = 4  # decisions per variable; then half as many variables are decided at random


class Until(NamedTuple):
    """The limits at which a search is interrupted."""

    decisions: int
    deadline: float | None = None


class Listed(NamedTuple):
    """N histories. T rounds, R roles."""

    histories: np.ndarray  # [N, T, R]
    complete: bool  # these are all there are


class AnswerSets:
    """The histories that explain the observed rounds."""

    def __init__(self, machine: Machine, role: int, seed: int = 0) -> None:
        self.folding = FoldedRounds(machine, role)
        self.num_roles = len(machine.program.roles)
        self._control = clingo.Control(["--warn=none"])
        self._decisions = Decisions(self._control, seed)
        self._control.register_propagator(self._decisions)
        self._atoms = [0]  # atoms of the solver, by the atoms of the program
        self._known = np.zeros((0, self.num_roles), np.int32)  # [T, R] moves known without search; 0 elsewhere
        self._moves: dict[clingo.Symbol, tuple[int, int, int]] = {}  # round, role, move

    @property
    def rounds(self) -> int:
        """The number of rounds observed so far."""
        return self.folding.rounds

    @property
    def decisions(self) -> int:
        """The number of decisions made by all searches so far."""
        return self._decisions.made

    @property
    def is_refuted(self) -> bool:
        """Whether it was found without search that no history explains the record."""
        return self.folding.program.is_refuted

    def observe(self, own_move: int, percepts: np.ndarray, over: bool = False) -> bool:
        """Observe one more round, with percepts [words]; return False if nothing can explain it."""
        before = len(self.folding.variables)
        self.folding.observe(own_move, percepts, over)
        known = self.folding.known_moves[-1]
        row = np.array([[known.get(role, 0) for role in range(self.num_roles)]], np.int32)
        self._known = np.concatenate([self._known, row])
        rules, choices = self.folding.program.take_rules()
        with self._control.backend() as backend:
            for variable in self.folding.variables[before:]:
                for atom, move in variable.moves.items():
                    symbol = clingo.Function("move", [clingo.Number(atom)])
                    self._moves[symbol] = variable.round_index, variable.role, move
            self._add_atoms(backend)
            for choice in choices:
                self._add_choice(backend, [self._atoms[atom] for atom in choice])
            for head, body in rules:
                literals = [self._atoms[part] if part > 0 else -self._atoms[-part] for part in body]
                backend.add_rule([self._atoms[head]] if head else [], literals)
        opened = self.folding.program.open_choices
        self._decisions.variables = [[self._atoms[atom] for atom in choice] for choice in opened]
        return not self.is_refuted

    def list_histories(self, limit: int, until: Until) -> Listed:
        """Return `limit` histories, or all of them if there are fewer."""
        if self.is_refuted:
            return Listed(self._gather([]), True)
        found: list[np.ndarray] = []
        with self._search(until, limit + 1, is_random=False) as search:
            for model in search:
                found.append(self._read(model))
                if len(found) > limit or self._decisions.is_time_up():
                    break
            else:
                return Listed(self._gather(found), bool(search.get().exhausted))
        return Listed(self._gather(found[:limit]), False)

    def draw_history(self, until: Until) -> Listed:
        """Return a history that was found by random decisions; an empty and complete list if no history exists."""
        if self.is_refuted:
            return Listed(self._gather([]), True)
        with self._search(until, 1, is_random=True) as search:
            model = search.model()
            if model is not None:
                return Listed(self._gather([self._read(model)]), False)
            return Listed(self._gather([]), bool(search.get().unsatisfiable))

    def _add_atoms(self, backend: clingo.Backend) -> None:
        """Add an atom of the solver for each new atom. Atoms of moves get a symbol to find them in a model."""
        for atom in range(len(self._atoms), self.folding.program.num_atoms + 1):
            symbol = clingo.Function("move", [clingo.Number(atom)])
            self._atoms.append(backend.add_atom(symbol if symbol in self._moves else None))

    def _add_choice(self, backend: clingo.Backend, atoms: list[int]) -> None:
        """Add the rules by which exactly one of the atoms holds."""
        backend.add_rule(atoms, [], choice=True)
        backend.add_rule([], [-atom for atom in atoms])
        backend.add_weight_rule([], 2, [(atom, 1) for atom in atoms])

    @contextmanager
    def _search(self, until: Until, models: int, *, is_random: bool) -> Iterator[clingo.SolveHandle]:
        """Search for at most `models` answer sets."""
        self._control.configuration.solve.models = models  # type: ignore[union-attr]
        self._decisions.begin(until, is_random)
        with self._control.solve(yield_=True) as search:
            yield search

    def _read(self, model: clingo.Model) -> np.ndarray:
        """Return the history [T, R] of an answer set."""
        history = self._known.copy()
        for symbol in model.symbols(atoms=True):
            round_index, role, move = self._moves[symbol]
            history[round_index, role] = move
        return history

    def _gather(self, histories: list[np.ndarray]) -> np.ndarray:
        """Return all histories in one array [N, T, R]."""
        return np.array(histories, np.int32).reshape(len(histories), self.rounds, self.num_roles)


class Decisions(clingo.Propagator):
    """A propagator that decides in random searches, counts decisions and ends searches in time."""

    def __init__(self, control: clingo.Control, seed: int) -> None:
        self.made = 0
        self._control, self._rng = control, random.Random(seed)
        self._until, self._is_random, self._begun = Until(0), False, 0
        self.variables: list[list[int]] = []  # atoms of the solver, one of which holds
        self._literals: list[list[int]] = []  # the literals of the open atoms during a search
        self._settled = [0]  # per level of decisions, how many variables are known to be settled, in the random order

    def begin(self, until: Until, is_random: bool) -> None:
        """Begin a search."""
        self._until, self._is_random, self._begun = until, is_random, self.made

    def is_time_up(self) -> bool:
        """Return whether the search has to end."""
        return self.made - self._begun >= self._until.decisions or has_passed(self._until.deadline)

    def init(self, init: clingo.PropagateInit) -> None:
        """Put variables and their moves into a random order. The solver calls this at the start of a search."""
        if not self._is_random:
            return
        value = init.assignment.value
        literals = [[init.solver_literal(atom) for atom in atoms] for atoms in self.variables]
        opened = [[literal for literal in moves if value(literal) is None] for moves in literals]
        self._literals, self._settled = [moves for moves in opened if len(moves) > 1], [0]
        self._rng.shuffle(self._literals)
        for moves in self._literals:
            self._rng.shuffle(moves)

    def decide(self, thread_id: int, assignment: clingo.Assignment, fallback: int) -> int:
        """Return the literal that will hold next. The solver calls this when it has to decide."""
        self.made += 1
        if self.is_time_up():
            self._control.interrupt()
        return self._pick(assignment) or fallback if self._is_random else fallback

    def _pick(self, assignment: clingo.Assignment) -> int:
        """Return the first open move of the first unsettled variable; 0 if the solver has to decide itself."""
        level, size = assignment.decision_level, len(self._literals)
        size >>= (self.made - self._begun) // (PATIENCE * (size + 1))
        del self._settled[level + 1 :]
        for place in range(self._settled[-1], size):
            literal = self._find_open(assignment, self._literals[place])
            if literal:
                self._settled += [place] * (level + 1 - len(self._settled))
                self._settled[level] = place
                return literal
        return 0

    def _find_open(self, assignment: clingo.Assignment, moves: list[int]) -> int:
        """Return the first open move of a variable; 0 if one of its moves holds or none is open."""
        for literal in moves:
            value = assignment.value(literal)
            if value is None:
                return literal
            if value:
                return 0
        return 0
