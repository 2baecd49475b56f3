"""The graph of predicates: components, and what reaches what, against the plain definition on random graphs."""

from hypothesis import given, strategies as st

from tests.support.rule_texts import builder_of
from veil.lang.depends import Dependencies, components, find_dependencies, reachable

GRAPHS = st.dictionaries(st.integers(0, 7), st.lists(st.integers(0, 7), max_size=4), max_size=8).map(
    lambda edges: {node: edges.get(node, []) for node in {*edges, *(n for below in edges.values() for n in below)}}
)


def graph_of(text: str) -> Dependencies:
    return find_dependencies(builder_of(text).rules)


def reaches(edges: dict[int, list[int]], start: int, end: int) -> bool:
    """Is there a path of length zero or more? By trying all lengths."""
    found = {start}
    for _ in edges:
        found |= {child for node in found for child in edges[node]}
    return end in found


def test_a_head_depends_on_every_predicate_of_its_bodies() -> None:
    graph = graph_of("(<= (p ?x) (q ?x) (not r)) (<= (p ?x) (s ?x ?y)) (q a)")
    assert list(graph.below[("p", 1)]) == [("q", 1), ("r", 0), ("s", 2)]
    assert graph.below[("q", 1)] == {}


def test_distinct_has_no_part_in_it() -> None:
    assert graph_of("(<= (p ?x) (q ?x) (distinct ?x a))").below == {("p", 1): {("q", 1): None}, ("q", 1): {}}


def test_one_name_with_several_numbers_of_arguments_is_several_predicates() -> None:
    graph = graph_of("(<= (p ?x) (p ?x a)) (<= (p ?x ?y) (q ?x ?y))")
    assert not graph.recursive(("p", 1), ("p", 2))


def test_predicates_that_depend_on_each_other_are_recursive() -> None:
    graph = graph_of("(<= p q) (<= q r) (<= r p s) (<= t p)")
    assert graph.recursive(("p", 0), ("r", 0))
    assert graph.recursive(("q", 0), ("q", 0))
    assert not graph.recursive(("t", 0), ("p", 0))
    assert not graph.recursive(("p", 0), ("s", 0))
    assert not graph.recursive(("nobody", 0), ("unknown", 0))


def test_reachable_is_what_is_needed_and_dependents_is_who_needs_it() -> None:
    graph = graph_of("(<= p q) (<= q (not r)) (<= s r) (<= t u)")
    assert graph.reachable([("p", 0)]) == {("p", 0), ("q", 0), ("r", 0)}
    assert graph.dependents([("r", 0)]) == {("p", 0), ("q", 0), ("r", 0), ("s", 0)}
    assert graph.dependents([("p", 0), ("u", 0)]) == {("p", 0), ("u", 0), ("t", 0)}


def test_components_are_numbered_from_the_bottom_up() -> None:
    component = graph_of("(<= p q) (<= q r q) (<= r s) (<= s r)").component
    assert component[("r", 0)] == component[("s", 0)] < component[("q", 0)] < component[("p", 0)]


@given(GRAPHS)
def test_components_are_the_nodes_that_reach_each_other_each_after_what_it_reaches(edges: dict[int, list[int]]) -> None:
    found = components(edges)
    number = {node: i for i, members in enumerate(found) for node in members}
    assert sorted(number) == sorted(edges) == sorted(node for members in found for node in members)
    for one in edges:
        for other in edges:
            together = reaches(edges, one, other) and reaches(edges, other, one)
            assert (number[one] == number[other]) == together
            if reaches(edges, one, other):
                assert number[one] >= number[other]


@given(GRAPHS, st.lists(st.integers(0, 7), max_size=3))
def test_reachable_finds_every_path(edges: dict[int, list[int]], start: list[int]) -> None:
    known = [node for node in start if node in edges]
    assert reachable(edges, known) == {node for node in edges if any(reaches(edges, first, node) for first in known)}


def test_long_chains_do_not_exhaust_the_stack() -> None:
    chain = {i: [i + 1] for i in range(20_000)} | {20_000: [0]}
    assert len(components(chain)) == 1
