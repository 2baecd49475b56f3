"""Public classes of moves from the rules alone, for games whose tree does not fit: clingo finds moves that look alike.

A class of moves of a role is public if the own move and the percepts of every other role tell, after each round,
whether a move of the class was played (section 3.2 of Lisý, Lanctot & Bowling 2015, for classes instead of names).

1. Two copies of the rules of one round are one logic program: any two states in which the game goes on, any legal
   joint moves. In both, another role has the same legal moves, makes the same move and sees the same.
2. An answer set in which the mover's moves are of different classes shows two moves that may look alike: their classes
   become one. Without an answer set, the classes are public.
3. If no role ever has legal moves of different classes in one state, nothing is public.

The states of the program need not be reachable. So two moves may count as alike that are never alike in a game:
classes are then larger than necessary, but still public. A search that is not decided within `MAX_CONFLICTS` puts all
moves into one class. So does a search that a clock ends, but only in that match: classes are cached for later matches
only if all searches came to their ends.
"""

from __future__ import annotations

from time import perf_counter

import clingo
import numpy as np

from veil.caches import BoundedCache
from veil.clock import has_passed
from veil.engine import GroundProgram

MAX_RULES = 60_000  # of a game; with more rules, the program takes too long to build
MAX_CONFLICTS = 20_000  # of one search
START_SHARE = 0.3  # share of the start clock that the search may take
MAX_KEPT = 32  # games whose classes a process caches
UNDECIDED = (-1, -1)

PublicClasses = tuple[np.ndarray, ...]  # [roles][moves] number of the class of every move
_kept: BoundedCache[str, PublicClasses] = BoundedCache(MAX_KEPT)  # by game; () if nothing is public


def find_classes(program: GroundProgram, name: str, start_seconds: float | None = None) -> PublicClasses | None:
    """Return the public classes of all roles' moves; None if nothing is public, or the game is too large.

    `name` is the fingerprint of the game; decided classes are cached under it. Only a part of a start clock is used.
    If that is not enough, all moves of a role are of one class, and nothing is cached.
    """
    kept = _kept.find(name)
    if kept is not None:
        return kept or None
    deadline = None if start_seconds is None else perf_counter() + START_SHARE * start_seconds
    movers = range(len(program.roles)) if program.num_rules <= MAX_RULES else ()
    decided = [find_classes_of(program, mover, deadline) for mover in movers]
    classes = tuple(
        np.zeros(len(program.moves[mover]), np.int64) if entry is None else entry
        for mover, entry in zip(movers, decided, strict=True)
    )
    if not any(has_public_choice(program, role, entry) for role, entry in enumerate(classes)):
        classes = ()
    if all(entry is not None for entry in decided):
        _kept.keep(name, classes)
    return classes or None


def find_classes_of(program: GroundProgram, mover: int, deadline: float | None = None) -> np.ndarray | None:
    """Return the class [moves] of every move of a role, from 0 on; None if the deadline passes before."""
    count = len(program.moves[mover])
    classes = np.arange(count)
    for observer in range(len(program.roles)):
        if observer in (mover, program.chance):
            continue
        twin = TwinRounds(program, mover, observer)
        for number in np.unique(classes).tolist():
            twin.add_class(number, np.flatnonzero(classes == number).tolist())
        while len(set(classes.tolist())) > 1:
            if has_passed(deadline):
                return None
            alike = twin.find_alike()
            if alike == UNDECIDED:
                return np.zeros(count, np.int64)
            if alike is None:
                break
            one, two = sorted(int(classes[move]) for move in alike)
            classes[classes == two] = one
            twin.join_classes(one, two)
    return np.unique(classes, return_inverse=True)[1].astype(np.int64)


def has_public_choice(program: GroundProgram, role: int, classes: np.ndarray) -> bool:
    """Return whether the role may have legal moves of different classes in one state; otherwise nothing is public."""
    if not classes.any():
        return False
    control = clingo.Control(["--warn=none"])
    with control.backend() as backend:
        atoms = [backend.add_atom() for _ in range(program.num_atoms)]
        add_state(backend, program, atoms, find_needed_rules(program, program.legal_atoms[role]))
        groups = []
        for number in range(int(classes.max()) + 1):
            groups.append((backend.add_atom(), 1))
            for move in np.flatnonzero(classes == number).tolist():
                backend.add_rule([groups[-1][0]], [atoms[program.legal_atoms[role][move]]])
        several = backend.add_atom()
        backend.add_weight_rule([several], 2, groups)
        backend.add_rule([], [-several])
    return bool(control.solve().satisfiable)


def add_state(backend: clingo.Backend, program: GroundProgram, atoms: list[int], rules: np.ndarray) -> None:
    """Add any state in which the game goes on, and what follows from it by these rules; atoms [A] of the solver."""
    backend.add_rule([atoms[1]])
    backend.add_rule([atoms[2 + fluent] for fluent in range(len(program.fluents))], [], choice=True)
    backend.add_rule([], [atoms[program.terminal_atom]])
    for rule in rules.tolist():
        body = program.body[program.body_start[rule] : program.body_start[rule + 1]].tolist()
        literals = [-atoms[part >> 1] if part & 1 else atoms[part >> 1] for part in body]
        backend.add_rule([atoms[program.rule_head[rule]]], literals)


class TwinRounds:
    """Two rounds of a game that another role cannot distinguish, as a logic program."""

    def __init__(self, program: GroundProgram, mover: int, observer: int) -> None:
        self._control = clingo.Control(["--warn=none"])
        self._control.configuration.solve.solve_limit = f"{MAX_CONFLICTS},umax"  # type: ignore[union-attr]
        self._program, self._mover = program, mover
        self._moves: dict[clingo.Symbol, tuple[int, int]] = {}  # copy, move
        self._classes: dict[int, list[int]] = {}  # class -> its atom in both copies
        rules = find_needed_rules(program, np.concatenate([*program.legal_atoms, program.percept_atoms[observer]]))
        with self._control.backend() as backend:
            self._copies = [self._copy(backend, rules, number) for number in range(2)]
            same = [program.legal_atoms[observer], program.percept_atoms[observer], program.move_atoms[observer]]
            for atom in np.concatenate(same).tolist():
                one, two = (copy[atom] for copy in self._copies)
                backend.add_rule([], [one, -two])
                backend.add_rule([], [two, -one])

    def add_class(self, number: int, moves: list[int]) -> None:
        """Make these moves a class: at most one of the copies makes a move of it."""
        atoms = self._program.move_atoms[self._mover]
        with self._control.backend() as backend:
            self._add(backend, number, [[copy[int(atoms[move])] for move in moves] for copy in self._copies])

    def join_classes(self, one: int, two: int) -> None:
        """Join both classes under the number of the first."""
        parts = [list(pair) for pair in zip(self._classes.pop(one), self._classes.pop(two), strict=True)]
        with self._control.backend() as backend:
            self._add(backend, one, parts)

    def find_alike(self) -> tuple[int, int] | None:
        """Return two moves of different classes that may look alike; None: there are none; UNDECIDED: no result."""
        with self._control.solve(yield_=True) as search:
            model = search.model()
            if model is None:
                return None if search.get().unsatisfiable else UNDECIDED
            shown = dict(self._moves[symbol] for symbol in model.symbols(atoms=True))
            return shown[0], shown[1]

    def _add(self, backend: clingo.Backend, number: int, parts: list[list[int]]) -> None:
        """Add a class of atoms of both copies, which holds in at most one of them."""
        self._classes[number] = []
        for part in parts:
            self._classes[number].append(backend.add_atom())
            for atom in part:
                backend.add_rule([self._classes[number][-1]], [atom])
        backend.add_rule([], self._classes[number])

    def _copy(self, backend: clingo.Backend, rules: np.ndarray, number: int) -> list[int]:
        """Return the solver's atoms [A] of one copy: any state in which the game goes on, any legal joint move."""
        program = self._program
        symbols = {}
        for move, atom in enumerate(program.move_atoms[self._mover].tolist()):
            symbols[atom] = clingo.Function("does", [clingo.Number(number), clingo.Number(move)])
            self._moves[symbols[atom]] = number, move
        atoms = [backend.add_atom(symbols.get(atom)) for atom in range(program.num_atoms)]
        add_state(backend, program, atoms, rules)
        for does, legal in zip(program.move_atoms, program.legal_atoms, strict=True):
            made = [atoms[atom] for atom in does.tolist()]
            backend.add_rule(made, [], choice=True)
            backend.add_rule([], [-atom for atom in made])
            backend.add_weight_rule([], 2, [(atom, 1) for atom in made])
            for atom, allowed in zip(made, legal.tolist(), strict=True):
                backend.add_rule([], [atom, -atoms[allowed]])
        return atoms


def find_needed_rules(program: GroundProgram, wanted: np.ndarray) -> np.ndarray:
    """Return the rules that these atoms and the end of the game depend on, ascending."""
    by_head: dict[int, list[int]] = {}
    for rule, head in enumerate(program.rule_head.tolist()):
        by_head.setdefault(head, []).append(rule)
    waiting = [program.terminal_atom, *wanted.tolist()]
    seen, needed = set(waiting), list[int]()
    while waiting:
        for rule in by_head.get(int(waiting.pop()), ()):
            needed.append(rule)
            below = program.body[program.body_start[rule] : program.body_start[rule + 1]] >> 1
            waiting += [atom for atom in below.tolist() if atom not in seen]
            seen.update(below.tolist())
    return np.array(sorted(needed), np.int64)
