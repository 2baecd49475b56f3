from __future__ import annotations

import os
import subprocess
import sys

import pytest

from veil.engine.datalog.sizes import Sizes
from veil.engine.grounding.grounder import GroundingError, GroundLimits, ground
from veil.engine.grounding.shrink import shrink
from veil.games import instantiate
from veil.lang import read_rules
from veil.vocabulary import show, variables

NUMBERS = " ".join(f"(succ {i} {i + 1})" for i in range(12))
LONG_CHAIN = f"""
(role r) (init (at 0)) {NUMBERS}
(<= (number ?n) (succ ?n ?m))
(<= (legal r (go ?x)) (number ?x))
(<= (next (at ?x)) (does r (go ?x)))
(<= terminal (true (at ?a)) (true (at ?b)) (true (at ?c)) (true (at ?d)) (not (succ ?a ?b)) (not (succ ?b ?c))
             (distinct ?c ?d))
(goal r 0)
"""
SQUARE_OF_BOARD = f"""
(role r) (init (cell 0 x)) {NUMBERS}
(<= (number ?n) (succ ?n ?m))
(<= (legal r (go ?x)) (number ?x))
(<= (next (cell ?x x)) (does r (go ?x)))
(<= (next (cell ?x x)) (true (cell ?x x)))
(<= (four ?a ?b ?c ?d) (true (cell ?a x)) (true (cell ?b x)) (true (cell ?c x)) (true (cell ?d x)))
(<= terminal (four 1 2 3 4))
(goal r 0)
"""


def variables_of_largest_rule(rules: list) -> int:
    return max(len({v for lit in rule.body for v in variables(lit.atom)}) for rule in rules)


def test_a_long_body_is_split_into_rules_with_fewer_variables() -> None:
    rules = read_rules(LONG_CHAIN).rule_set
    assert variables_of_largest_rule(list(rules)) == 4
    assert variables_of_largest_rule(shrink(rules)) <= 2


def test_splitting_leaves_fewer_ground_rules() -> None:
    rules = read_rules(LONG_CHAIN)
    assert 10 * ground(rules).num_rules < ground(rules, shrinking=False).num_rules


def test_a_relation_is_ground_only_where_it_is_asked_for() -> None:
    rules, limits = read_rules(SQUARE_OF_BOARD), GroundLimits(max_rules=2000)
    assert ground(rules, limits).num_rules < 100
    with pytest.raises(GroundingError):
        ground(rules, limits, shrinking=False)


def test_small_rules_are_left_alone() -> None:
    rules = read_rules(
        "(role r) (init p) (legal r go) (<= (next p) (true p) (does r go)) (<= terminal (true p)) (goal r 1)"
    )
    assert shrink(rules.rule_set) == list(rules.rules)


def test_equal_groups_share_one_predicate() -> None:
    twice = (
        LONG_CHAIN
        + """
    (<= (next done) (true (at ?p)) (true (at ?q)) (true (at ?s)) (true (at ?t)) (not (succ ?p ?q)) (not (succ ?q ?s))
                    (distinct ?s ?t))
    """
    )
    once, both = shrink(read_rules(LONG_CHAIN).rule_set), shrink(read_rules(twice).rule_set)
    assert len(both) == len(once) + 1


def test_every_split_rule_is_safe() -> None:
    text = LONG_CHAIN.replace("(distinct ?c ?d)", "(distinct ?c ?d) (not (succ ?a ?d)) (distinct ?a ?c)")
    for rule in shrink(read_rules(text).rule_set):
        loose = {v for lit in rule.body for v in variables(lit.atom)} | set(variables(rule.head))
        assert loose <= rule.bound(), show(rule.head)


def test_joins_are_estimated_from_the_sizes_of_their_relations() -> None:
    rules = read_rules(LONG_CHAIN).rule_set
    sizes = Sizes(rules)
    number = next(rule for rule in rules if rule.signature == ("number", 1))
    chain = next(rule for rule in rules if rule.head == "terminal")
    assert sizes.rows(number.body[0].atom) == 12
    assert sizes.join(chain.body[:2]) == 12 * 12
    assert sizes.join([number.body[0], number.body[0]]) == 12 * 12 / 12 / 12


def test_the_same_rules_are_split_in_the_same_way_in_every_process() -> None:
    """Or compiled code would not be found again in the cache. Python orders sets differently in every process."""
    script = "import sys; from veil.lang import read_rules; from veil.engine.grounding.shrink import shrink; "
    script += "print([rule[:2] for rule in shrink(read_rules(sys.argv[1]).rule_set)])"
    printed = {
        subprocess.run(
            [sys.executable, "-c", script, instantiate("liars_dice").text],
            env=os.environ | {"PYTHONHASHSEED": str(seed), "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in range(4)
    }
    assert len(printed) == 1
    assert b"split 1" in printed.pop()
