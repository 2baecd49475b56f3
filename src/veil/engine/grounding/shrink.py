"""Rewriting of rules so that their ground programs are smaller.

A rule is ground once for every assignment of all its variables. If some variables occur only in a few literals, these
literals become a predicate of their own, which projects the variables away: n^7 instances of one rule become a few
times n^4. This is the decomposition of rule bodies along a tree decomposition of their variables (Bichler, Morak &
Woltran, "lpopt", 2016). It is found by eliminating variables, and applied only where it pays:

1. Eliminate the variables that are not in the head one after the other, next the one with the smallest join:
   its literals become one literal over the variables that other literals need.
2. Keep the steps up to the point where the sum of all joins is smallest, if that is well below the join of the body.
3. Treat the new rules in the same way. Groups that are equal up to names share one predicate.

Expensive relations are first restricted to what is asked of them (`demand`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from veil.engine.datalog import MAX_FIXED_ROWS, Sizes, compute_fixed_relations, restrict
from veil.lang import Literal, Rule, RuleSet
from veil.vocabulary import Term, Var, signature, substitute, variables

WORTH_A_LOOK = 200.0  # instances; below, a rule is left as it is
EXPENSIVE = 5_000.0  # instances; above, fixed relations are computed exactly and restricted to what is asked
MAX_CANDIDATES = 40  # variables of a rule that are tried at a time
GAIN = 0.6  # a split must leave less than this share of the instances


def shrink(rules: RuleSet, *, restricting: bool = True) -> list[Rule]:
    """Return rules with a smaller ground program and the same legal, next, sees, terminal and goal in every state.

    With `restricting=False` all other relations stay the same as well.
    """
    sizes = Sizes(rules)
    if restricting and any(sizes.join(rule.body) > EXPENSIVE for rule in rules):
        instances = sizes.join
        rules = restrict(rules, lambda rule: instances(rule.body) > EXPENSIVE, cost=lambda rule: instances(rule.body))
        sizes = Sizes(rules, compute_fixed_relations(rules, MAX_FIXED_ROWS))
    shrinker = _Shrinker(sizes)
    for rule in rules:
        shrinker.add(rule)
    return shrinker.result


class Split(NamedTuple):
    """Literals that are to become one literal over the shared variables."""

    literals: tuple[Literal, ...]  # these disappear from the body
    support: tuple[Literal, ...]  # copies of other literals that bind the variables of negations and `distinct`
    shared: tuple[Var, ...]
    cost: float  # instances of the new rule


class _Shrinker:
    """The rules of the result, and the groups of literals that became predicates."""

    def __init__(self, sizes: Sizes) -> None:
        self.sizes = sizes
        self.result: list[Rule] = []
        self._names: dict[tuple[object, ...], str] = {}  # group up to names of variables -> its predicate
        self._rules: dict[str, Rule] = {}  # every group that was tried
        self._kept: set[str] = set()  # the groups whose rules are part of the result

    def add(self, rule: Rule) -> None:
        """Add one rule to the result, split where that pays (steps 1 to 3)."""
        instances = self.sizes.join(rule.body)
        best, best_cost, best_names = rule, instances * GAIN, list[str]()
        if instances > WORTH_A_LOOK:
            step, spent, names = rule, 0.0, list[str]()
            while split := min(self.splits(step), key=lambda split: split.cost, default=None):
                literal = self.literal_for(split, rule)
                names.append(signature(literal.atom)[0])
                spent += 0.0 if names[-1] in self._kept else split.cost
                gone = set(split.literals)
                step = step._replace(body=(literal, *(lit for lit in step.body if lit not in gone)))
                cost = spent + self.sizes.join(step.body)
                if cost < best_cost:
                    best, best_cost, best_names = step, cost, list(names)
        for name in best_names:
            if name not in self._kept:
                self._kept.add(name)
                self.add(self._rules[name])
        self.result.append(best)

    def splits(self, rule: Rule) -> Iterable[Split]:
        """Yield every way to project away one variable, together with the variables that occur nowhere else."""
        # Dicts as ordered sets: every process splits the same rules in the same way.
        occurs = [dict.fromkeys(variables(lit.atom)) for lit in rule.body]
        places = Counter(var for inside in occurs for var in inside)
        head = set(variables(rule.head))
        for var in [var for var in places if var not in head][:MAX_CANDIDATES]:
            inner = [lit for lit, inside in zip(rule.body, occurs, strict=True) if var in inside]
            outer = [lit for lit, inside in zip(rule.body, occurs, strict=True) if var not in inside]
            support = self.support(inner, outer)
            if support is None or len(inner) + len(support) == len(rule.body):
                continue
            counts = Counter(v for lit in inner for v in dict.fromkeys(variables(lit.atom)))
            shared = [v for v in counts if v in head or places[v] > counts[v]]
            yield Split(tuple(inner), tuple(support), tuple(shared), self.sizes.join([*inner, *support]))

    def support(self, inner: list[Literal], outer: list[Literal]) -> list[Literal] | None:
        """Return literals from outside that bind the unbound variables inside; None if there are none."""
        support: list[Literal] = []
        bound = {var for lit in inner if lit.binds for var in variables(lit.atom)}
        loose = {var for lit in inner for var in variables(lit.atom)} - bound
        while loose:
            helpers = [lit for lit in outer if lit.binds and loose.intersection(variables(lit.atom))]
            if not helpers:
                return None
            support.append(min(helpers, key=lambda lit: self.sizes.join([*inner, *support, lit])))
            loose.difference_update(variables(support[-1].atom))
        return support

    def literal_for(self, split: Split, rule: Rule) -> Literal:
        """Return the literal that stands for a group. Its rule is stored; `add` decides whether to keep it."""
        group = (*split.literals, *split.support)
        names = {var: Var(f"v{i}") for i, var in enumerate(split.shared)}
        for literal in group:
            for var in variables(literal.atom):
                names.setdefault(var, Var(f"v{len(names)}"))
        body = tuple(lit._replace(atom=substitute(lit.atom, names), offset=rule.node.offset) for lit in group)
        key = (len(split.shared), tuple((lit.atom, lit.positive) for lit in body))
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = f"split {len(self._names) + 1}"
            self._rules[name] = Rule(_atom(name, tuple(names[var] for var in split.shared)), body, rule.node)
            self.sizes.add(self._rules[name])
        return Literal(_atom(name, split.shared), True, rule.node.offset)


def _atom(name: str, args: tuple[Var, ...]) -> Term:
    """Return the atom of a predicate and its arguments; the name alone if there are no arguments."""
    return (name, *args) if args else name
