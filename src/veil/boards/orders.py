"""The order of the values of an argument: numbers, a chain of a relation such as `succ`, or names with numbers.

A set of values is ordered if one of these holds, and unordered (sorted by text) otherwise:

- all are whole numbers, or the same word followed by numbers (`r1`, `r2`, `r10`);
- the facts of a relation with two arguments make a path, and all values lie on it: `(succ a b) (succ b c)`;
- all are single letters without a gap: `a`, `b`, `c`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from string import ascii_lowercase
from typing import NamedTuple

from veil.lang import Rules
from veil.vocabulary import WHOLE_NUMBER, Term, Var, show, signature, variables

NUMBERED = re.compile(r"([a-z_.-]*?)([0-9]+)")
LEAST_CHAIN = 3  # values; a pair such as (opponent white black) is no order
LEAST_LETTERS = 3


class ValueOrder(NamedTuple):
    """Values in their order, and whether that order has a meaning."""

    values: tuple[Term, ...]
    is_ordered: bool


Chain = dict[Term, int]  # term -> its place on a path


def find_chains(rules: Rules) -> list[Chain]:
    """Return the paths that relations of two arguments form, from the facts of the rules, longest first."""
    pairs: dict[str, list[tuple[Term, Term]]] = defaultdict(list)
    for rule in rules.rules:
        name, arity = signature(rule.head)
        if arity == 2 and not rule.body and not any(True for _ in variables(rule.head)):
            assert isinstance(rule.head, tuple)
            assert not isinstance(rule.head, Var)
            pairs[name].append((rule.head[1], rule.head[2]))
    chains = [chain for facts in pairs.values() for chain in _follow(facts)]
    return sorted(chains, key=len, reverse=True)


def _follow(facts: Sequence[tuple[Term, Term]]) -> list[Chain]:
    """Return the paths of a relation; none if a term has two successors or two predecessors, or if it is circular."""
    after, before = dict(facts), {second: first for first, second in facts}
    if len(after) < len(set(facts)) or len(before) < len(set(facts)):
        return []
    chains = []
    for first in after:
        if first not in before:
            chain: Chain = {}
            term: Term | None = first
            while term is not None and term not in chain:
                chain[term] = len(chain)
                term = after.get(term)
            if len(chain) >= LEAST_CHAIN:
                chains.append(chain)
    return chains


def order_values(terms: Iterable[Term], chains: Sequence[Chain]) -> ValueOrder:
    """Return the values in their order."""
    values = set(terms)
    by_text = sorted(values, key=lambda term: show(term))
    if len(values) == 1:
        return ValueOrder(tuple(by_text), False)
    if all(isinstance(term, str) and WHOLE_NUMBER.fullmatch(term) for term in values):
        return ValueOrder(tuple(sorted(by_text, key=lambda term: int(str(term)))), True)
    for chain in chains:
        if len(values) >= LEAST_CHAIN and all(term in chain for term in values):
            return ValueOrder(tuple(sorted(values, key=lambda term: chain[term])), True)
    numbered = [NUMBERED.fullmatch(term) if isinstance(term, str) else None for term in by_text]
    if len({found[1] if found else None for found in numbered}) == 1 and numbered[0] is not None:
        return ValueOrder(tuple(sorted(by_text, key=lambda term: _number_of(str(term)))), True)
    letters = "".join(term for term in by_text if isinstance(term, str))
    is_run = len(letters) == len(values) >= LEAST_LETTERS and letters in ascii_lowercase
    return ValueOrder(tuple(by_text), is_run)


def _number_of(text: str) -> int:
    found = NUMBERED.fullmatch(text)
    assert found is not None
    return int(found[2])
