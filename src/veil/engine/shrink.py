"""Rules -> equivalent rules with smaller ground programs.

A rule is ground once for every way to fill in all its variables. Where some variables are needed only among a few
literals, those literals become a predicate of their own that projects the variables away, so that n^7 instances of one
rule become a few times n^4. This is the decomposition of rule bodies along a tree decomposition of their variables
(Bichler, Morak & Woltran, lpopt), chosen greedily and only where the estimate says it pays:

1. For every variable that is not in the head: take the literals it stands in, and what binds their other variables.
2. Split off the group that makes `join(group) + join(rest)` smallest, if that is well below `join(body)`.
3. Go on with the rest, and with the group itself. Groups that are equal up to names share one predicate.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from veil.engine.sizes import Sizes
from veil.lang import Literal, Rule
from veil.vocabulary import Term, Var, substitute, variables

WORTH_A_LOOK = 200.0  # instances; below, a rule is left as it is
GAIN = 0.6  # a split must leave less than this share of the instances


class Split(NamedTuple):
    cost: float
    inner: tuple[Literal, ...]
    shared: tuple[Var, ...]
    outer: tuple[Literal, ...]  # what stays, without the literal of the new predicate


class _Shrinker:
    def __init__(self, rules: list[Rule]) -> None:
        self.sizes = Sizes(rules)
        self.known: dict[tuple[object, ...], str] = {}  # group up to names -> its predicate
        self.result: list[Rule] = []

    def add(self, rule: Rule) -> None:
        """Split a rule as long as it pays, then keep it."""
        while True:
            plain = self.sizes.join(rule.body)
            if plain < WORTH_A_LOOK:
                break
            split = min(self.splits(rule), key=lambda s: s.cost, default=None)
            if split is None or split.cost > GAIN * plain:
                break
            literal = self.name(split, rule)
            rule = rule._replace(body=(literal, *split.outer))
        self.result.append(rule)

    def splits(self, rule: Rule) -> Iterable[Split]:
        """Every way to project away a variable (and those that go with it)."""
        head = set(variables(rule.head))
        candidates = dict.fromkeys(var for lit in rule.body for var in variables(lit.atom) if var not in head)
        for var in candidates:
            inner = [lit for lit in rule.body if var in variables(lit.atom)]
            outer = [lit for lit in rule.body if lit not in inner]
            if not outer:
                continue
            needed = head | {v for lit in outer for v in variables(lit.atom)}
            # Tests that can be asked inside are asked there.
            inside = {v for lit in inner for v in variables(lit.atom)}
            shared = tuple(v for v in dict.fromkeys(v for lit in inner for v in variables(lit.atom)) if v in needed)
            supported = self.support(inner, outer)
            if supported is None:
                continue
            size = self.sizes.join(supported)
            limit = 1.0
            for v in shared:
                limit *= self.sizes.values(v, supported)
            yield Split(size + self.outer_cost(outer, shared, min(size, limit), rule), tuple(supported), shared, tuple(outer))
            del inside

    def support(self, inner: list[Literal], outer: list[Literal]) -> list[Literal] | None:
        """The group with copies of literals that bind what its negations and `distinct` need."""
        group = list(inner)
        bound = {var for lit in group if lit.binds for var in variables(lit.atom)}
        loose = {var for lit in group for var in variables(lit.atom)} - bound
        while loose:
            helpers = [lit for lit in outer if lit.binds and loose & set(variables(lit.atom))]
            if not helpers:
                return None
            best = min(helpers, key=lambda lit: self.sizes.join([*group, lit]))
            group.append(best)
            bound |= set(variables(best.atom))
            loose -= bound
        return group

    def outer_cost(self, outer: list[Literal], shared: tuple[Var, ...], rows: float, rule: Rule) -> float:
        """Instances of the rest once the group is one literal with so many rows."""
        size = self.sizes.join(outer) * max(rows, 1e-3)
        positive = {v for lit in outer if lit.binds for v in variables(lit.atom)}
        for var in shared:
            if var in positive:
                size /= self.sizes.values(var, rule.body)
        return size

    def name(self, split: Split, rule: Rule) -> Literal:
        """The literal that stands for a group; its rule is added where the group is new."""
        names = {var: Var(f"v{i}") for i, var in enumerate(split.shared)}
        for literal in split.inner:
            for var in variables(literal.atom):
                names.setdefault(var, Var(f"v{len(names)}"))
        body = tuple(lit._replace(atom=substitute(lit.atom, names), at=0) for lit in split.inner)
        head_args = tuple(names[var] for var in split.shared)
        key = (head_args, tuple((lit.atom, lit.positive) for lit in body))
        name = self.known.get(key)
        if name is None:
            name = self.known[key] = f"split@{len(self.known) + 1}"
            inner_rule = Rule(_atom(name, head_args), body, rule.node)
            self.sizes.add(inner_rule)
            self.add(inner_rule)
        return Literal(_atom(name, split.shared), True, rule.node.at)


def shrink(rules: Iterable[Rule]) -> list[Rule]:
    """Equivalent rules; every relation of the original keeps its meaning."""
    original = list(rules)
    shrinker = _Shrinker(original)
    for rule in original:
        if rule.body:
            shrinker.add(rule)
        else:
            shrinker.result.append(rule)
    return shrinker.result


def _atom(name: str, args: tuple[Var, ...]) -> Term:
    return (name, *args) if args else name
