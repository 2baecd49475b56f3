"""Passes over the sequence form of random trees against naive recursion over trees of objects."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tests.reference.gametree import random_tree
from tests.reference.solvers import (
    Profile,
    best_response,
    counterfactual_values,
    expected_values,
    normalised,
    realization_plan,
)
from tests.support.flat_trees import Flat, flatten
from veil.equilibrium.sequence_kernels import add_payoffs, back_up, back_up_best, normalise, realize, realize_pure


@st.composite
def trees(draw: st.DrawFn) -> tuple[Flat, np.ndarray]:
    """A random tree, and a policy that plays some moves never."""
    seed = draw(st.integers(0, 10**6))
    roles, depth, moves = draw(st.integers(1, 3)), draw(st.integers(1, 4)), draw(st.integers(2, 4))
    leaves = draw(st.sampled_from([0.0, 0.3]))
    flat = flatten(random_tree(Random(seed), roles, depth, most_moves=moves, leaf_chance=leaves))
    return flat, flat.random_policy(seed)


def realize_all(flat: Flat, policy: np.ndarray) -> np.ndarray:
    """[S + R] the realization weights of a profile."""
    x = np.ones(len(flat.slots) + len(flat.reference.roles))
    x[: len(flat.slots)] = np.nan  # every one has to be written
    for role in range(len(flat.reference.roles)):
        realize(flat.form, role, policy, x)
    return x


@settings(max_examples=60)
@given(trees())
def test_a_policy_becomes_the_realization_plan_of_every_role(drawn: tuple[Flat, np.ndarray]) -> None:
    flat, policy = drawn
    x, profile = realize_all(flat, policy), flat.profile(policy)
    expected: Profile = {}
    for role in flat.reference.roles:
        expected |= realization_plan(flat.reference, profile, role)
    assert x[: len(flat.slots)] == pytest.approx(flat.policy(expected), abs=1e-12)


@settings(max_examples=60)
@given(trees())
def test_payoffs_and_back_up_give_counterfactual_values(drawn: tuple[Flat, np.ndarray]) -> None:
    flat, policy = drawn
    x, profile = realize_all(flat, policy), flat.profile(policy)
    value = expected_values(flat.reference, profile)
    for number, role in enumerate(flat.reference.roles):
        q = np.full(len(x), np.nan)
        add_payoffs(flat.form, number, x, q)
        back_up(flat.form, number, policy, q)
        own = slice(*flat.form.role_slots[number : number + 2])
        expected = flat.policy(counterfactual_values(flat.reference, profile, role)[1])
        assert q[own] == pytest.approx(expected[own], abs=1e-9)
        assert q[len(flat.slots) + number] == pytest.approx(float(value[role]), abs=1e-9)
        q[own], q[len(flat.slots) + number] = np.nan, np.nan
        assert np.isnan(q).all()  # other roles' rows are left alone


@settings(max_examples=60)
@given(trees())
def test_the_best_slots_are_a_best_response(drawn: tuple[Flat, np.ndarray]) -> None:
    flat, policy = drawn
    x, profile = realize_all(flat, policy), flat.profile(policy)
    for number, role in enumerate(flat.reference.roles):
        q, best = np.zeros(len(x)), np.full(len(flat.form.slot_start) - 1, -1)
        add_payoffs(flat.form, number, x, q)
        back_up_best(flat.form, number, best, q)
        worth, _ = best_response(flat.reference, profile, role)
        assert q[len(flat.slots) + number] == pytest.approx(float(worth), abs=1e-9)
        answer = x.copy()
        realize_pure(flat.form, number, best, answer)
        chosen = set(best[flat.form.role_start[number] : flat.form.role_start[number + 1]].tolist())
        for slot in range(*flat.form.role_slots[number : number + 2]):
            policy_slot = 1.0 if slot in chosen else 0.0
            assert answer[slot] in (0.0, policy_slot)
        gained = np.zeros(len(x))
        add_payoffs(flat.form, number, answer, gained)
        own = slice(*flat.form.role_slots[number : number + 2])
        total = gained[own] @ answer[own] + gained[len(flat.slots) + number]
        assert total == pytest.approx(float(worth), abs=1e-9)


@given(st.lists(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=5), min_size=1, max_size=6))
def test_weights_become_behaviour(rows: list[list[float]]) -> None:
    slot_start = np.cumsum([0, *map(len, rows)])
    policy = np.full(slot_start[-1], np.nan)
    normalise(slot_start, np.concatenate(rows), policy)
    for row, begin, end in zip(rows, slot_start[:-1], slot_start[1:], strict=True):
        expected = normalised({str(place): max(weight, 0.0) for place, weight in enumerate(row)})
        assert policy[begin:end].tolist() == pytest.approx(list(expected.values()), rel=1e-12)
