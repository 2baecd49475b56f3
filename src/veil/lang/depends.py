"""Dependencies between predicates: the graph behind stratification, relevance and the test of `does`."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from veil.lang.rule import Rule
from veil.vocabulary import Signature, signature

N = TypeVar("N", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Dependencies:
    """Edges from each head to the predicates of its bodies."""

    below: dict[Signature, dict[Signature, None]]  # a dict as ordered set, so that results do not depend on hashing
    component: dict[Signature, int]  # strongly connected components, numbered from the bottom up

    def recursive(self, head: Signature, other: Signature) -> bool:
        """Return whether both predicates depend on each other."""
        return self.component.get(head) == self.component.get(other) is not None

    def reachable(self, start: Iterable[Signature]) -> set[Signature]:
        """Return the given predicates and everything they depend on."""
        return reachable(self.below, start)

    def dependents(self, sources: Iterable[Signature]) -> set[Signature]:
        """Return the given predicates and everything that depends on one of them."""
        above: dict[Signature, dict[Signature, None]] = {}
        for head, bodies in self.below.items():
            for body in bodies:
                above.setdefault(body, {})[head] = None
        return reachable(above, sources)


def find_dependencies(rules: Iterable[Rule]) -> Dependencies:
    """Return the graph of a set of rules. It leaves out `distinct`, which is built in."""
    below: dict[Signature, dict[Signature, None]] = {}
    for rule in rules:
        edges = below.setdefault(rule.signature, {})
        for literal in rule.body:
            if not literal.is_distinct:
                edges[signature(literal.atom)] = None
                below.setdefault(signature(literal.atom), {})
    component = {node: i for i, members in enumerate(components(below)) for node in members}
    return Dependencies(below, component)


def reachable(edges: Mapping[N, Iterable[N]], start: Iterable[N]) -> set[N]:
    """Return all nodes on a path from `start`, those of `start` included."""
    reached = set(start)
    waiting = list(reached)
    while waiting:
        for node in edges.get(waiting.pop(), ()):
            if node not in reached:
                reached.add(node)
                waiting.append(node)
    return reached


def components(edges: Mapping[N, Collection[N]]) -> list[list[N]]:
    """Return the strongly connected components, each after all it depends on (Tarjan 1972, with an explicit stack)."""
    order: dict[N, int] = {}
    low: dict[N, int] = {}
    stack: list[N] = []
    on_stack: set[N] = set()
    result: list[list[N]] = []
    for root in edges:
        if root in order:
            continue
        work = [(root, iter(edges.get(root, ())))]
        order[root] = low[root] = len(order)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, children = work[-1]
            for child in children:
                if child not in order:
                    order[child] = low[child] = len(order)
                    stack.append(child)
                    on_stack.add(child)
                    work.append((child, iter(edges.get(child, ()))))
                    break
                if child in on_stack:
                    low[node] = min(low[node], order[child])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    members = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        members.append(member)
                        if member == node:
                            break
                    result.append(members[::-1])
    return result
