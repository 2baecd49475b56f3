"""The order of values: numbers, chains, names with numbers, letters; and what is no order."""

from __future__ import annotations

import pytest

from veil.boards.orders import find_chains, order_values
from veil.lang import read_rules

RULES = """(role a) (role b) (init start) (legal a go) (legal b go) (goal a 0) (goal b 0) (<= terminal (true start))
(<= (next start) (true start)) (opponent a b) (opponent b a)
(above low mid) (above mid high) (above high top)
(beats rock scissors) (beats scissors paper) (beats paper rock)
(likes x y) (likes x z)
(<= (legal a stay) (above ?x ?y) (beats ?x ?y) (likes ?x ?y) (opponent ?x ?y))"""


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        (["10", "9", "-1"], ["-1", "9", "10"]),
        (["r10", "r9", "r1"], ["r1", "r9", "r10"]),
        (["c", "a", "b"], ["a", "b", "c"]),
        (["top", "low", "high"], ["low", "high", "top"]),
    ],
)
def test_ordered_values_come_in_their_order(values: list[str], wanted: list[str]) -> None:
    assert order_values(values, find_chains(read_rules(RULES))) == (tuple(wanted), True)


@pytest.mark.parametrize(
    "values",
    [
        ["white", "black"],
        ["a", "b"],
        ["a", "c", "d"],
        ["x", "o", "b"],
        ["rock", "paper", "scissors"],
        ["r1", "c2"],
        ["7"],
    ],
)
def test_other_values_have_no_order(values: list[str]) -> None:
    assert order_values(values, find_chains(read_rules(RULES))) == (tuple(sorted(values)), False)


def test_a_relation_that_branches_or_goes_round_is_no_chain() -> None:
    chains = find_chains(read_rules(RULES))
    assert [list(chain) for chain in chains] == [["low", "mid", "high", "top"]]
