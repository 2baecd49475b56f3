"""`Rules`: a checked game description, and the small records it is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from veil.errors import Place, Problem
from veil.lang.source import Source
from veil.lang.tree import Node, find_variable
from veil.vocabulary import Signature, Term, Var, show, signature, variables


class Literal(NamedTuple):
    """An atom in a body, or its negation. `distinct` is an atom like the others."""

    atom: Term
    positive: bool
    at: int  # offset in the text

    @property
    def is_distinct(self) -> bool:
        return signature(self.atom) == ("distinct", 2)

    @property
    def binds(self) -> bool:
        """Does the literal give values to its variables? (`not distinct` is an equation, which the builder removes.)"""
        return self.positive and not self.is_distinct


class Rule(NamedTuple):
    """`head` holds when every literal of `body` does."""

    head: Term
    body: tuple[Literal, ...]
    node: Node  # where it stands in the text

    @property
    def signature(self) -> Signature:
        return signature(self.head)

    def bound(self) -> set[Var]:
        """The variables that some positive literal binds."""
        return {var for literal in self.body if literal.binds for var in variables(literal.atom)}

    def place_of(self, variable: Var, source: Source) -> Place:
        return source.place(find_variable(self.node, variable))


@dataclass(frozen=True, slots=True, repr=False)
class Rules:
    """A game description: well-formed, repaired where it had to be, with what was noticed on the way."""

    source: Source
    roles: tuple[Term, ...]
    rules: tuple[Rule, ...]
    spelling: dict[str, str] = field(repr=False)
    problems: tuple[Problem, ...] = ()  # warnings and notes; errors are raised
    doubts: tuple[Problem, ...] = ()  # errors that only hold if the ground program confirms them

    def __repr__(self) -> str:
        return f"Rules({self.source.name!r}, {len(self.rules)} rules)"

    def show(self, term: Term) -> str:
        """A term as the rules spell it."""
        return show(term, self.spelling)

    def goal_place(self) -> Place:
        """A rule that takes its goal value from a variable, to point at."""
        rule = next(rule for rule in self.rules if rule.signature == ("goal", 2) and rule.body)
        return self.source.place(rule.node.at)
