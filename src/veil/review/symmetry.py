"""Whether the rules stay the same when two roles are exchanged.

Every rule is written with its variables numbered in their order and its conditions sorted; two roles are exchanged
wherever their names stand. If the rules are then the same set, no seat has an advantage by the rules. Seats may be
equal in other ways, too: pieces that belong to roles by other names are not exchanged.
"""

from __future__ import annotations

from itertools import combinations

from veil.engine import Game
from veil.lang import Rule
from veil.vocabulary import RANDOM, Term, Var, show


def find_symmetric_roles(game: Game) -> list[tuple[str, str]]:
    """Return the pairs of roles that can be exchanged without a change of the rules."""
    rules = game.rules.rules
    here = {_normal(rule, {}) for rule in rules}
    roles = [role for role in game.rules.roles if role != RANDOM]
    pairs = []
    for one, other in combinations(roles, 2):
        swap = {one: other, other: one}
        if {_normal(rule, swap) for rule in rules} == here:
            pairs.append((game.rules.show(one), game.rules.show(other)))
    return pairs


def _normal(rule: Rule, swap: dict[Term, Term]) -> tuple[str, ...]:
    """Return a rule with exchanged words, in a form that does not depend on names of variables or on order."""
    ordered = sorted(
        (("" if literal.positive else "not ") + show(_exchange(literal.atom, swap, None)), number)
        for number, literal in enumerate(rule.body)
    )
    names: dict[Var, Term] = {}
    parts = [show(_exchange(rule.head, swap, names))]
    for _, number in ordered:
        literal = rule.body[number]
        parts.append(("" if literal.positive else "not ") + show(_exchange(literal.atom, swap, names)))
    return tuple(parts)


def _exchange(term: Term, swap: dict[Term, Term], names: dict[Var, Term] | None) -> Term:
    """Return a term with exchanged words; variables are numbered in `names`, or all alike without it."""
    if isinstance(term, Var):
        return Var("") if names is None else names.setdefault(term, Var(str(len(names))))
    if isinstance(term, str):
        return swap.get(term, term)
    return tuple(_exchange(part, swap, names) for part in term)
