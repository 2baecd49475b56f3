"""A logic program that grows: choices of one atom among several, atoms defined by rules, and what is known to hold.

A *literal* is an atom, counted from 1, or minus an atom; TRUE and FALSE are literals, too. An atom is *open* as long
as it is not known whether it holds. Asserting a literal draws the conclusions that need no search, in both directions:

- an atom whose bodies are all false is false; an atom with a true body is true;
- a false atom has false bodies; if only one body of a true atom may hold, that body is true;
- exactly one atom of a choice holds;
- if two literals do not hold together and one is true, the other is false.

Therefore later definitions refer to fewer atoms. The rules that `take_rules` returns mean the same without these
conclusions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

TRUE = 1 << 40  # minus a literal is its negation
FALSE = -TRUE
Body = frozenset[int]  # a conjunction of literals
Bodies = frozenset[Body]  # a disjunction of them


class AtomRule(NamedTuple):
    """A rule: the head holds if the body holds. If the head is 0, the body must not hold."""

    head: int
    body: tuple[int, ...]


class AtomDefinitions:
    """Atoms and their rules. `is_refuted` is True if the assertions contradict each other."""

    def __init__(self) -> None:
        self.num_atoms, self.is_refuted = 0, False
        self.rules: list[AtomRule] = []  # new since the last `take_rules`
        self.choices: list[tuple[int, ...]] = []  # new since the last `take_rules`: atoms of which exactly one holds
        self._holds: dict[int, bool] = {}  # of atoms that are not open
        self._shared: dict[Bodies, int] = {}
        self._bodies: dict[int, list[Body]] = {}  # bodies of an atom, reduced to what is open
        self._uses: dict[int, list[int]] = {}  # by atom, the atoms whose bodies contain it
        self._excluded: dict[int, list[int]] = {}  # by literal, the literals that do not hold together with it
        self._open: list[set[int]] = []  # per choice, the atoms that may hold
        self._choice_of: dict[int, set[int]] = {}  # by atom, the set of its choice in `_open`

    @property
    def open_choices(self) -> list[list[int]]:
        """The open atoms of each choice, where there is more than one."""
        return [sorted(choice) for choice in self._open if len(choice) > 1]

    def take_rules(self) -> tuple[list[AtomRule], list[tuple[int, ...]]]:
        """Return the rules and choices that were added since the last call."""
        rules, choices = self.rules, self.choices
        self.rules, self.choices = [], []
        return rules, choices

    def add_choice(self, size: int) -> tuple[int, ...]:
        """Add `size` new atoms, of which exactly one holds, and return them."""
        atoms = tuple(self.add_atom() for _ in range(size))
        self._open.append(set(atoms))
        self._choice_of |= dict.fromkeys(atoms, self._open[-1])
        self.choices.append(atoms)
        return atoms

    def add_atom(self) -> int:
        """Return a new atom that nothing defines yet."""
        self.num_atoms += 1
        return self.num_atoms

    def add_rules(self, atom: int, bodies: Iterable[Body]) -> None:
        """Add rules: the atom holds if one of the bodies holds. Bodies may depend on it; nothing is concluded."""
        self.rules += [AtomRule(atom, tuple(body)) for body in bodies]

    def forbid(self, *literals: int) -> None:
        """Add a constraint: these literals do not hold together."""
        if FALSE in literals:
            return
        body = tuple(literal for literal in literals if literal != TRUE)
        self.rules.append(AtomRule(0, body))
        if len(body) == 2:
            for one, other in (body, body[::-1]):
                self._excluded.setdefault(one, []).append(other)

    def is_possible(self, body: Body) -> bool:
        """Return whether a body has no two literals that obviously exclude each other."""
        if len(body) < 2:
            return True
        if any(-literal in body for literal in body):
            return False
        choices = [id(self._choice_of[literal]) for literal in body if literal in self._choice_of]
        return len(choices) == len(set(choices))

    def define(self, bodies: Bodies) -> int:
        """Return the literal of a disjunction of possible bodies. It is a new atom with rules if there is none yet."""
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
        """Assert a literal; return the literals that now hold and were open before."""
        if literal == TRUE:
            return []
        self.forbid(-literal)
        concluded, waiting, touched = list[int](), [literal], set[int]()
        while (waiting or touched) and not self.is_refuted:
            if not waiting:  # rules come last, so that a long rule is visited once for all that is known by then
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
        """Return whether some bodies of one literal cannot all be false: p and not p, or a choice's open atoms."""
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
        """Return the literals that follow for the other atoms of the choice."""
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
        """Return the literals that follow from an atom's bodies, or from the atom for its bodies."""
        if atom not in self._bodies:
            return []
        bodies = self._bodies[atom] = [body for body in map(self._leave_open, self._bodies[atom]) if body is not None]
        holds = self._holds.get(atom)
        if frozenset() in bodies or not bodies:  # the atom is decided, whatever else will be known
            del self._bodies[atom]
            return [atom if bodies else -atom]
        if holds and len(bodies) == 1:
            return list(bodies[0])
        if holds is False:
            return [-literal for body in bodies if len(body) == 1 for literal in body]
        return []

    def _leave_open(self, body: Body) -> Body | None:
        """Return the open literals of a body; None if one of its literals is false."""
        known = self._holds.keys() & {abs(literal) for literal in body}
        if not known:
            return body
        if any(abs(literal) in known and self._holds[abs(literal)] != (literal > 0) for literal in body):
            return None
        return frozenset(literal for literal in body if abs(literal) not in known)
