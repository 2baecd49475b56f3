from __future__ import annotations

from itertools import permutations

import pytest

from veil import load
from veil.engine.grounding import reachable
from veil.engine.grounding.grounder import GroundLimits, ground
from veil.engine.grounding.reachable import find_reachable


def test_the_bound_holds_all_that_the_ground_program_has_and_has_no_rules() -> None:
    for name in ("krieg_tictactoe", "monty_hall", "kuhn_poker"):
        rules = load(name).rules
        program, bound = ground(rules), find_reachable(rules, GroundLimits())
        assert not bound.is_ground
        assert bound.num_rules == 0
        assert set(program.fluents) <= set(bound.fluents)
        for field in ("moves", "percepts", "goals"):
            for own, more in zip(getattr(program, field), getattr(bound, field), strict=True):
                assert set(own) <= set(more)
        start = {fluent for fluent, holds in zip(bound.fluents, bound.initial, strict=True) if holds}
        assert start == {fluent for fluent, holds in zip(program.fluents, program.initial, strict=True) if holds}


def test_in_a_large_join_conditions_choose_separately(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """(role dealer) (init (shoe 1)) (init (shoe 2)) (near 1 ace) (near 2 king) (near 2 queen)
    (<= (legal dealer (deal ?a ?b)) (true (shoe ?n)) (near ?n ?a) (near ?n ?b) (distinct ?a ?b))
    (<= (next (shoe ?n)) (true (shoe ?n))) (<= terminal (not (true (shoe 1)))) (goal dealer 100)"""
    rules = load(text).rules
    deals = {("deal", *pair) for pair in permutations(("king", "queen"))}
    assert set(find_reachable(rules, GroundLimits()).moves[0]) == deals
    monkeypatch.setattr(reachable, "LARGE_JOIN", 0.0)
    assert set(find_reachable(rules, GroundLimits()).moves[0]) == {
        ("deal", *pair) for pair in permutations(("ace", "king", "queen"), 2)
    }
