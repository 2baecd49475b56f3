"""Well-formedness: what is refused, what is only noticed, and what is left for the ground program to decide."""

import pytest

import veil
from tests.support.rule_texts import GAME, added, doubted, errors_in, noticed
from veil.errors import CATALOGUE, Problem
from veil.lang import read_rules


def said(text: str, code: str) -> Problem:
    """The one problem of this code in `GAME` with these lines added."""
    rules = read_rules(GAME + text)
    [found] = [entry for entry in (*rules.problems, *rules.doubts) if entry.code == code]
    return found


def test_a_sound_game_leaves_nothing_to_say() -> None:
    assert noticed("") == []
    assert doubted("") == []


# Roles


def test_a_game_needs_roles() -> None:
    assert errors_in("(init a)\n(legal white noop)") == [("no-roles", 1, 1)]


@pytest.mark.parametrize("line", ["(<= (role black) (true (step 1)))", "(role ?x)", "(<= (role ?x) (succ ?x ?y))"])
def test_roles_are_facts(line: str) -> None:
    assert ("role-not-a-fact", 8, 1) in errors_in(GAME + line)


# Keywords in bodies


@pytest.mark.parametrize(
    ("line", "code", "column"),
    [
        ("(<= (goal white 0) (init (step 1)))", "init-in-body", 20),
        ("(<= (goal white 0) (not (init (step 1))))", "init-in-body", 25),
        ("(<= (goal white 0) (true step 1))", "wrong-arity", 20),
        ("(<= (goal white 0) (or (true (step 1)) (does white)))", "wrong-arity", 40),
        ("(<= (goal white 0) (role white black))", "wrong-arity", 20),
        ("(<= (goal white 0) (distinct a))", "wrong-arity", 20),
        ("(<= (goal white 0) (terminal now))", "wrong-arity", 20),
        ("(<= (goal white 0) true)", "wrong-arity", 20),
    ],
)
def test_a_keyword_out_of_place_is_refused(line: str, code: str, column: int) -> None:
    assert (code, 8, column) in errors_in(GAME + line)


def test_a_keyword_with_a_wrong_number_of_arguments_behind_not_is_never_true() -> None:
    assert noticed("(<= (goal white 0) (not (true step 1)))") == [("wrong-arity-negated", 8, 25)]


def test_next_in_a_body_is_read_with_a_warning() -> None:
    line = "(<= (sees white over) (next (step 2)))"
    assert noticed(line) == [("next-in-body", 8, 23)]
    assert added(line) == ["(sees white over) <= (next (step 2))"]


def test_other_keywords_may_stand_in_bodies() -> None:
    text = """(<= (goal white 0) (legal white noop) (role white) terminal (not (goal white 100)))
    (<= (next a) (sees white noop) (does white noop))
    (sees white noop)"""
    assert noticed(text) == []


# The first state


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("(<= (init a) (true (step 1)))", 8, 14),
        ("(<= (init a) (succ 1 2) (not (does white noop)))", 8, 30),
        ("(<= (init a) terminal)", 8, 14),
        ("(<= (init a) (legal white noop))", 8, 14),
        ("(<= started (true (step 1)))\n(<= (init a) started)", 9, 14),
        ("(<= p (not q))\n(<= q (succ ?x ?y) (true (step ?x)))\n(<= (init a) (or (succ 1 2) (not p)))", 10, 34),
    ],
)
def test_init_cannot_depend_on_a_state_or_a_move(text: str, line: int, column: int) -> None:
    assert errors_in(GAME + text) == [("init-depends", line, column)]


def test_init_may_depend_on_facts_and_roles() -> None:
    assert added("(<= (last ?y) (succ ?x ?y))\n(<= (init (owns ?p ?y)) (role ?p) (last ?y))") == [
        "(last ?0) <= (succ ?1 ?0)",
        "(init (owns ?0 ?1)) <= (role ?0), (last ?1)",
    ]


# Goals


@pytest.mark.parametrize("value", ["high", "1.5", "(f 1)", "1e2", "++1"])
def test_a_goal_value_is_a_whole_number(value: str) -> None:
    assert errors_in(GAME + f"(<= (goal white {value}) (true (step 1)))") == [("goal-not-a-number", 8, 1)]


@pytest.mark.parametrize("value", ["1000000000000000", "-1000000000000000", "9" * 60])
def test_a_goal_value_of_too_many_digits_is_too_large(value: str) -> None:
    assert errors_in(GAME + f"(<= (goal white {value}) (true (step 1)))") == [("goal-too-large", 8, 1)]


@pytest.mark.parametrize("value", ["999999999999999", "-999999999999999", "+7"])
def test_a_goal_value_may_have_fifteen_digits(value: str) -> None:
    assert read_rules(GAME + f"(<= (goal white {value}) (true (step 1)))")


@pytest.mark.parametrize("value", ["0", "00", "+2", "-5", "100", "?v"])
def test_whole_numbers_may_have_signs_and_zeros_and_a_variable_is_judged_later(value: str) -> None:
    assert noticed(f"(<= (goal white {value}) (succ ?v 2))") == []


# Slips of spelling


def test_a_relation_that_is_never_defined_is_noticed_once_with_a_guess() -> None:
    text = "(<= (goal white 0) (Suc 1 2))\n(<= (goal white 1) (not (suc ?x 1)) (succ ?x 2))"
    assert noticed(text) == [("undefined-predicate", 8, 20)]
    found = said(text, "undefined-predicate")
    assert found.message == "Suc is never defined, so it is never true"
    assert found.hint == "did you mean succ?"


def test_the_guess_knows_other_numbers_of_arguments() -> None:
    found = said("(<= (goal white 0) (succ 1 2 3))", "undefined-predicate")
    assert found.hint == "it is defined with 2 arguments"
    text = "(succ 1)\n(<= (goal white 0) (succ 1))\n(<= (goal white 1) (succ 1 2 3))"
    assert said(text, "undefined-predicate").hint == "it is defined with 1 and 2 arguments"


def test_the_guess_knows_what_is_part_of_the_state() -> None:
    found = said("(<= (goal white 0) (Step ?x) (succ ?x 1))", "undefined-predicate")
    assert found.hint == "it is part of the state: ask (true (step ?x))"


def test_a_capital_constant_in_head_and_body_looks_like_a_variable() -> None:
    text = "(<= (next (cell C)) (true (cell C)))"
    assert noticed(text) == [("capital-constant", 8, 17)]
    assert said(text, "capital-constant").message == "C is a constant here, though it looks like a variable"


@pytest.mark.parametrize(
    "text",
    [
        "(init (cell C))\n(<= (next (cell C)) (true (cell C)))",  # the text knows it as a constant
        "(<= (next (cell C)) (true (step 1)))",
        "(<= (next (cell c)) (true (cell c)))",
        "(<= (next (cell ?C)) (true (cell ?C)))",
        "(<= (next (Cell 1)) (true (Cell 1)))",  # a function, not a constant
    ],
)
def test_other_capitals_are_left_alone(text: str) -> None:
    assert noticed(text) == []


def test_in_infix_text_a_capital_is_a_variable() -> None:
    rules = read_rules("role(x). init(cell(1)). next(cell(C)) :- true(cell(C)). legal(x, noop).")
    assert rules.problems == ()


# Recursion


@pytest.mark.parametrize(
    "rules",
    [
        "(<= (path ?x ?y) (succ ?x ?y))\n(<= (path ?x ?z) (succ ?x ?y) (path ?y ?z))",
        "(<= (path ?x ?y) (succ ?x ?y))\n(<= (path ?x ?z) (path ?x ?y) (succ ?y ?z))",
        "(path 1 2)\n(<= (path ?x ?y) (path ?y ?x))",
        "(path 1 (f 2))\n(<= (path ?x (f ?y)) (path (f ?y) ?x))",
        "(path 1 1)\n(<= (path 1 2) (path 1 1))",
        "(<= (path ?x ?y) (succ ?x ?y))\n(<= (path ?x ?z) (path ?x ?y) (path ?y ?z))",  # nothing that could grow
        "(path 1 1)\n(<= (path ?x ?y) (path ?x ?z) (succ ?x ?y))",
    ],
)
def test_recursion_may_hand_on_what_the_head_has_or_other_conditions_bind(rules: str) -> None:
    assert noticed(rules + "\n(<= (goal white 0) (path 1 1))") == []


@pytest.mark.parametrize(
    ("rules", "column"),
    [
        ("(path 1 1)\n(<= (path ?x (s ?y)) (path ?x ?y))", 22),
        ("(path 1 1)\n(<= (path ?x ?y) (succ ?x ?y) (path ?x (s ?y)))", 31),
    ],
)
def test_recursion_that_may_grow_is_noticed(rules: str, column: int) -> None:
    assert noticed(rules + "\n(<= (goal white 0) (path 1 1))") == [("recursion", 9, column)]


def test_recursion_may_go_through_several_relations() -> None:
    text = "(odd 1)\n(<= (even (s ?x)) (odd ?x))\n(<= (odd ?x) (even ?x))\n(<= (goal white 0) (odd 1))"
    assert noticed(text) == [("recursion", 9, 19)]


# Left to the ground program


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("(<= odd (true (step 1)) (not odd))\n(<= (goal white 0) odd)", 8, 30),
        ("(<= up (not down))\n(<= down (not up))\n(<= (goal white 0) up)", 8, 13),
        ("(<= up (not mid))\n(<= mid down)\n(<= down (succ 1 2) up)\n(<= (goal white 0) up)", 8, 13),
        ("(<= (win ?x) (succ ?x ?y) (not (win ?y)))\n(<= (goal white 0) (win 1))", 8, 32),
    ],
)
def test_a_relation_that_depends_on_its_own_negation_is_a_doubt(text: str, line: int, column: int) -> None:
    assert doubted(text) == [("unstratified", line, column)]
    assert CATALOGUE["unstratified"].severity == "error"


def test_negation_and_recursion_that_do_not_meet_are_no_doubt() -> None:
    text = """(<= (path ?x ?y) (succ ?x ?y))
    (<= (path ?x ?z) (path ?x ?y) (succ ?y ?z))
    (<= (apart ?x ?y) (succ ?x ?u) (succ ?v ?y) (not (path ?x ?y)))
    (<= (goal white 0) (apart 1 2) (not terminal))"""
    assert doubted(text) == []


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("(<= (legal white a) (does white noop))", 8, 21, "`legal` depends on `does`"),
        ("(<= terminal (not (does white noop)))", 8, 19, "`terminal` depends on `does`"),
        ("(<= (goal white 0) (does ?p noop) (role ?p))", 8, 20, "`goal` depends on `does`"),
        ("(<= done (does white noop))\n(<= terminal done)", 9, 14, "`terminal` depends on `does` through done"),
        ("(<= (sees white a) (does white noop))\n(<= terminal (sees white b))", 9, 14, "through sees"),
        ("(<= (goal white 0) (next (step 2)))\n(<= (next a) (does white noop))", 8, 20, "through next"),
    ],
)
def test_legal_terminal_and_goal_that_depend_on_a_move_are_a_doubt(
    text: str, line: int, column: int, message: str
) -> None:
    assert doubted(text) == [("depends-on-does", line, column)]
    assert message in said(text, "depends-on-does").message


@pytest.mark.parametrize(
    "text",
    [
        """(<= (sees white over) (true (step 2)))
        (<= (sees white noop) (does white noop))
        (<= terminal (sees white over))""",
        "(<= (win ?x) (succ ?x ?y) (not (win ?y)))\n(<= (goal white 0) (win 1))",
    ],
    ids=["terminal through a sees of the state", "negation along a line of facts"],
)
def test_a_doubt_that_the_ground_atoms_do_not_share_is_dismissed(text: str) -> None:
    assert len(doubted(text)) == 1
    state, _ = veil.load(GAME + text).initial_state().play({})
    assert state.is_terminal


def test_next_and_sees_may_depend_on_moves() -> None:
    assert doubted("(<= done (does white noop))\n(<= (next done) done)\n(<= (sees white done) done)") == []
