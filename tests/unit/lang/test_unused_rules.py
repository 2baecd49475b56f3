"""What is wrong in rules that nothing depends on is a warning; the game is played without them."""

from __future__ import annotations

import pytest

from veil.engine import load

GAME = "(role a) (init s) (legal a go) (<= (next t) (does a go)) (<= terminal (true t)) (goal a 100) (bar 1)\n"
FAULTS = {
    "unsafe head": ("(<= (foo ?x) (bar ?y))", "?x is bound nowhere"),
    "unsafe fact": ("(base (at ?x))", "?x is bound nowhere"),
    "unsafe negation": ("(<= (foo ?y) (bar ?y) (not (bar ?z)))", "?z is bound nowhere"),
    "unsafe distinct": ("(<= (foo ?y) (bar ?y) (distinct ?y ?z))", "?z is bound nowhere"),
    "a circle": ("(<= (p ?y) (bar ?y) (not (q ?y))) (<= (q ?y) (bar ?y) (not (p ?y)))", "unstratified negation"),
    "a base that moves": ("(<= (base ?x) (true ?x))", "base depends on the state or on moves"),
    "an input that moves": ("(<= (input a ?m) (does a ?m))", "input depends on the state or on moves"),
}


@pytest.mark.parametrize(("rules", "fault"), FAULTS.values(), ids=FAULTS.keys())
def test_what_is_wrong_in_it_is_told_where_it_stands(rules: str, fault: str) -> None:
    warning, *more = load(GAME + rules).warnings
    assert (warning.code, more) == ("unused-rule", [])
    assert fault in warning.message
    assert warning.place is not None
    assert warning.place.line == 2
    assert load(GAME + rules).fingerprint == load(GAME).fingerprint


@pytest.mark.parametrize(
    "rules",
    [
        "(<= (foo ?x) (bar ?x) (not (true t)))",
        "(<= (base (at ?x)) (bar ?x)) (input a go)",
        "(<= (input ?r go) (role ?r))",
    ],
)
def test_sound_rules_that_nothing_depends_on_are_left_out_without_a_word(rules: str) -> None:
    assert load(GAME + rules).warnings == []
