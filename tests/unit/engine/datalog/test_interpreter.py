from __future__ import annotations

import pytest

from veil.engine.datalog.interpreter import RuleReasoner
from veil.errors import VeilError
from veil.lang import read_rules

FRAME = "(role r) (init p) (legal r go) (<= (next p) (true p)) (goal r 1) "


def reasoner(text: str, **limits: int) -> RuleReasoner:
    return RuleReasoner(read_rules(FRAME + text), **limits)


def holds(text: str) -> bool:
    """Does `terminal` follow in the initial state?"""
    found = reasoner(text)
    return found.judge(found.initial()).terminal


def test_a_closure_over_a_long_chain_is_computed() -> None:
    chain = " ".join(f"(edge {i} {i + 1})" for i in range(400))
    rules = f"{chain} (<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (true p) (path ?x ?y) (edge ?y ?z))"
    assert holds(f"{rules} (<= terminal (path 0 400))")
    assert not holds(f"{rules} (<= terminal (path 400 0))")


def test_mutual_recursion_reaches_its_fixpoint() -> None:
    rules = "(succ 0 1) (succ 1 2) (succ 2 3) (even 0)"
    rules += "(<= (odd ?y) (even ?x) (succ ?x ?y)) (<= (even ?y) (odd ?x) (succ ?x ?y))"
    assert holds(rules + "(<= terminal (even 2) (odd 3) (not (odd 2)))")


def test_a_body_with_more_literals_than_python_can_nest_loops_is_evaluated() -> None:
    facts = " ".join(f"(f{i} {i % 3}) (f{i} {i % 2})" for i in range(60))
    body = " ".join(f"(f{i} ?x{i})" for i in range(12)) + " " + " ".join(f"(f{i} ?x{i % 12})" for i in range(12, 60))
    many = " ".join(f"(g ?y{i} ?y{i + 1})" for i in range(40))
    assert holds(f"(g 1 1) (<= terminal {many})")
    assert not holds(f"{facts} (<= terminal {body} (f0 7))")


def test_repeated_variables_and_nested_terms_are_matched() -> None:
    rules = "(pair (f a (g b)) a) (pair (f b (g b)) a) (pair c c)"
    assert holds(rules + "(<= terminal (pair (f ?x (g ?y)) ?x) (distinct ?x ?y))")
    assert holds(rules + "(<= terminal (pair ?x ?x))")
    assert not holds(rules + "(<= terminal (pair (f ?x (g ?x)) ?x))")


def test_lists_are_computed_only_as_far_as_they_are_asked_for() -> None:
    rules = """(item a) (item b) (list nil) (<= (list (cons ?x ?l)) (item ?x) (list ?l))
    (<= (length nil 0)) (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (length (cons ?x ?l) ?m) (length ?l ?n) (succ ?n ?m))
    (<= terminal (true p) (list (cons a (cons b nil))))"""
    assert holds(rules)


def test_a_relation_without_end_is_an_error_not_a_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veil.engine.datalog.interpreter.MAX_FIXED_ROWS", 2000)
    with pytest.raises(VeilError, match="holds for more than 2,000 terms"):
        reasoner("(num 0) (<= (num (s ?x)) (num ?x)) (<= terminal (num ?x))", max_rows=2000)


def test_negation_that_only_the_ground_program_can_settle_is_refused() -> None:
    with pytest.raises(VeilError, match="unstratified"):
        reasoner("(succ 1 2) (<= (win ?x) (succ ?x ?y) (not (win ?y))) (<= terminal (win 1))")


def test_negation_between_constants_is_understood() -> None:
    assert holds("(<= (level low) (not (level high))) (<= (level high) (true q)) (<= terminal (level low))")
