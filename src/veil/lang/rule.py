"""`Rule` and `Literal`: the small records of a game description."""

from __future__ import annotations

from typing import NamedTuple

from veil.errors import Place
from veil.lang.source import Source
from veil.lang.tree import Node, find_variable
from veil.vocabulary import Signature, Term, Var, signature, variables


class Literal(NamedTuple):
    """An atom in a body, or its negation. `distinct` is an atom like the others."""

    atom: Term
    positive: bool
    offset: int  # offset in the text

    @property
    def is_distinct(self) -> bool:
        return signature(self.atom) == ("distinct", 2)

    @property
    def binds(self) -> bool:
        """Whether the literal gives values to its variables (`not distinct` is an equation, which `build` removes)."""
        return self.positive and not self.is_distinct


class Rule(NamedTuple):
    """A rule: `head` holds if every literal of `body` does."""

    head: Term
    body: tuple[Literal, ...]
    node: Node  # its place in the text

    @property
    def signature(self) -> Signature:
        return signature(self.head)

    def bound(self) -> set[Var]:
        """Return the variables that some positive literal binds."""
        return {var for literal in self.body if literal.binds for var in variables(literal.atom)}

    def place_of(self, variable: Var, source: Source) -> Place:
        """Return where the variable first occurs in the text of the rule; the place of the rule if it does not."""
        return source.place(find_variable(self.node, variable))
