from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from veil.engine.grounding.strata import Edges, dependencies, dependents, is_stratified, order_atoms, peel

NODES = 8
pairs = st.lists(st.tuples(st.integers(0, NODES - 1), st.integers(0, NODES - 1)), max_size=20)


def edges_of(found: list[tuple[int, int]], negated: bool = False) -> Edges:
    below, above = (np.array([pair[i] for pair in found], dtype=np.int64) for i in (0, 1))
    return Edges(below, above, np.full(len(found), negated))


def reach(found: list[tuple[int, int]]) -> np.ndarray:
    """[N, N] bool: is there a path of one or more edges? Warshall's algorithm."""
    closure = np.zeros((NODES, NODES), dtype=bool)
    for below, above in found:
        closure[below, above] = True
    for middle in range(NODES):
        closure |= np.outer(closure[:, middle], closure[middle])
    return closure


@given(pairs)
def test_an_atom_comes_above_what_it_depends_on_unless_they_depend_on_each_other(found: list[tuple[int, int]]) -> None:
    order, closure = order_atoms(NODES, edges_of(found)), reach(found)
    for below, above in found:
        mutual = closure[above, below]
        assert (order.component[below] == order.component[above]) == bool(mutual or below == above)
        if not mutual:
            assert order.level[below] < order.level[above]
    assert (order.level >= 0).all()
    assert [bool(flag) for flag in order.recursive] == [bool(closure[node, node]) for node in range(NODES)]


@given(pairs)
def test_what_is_above_and_below_is_found(found: list[tuple[int, int]]) -> None:
    closure = reach(found) | np.eye(NODES, dtype=bool)
    assert (dependents(NODES, edges_of(found), np.array([2, 5])) == (closure[2] | closure[5])).all()
    assert (dependencies(NODES, edges_of(found), np.array([2, 5])) == (closure[:, 2] | closure[:, 5])).all()


def test_levels_are_longest_paths() -> None:
    assert list(peel(4, np.array([0, 1, 0]), np.array([1, 2, 2]))) == [0, 1, 2, 0]


@pytest.mark.parametrize(("negated", "stratified"), [(False, True), (True, False)])
def test_a_circle_through_negation_is_not_stratified(negated: bool, stratified: bool) -> None:
    edges = edges_of([(0, 1), (1, 0)], negated)
    assert is_stratified(edges, order_atoms(2, edges)) is stratified


def test_negation_without_a_circle_is_stratified() -> None:
    edges = edges_of([(0, 1), (1, 2)], negated=True)
    assert is_stratified(edges, order_atoms(3, edges))
