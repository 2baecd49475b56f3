"""The terms that can stand at each argument position (the domain graph of a description).

A position is one argument of a predicate or of a function symbol. A function symbol has the same positions wherever it
occurs; `true`, `init` and `next` share positions, and so do `does` and `legal`. Constants and function symbols enter a
position if the text writes them into a head, and flow with variables from body to head until nothing changes. The
result is an upper bound: no other term can occur.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from math import prod

from veil.lang.depends import reachable
from veil.lang.rule import Rule
from veil.vocabulary import Signature, Term, Var, signature

Position = tuple[str, str, int, int]  # "predicate" or "function", name, number of arguments, which argument
SAME = {"init": "true", "next": "true", "legal": "does", "input": "does", "base": "true"}


@dataclass(frozen=True, slots=True)
class Domains:
    """Constants and function symbols per position."""

    values: dict[Position, dict[Signature, None]]  # ordered sets

    def terms(self, position: Position, limit: int) -> list[Term] | None:
        """Return the ground terms of a position; None if there are more than `limit`, or infinitely many."""
        return self._expand(position, limit, ())

    def size(self, position: Position) -> int:
        """Return the number of constants and function symbols at the position; this is no count of ground terms."""
        return len(self.values.get(position, ()))

    def growing(self) -> Signature | None:
        """Return a function symbol that can occur inside itself, and so makes endless terms; None in most games."""
        inside: dict[Signature, list[Signature]] = {}
        for (kind, name, arity, _), signatures in self.values.items():
            if kind == "function":
                inside.setdefault((name, arity), []).extend(sig for sig in signatures if sig[1])
        return next((sig for sig, below in inside.items() if sig in reachable(inside, below)), None)

    def _expand(self, position: Position, limit: int, inside: tuple[Signature, ...]) -> list[Term] | None:
        """Return the terms of a position inside these function symbols, which may not occur again."""
        terms: list[Term] = []
        for name, arity in self.values.get(position, ()):
            if arity == 0:
                terms.append(name)
                continue
            if (name, arity) in inside:
                return None
            parts = []
            for i in range(arity):
                part = self._expand(("function", name, arity, i), limit, (*inside, (name, arity)))
                if part is None:
                    return None
                parts.append(part)
            if len(terms) + prod(len(part) for part in parts) > limit:
                return None
            terms.extend((name, *choice) for choice in product(*parts))
        return terms if len(terms) <= limit else None


def positions(atom: Term) -> Iterable[tuple[Position, Term]]:
    """Yield every argument position of an atom, nested ones included, with the term that stands there."""
    yield from _positions("predicate", atom)


def _positions(kind: str, term: Term) -> Iterable[tuple[Position, Term]]:
    if isinstance(term, str | Var):
        return
    name, arity = signature(term)
    for i, part in enumerate(term[1:]):
        yield (kind, SAME.get(name, name) if kind == "predicate" else name, arity, i), part
        yield from _positions("function", part)


def find_domains(rules: Iterable[Rule]) -> Domains:
    """Return the domains of a set of rules: the least solution of the flow equations, by iteration."""
    values: dict[Position, dict[Signature, None]] = {}
    flows: list[tuple[Position, list[Position]]] = []  # head position <- every body position of its variable
    for rule in rules:
        sources: dict[Var, list[Position]] = {}
        for literal in rule.body:
            if literal.binds:
                for position, term in positions(literal.atom):
                    if isinstance(term, Var):
                        sources.setdefault(term, []).append(position)
        for position, term in positions(rule.head):
            if not isinstance(term, Var):
                values.setdefault(position, {})[signature(term)] = None
            elif term in sources:
                flows.append((position, sources[term]))
    _flow(values, flows)
    return Domains(values)


def _flow(values: dict[Position, dict[Signature, None]], flows: list[tuple[Position, list[Position]]]) -> None:
    """Push the common values of all body positions of a variable to its head position (changed in place)."""
    changed = True
    while changed:
        changed = False
        for position, sources in flows:
            target = values.setdefault(position, {})
            smallest = min(sources, key=lambda source: len(values.get(source, ())))
            for sig in tuple(values.get(smallest, ())):
                if sig not in target and all(sig in values.get(source, ()) for source in sources):
                    target[sig] = None
                    changed = True
