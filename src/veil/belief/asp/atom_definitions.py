"""A logic program that grows: choices of one atom among several, atoms defined by rules, and what is known to hold.

A *literal* is an atom, counted from 1, or minus an atom; TRUE and FALSE are literals, too. An atom is *open* as long as
it is not known whether it holds. Asserting a literal draws the conclusions that need no search, in both directions:

- an atom whose bodies are all false is false, one with a true body is true;
- a false atom has false bodies, a true one with a single body that may hold has a true body;
- exactly one atom of a choice holds;
- of two literals that do not hold together, one is false where the other is true.

So what is defined later refers to fewer atoms. The rules that are handed out mean the same without these conclusions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

TRUE = 1 << 40  # minus a literal is its negation
FALSE = -TRUE
Body = frozenset[int]  # a conjunction of literals
Bodies = frozenset[Body]  # a disjunction of them


class AtomRule(NamedTuple):
    """The head holds where the body does; a head of 0: the body must not hold."""

    head: int
    body: tuple[int, ...]


class AtomDefinitions:
    """Atoms and their rules. `is_refuted`: what was asserted contradicts itself."""

    def __init__(self) -> None:
        self.num_atoms, self.is_refuted = 0, False
        self.rules: list[AtomRule] = []  # since they were taken last
        self.choices: list[tuple[int, ...]] = []  # the same: atoms of which exactly one holds
        self._holds: dict[int, bool] = {}  # of atoms that are not open
        self._shared: dict[Bodies, int] = {}
        self._bodies: dict[int, list[Body]] = {}  # as far as they are open
        self._uses: dict[int, list[int]] = {}  # atoms in whose bodies an atom stands
        self._excluded: dict[int, list[int]] = {}  # by literal, those that do not hold together with it
        self._open: list[set[int]] = []  # per choice, the atoms that may hold
        self._choice_of: dict[int, set[int]] = {}  # the same, by atom

    @property
    def open_choices(self) -> list[list[int]]:
        """The open atoms of each choice, where there is more than one."""
        return [sorted(choice) for choice in self._open if len(choice) > 1]

    def take_rules(self) -> tuple[list[AtomRule], list[tuple[int, ...]]]:
        """Rules and choices since the last time."""
        rules, choices = self.rules, self.choices
        self.rules, self.choices = [], []
        return rules, choices

    def add_choice(self, size: int) -> tuple[int, ...]:
        """So many new atoms, of which exactly one holds."""
        atoms = tuple(self.add_atom() for _ in range(size))
        self._open.append(set(atoms))
        self._choice_of |= dict.fromkeys(atoms, self._open[-1])
        self.choices.append(atoms)
        return atoms

    def add_atom(self) -> int:
        """A new atom that nothing defines yet."""
        self.num_atoms += 1
        return self.num_atoms

    def add_rules(self, atom: int, bodies: Iterable[Body]) -> None:
        """The atom holds where one of the bodies does. They may depend on it: nothing is concluded from them."""
        self.rules += [AtomRule(atom, tuple(body)) for body in bodies]

    def forbid(self, *literals: int) -> None:
        """These do not hold together."""
        if FALSE in literals:
            return
        body = tuple(literal for literal in literals if literal != TRUE)
        self.rules.append(AtomRule(0, body))
        if len(body) == 2:
            for one, other in (body, body[::-1]):
                self._excluded.setdefault(one, []).append(other)

    def is_possible(self, body: Body) -> bool:
        """Whether no two literals of a body exclude each other at sight."""
        if len(body) < 2:
            return True
        if any(-literal in body for literal in body):
            return False
        choices = [id(self._choice_of[literal]) for literal in body if literal in self._choice_of]
        return len(choices) == len(set(choices))

    def define(self, bodies: Bodies) -> int:
        """The literal of a disjunction of possible bodies; a new atom with its rules where there is none yet."""
        if not bodies:
            return FALSE
        if frozenset() in bodies or self._is_exhaustive(bodies):
            return TRUE
        if len(bodies) == 1:
            [body] = bodies
            if len(body) == 1:
                return next(iter(body))
        atom = self._shared.get(bodies)
        if atom is None:
            atom = self._add_definition(bodies)
        return atom if atom not in self._holds else TRUE if self._holds[atom] else FALSE

    def assert_literal(self, literal: int) -> list[int]:
        """It holds; returns the literals that now hold and were open before."""
        if literal == TRUE:
            return []
        self.forbid(-literal)
        concluded, waiting, touched = list[int](), [literal], set[int]()
        while (waiting or touched) and not self.is_refuted:
            if not waiting:  # rules come last: one look at a long one does for all that is known by then
                waiting += self._conclude_from_rules(touched.pop())
                continue
            literal = waiting.pop()
            atom = abs(literal)
            if atom == TRUE or atom in self._holds:
                self.is_refuted = literal == FALSE or (atom != TRUE and self._holds[atom] != (literal > 0))
                continue
            self._holds[atom] = literal > 0
            concluded.append(literal)
            waiting += self._conclude_from_choice(literal)
            waiting += [-other for other in self._excluded.get(literal, ())]
            touched.update((atom, *self._uses.get(atom, ())))
        return concluded

    def _add_definition(self, bodies: Bodies) -> int:
        atom = self._shared[bodies] = self.add_atom()
        self._bodies[atom] = list(bodies)
        self.add_rules(atom, bodies)
        for used in {abs(literal) for body in bodies for literal in body}:
            self._uses.setdefault(used, []).append(atom)
        return atom

    def _is_exhaustive(self, bodies: Bodies) -> bool:
        """Whether some bodies of one literal cannot all be false: p and not p, or all that is open of a choice."""
        left: dict[int, int] = {}  # per choice, how many of its open atoms have not been met
        for body in bodies:
            if len(body) == 1:
                [literal] = body
                if frozenset((-literal,)) in bodies:
                    return True
                if literal in self._choice_of:
                    choice = self._choice_of[literal]
                    left[id(choice)] = left.get(id(choice), len(choice)) - 1
        return 0 in left.values()

    def _conclude_from_choice(self, literal: int) -> list[int]:
        """What the other atoms of its choice are."""
        choice = self._choice_of.get(abs(literal))
        if choice is None:
            return []
        if literal > 0:
            return [-other for other in choice if other != literal]
        choice.discard(-literal)
        if not choice:
            self.is_refuted = True
        return list(choice) if len(choice) == 1 else []

    def _conclude_from_rules(self, atom: int) -> list[int]:
        """What an atom is by its bodies, or its bodies by the atom."""
        if atom not in self._bodies:
            return []
        bodies = self._bodies[atom] = [body for body in map(self._leave_open, self._bodies[atom]) if body is not None]
        holds = self._holds.get(atom)
        if frozenset() in bodies or not bodies:  # it is decided, whatever else will be known
            del self._bodies[atom]
            return [atom if bodies else -atom]
        if holds and len(bodies) == 1:
            return list(bodies[0])
        if holds is False:
            return [-literal for body in bodies if len(body) == 1 for literal in body]
        return []

    def _leave_open(self, body: Body) -> Body | None:
        """The literals of a body that are open; None where one is false."""
        known = self._holds.keys() & {abs(literal) for literal in body}
        if not known:
            return body
        if any(abs(literal) in known and self._holds[abs(literal)] != (literal > 0) for literal in body):
            return None
        return frozenset(literal for literal in body if abs(literal) not in known)
