"""Names that nothing defines: what is said about each, where, and what is not said about sound games."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import corpus
from veil.errors import Problem
from veil.lang import read_rules
from veil.lang.unasked_names import is_slip

WALK = """
(role ann) (role bob)
(init (at 1)) (init (control ann))
(succ 1 2) (succ 2 3)
(<= (legal ?p (go ?x)) (true (control ?p)) (true (at ?y)) (succ ?y ?x))
(<= (legal ?p stay) (role ?p))
(<= (next (at ?x)) (does ?p (go ?x)))
(<= (next (control bob)) (true (control ann)))
(<= terminal (true (control bob)))
(<= (goal ?p 100) (role ?p))
"""
NAMES = ("undefined-", "unasked-", "capital-constant")


def warnings_in(text: str) -> list[Problem]:
    return [entry for entry in read_rules(text).problems if entry.code.startswith(NAMES)]


def test_a_game_that_defines_all_its_names_gets_no_warning() -> None:
    assert warnings_in(WALK) == []


@pytest.mark.parametrize(
    ("line", "code", "name", "hint"),
    [
        ("(<= (legal bop stay) (true (at 1)))", "undefined-role", "bop", "did you mean bob?"),
        (
            "(goal robber 0)",
            "undefined-role",
            "robber",
            "the roles are ann, bob; declare robber with `role` if it is one",
        ),
        ("(<= (sees bop x) (true (at 1)))", "undefined-role", "bop", "did you mean bob?"),
        ("(<= (next gone) (does bop stay))", "undefined-role", "bop", "did you mean bob?"),
        ("(<= (goal ann 0) (true (controll ann)))", "undefined-fluent", "controll", "did you mean control?"),
        ("(<= (goal ann 0) (not (true gone)))", "undefined-fluent", "gone", "the state has at, control"),
        ("(<= (goal ann 0) (true (at 1 2)))", "undefined-fluent", "at", "it is defined with 1 argument"),
        ("(<= (next gone) (does ann staay))", "undefined-move", "staay", "did you mean stay?"),
        ("(<= (next gone) (does ann leap))", "undefined-move", "leap", "the moves are go, stay"),
        ("(<= (sees ?x far) (true (at ?x)))", "undefined-audience", "?x", "the roles are ann, bob"),
        ("(<= (next (contol ann)) (true (at 3)))", "unasked-name", "contol", "did you mean control?"),
        ("(<= (next (at 3 3)) (true (at 2)))", "unasked-name", "at", "rules ask for it with 1 argument"),
        ("(<= (sucd ?x ?y) (succ ?x ?y))", "unasked-name", "sucd", "did you mean succ?"),
        (
            "(<= (legal ann stayy) (true (at 3)))\n(<= (next left) (does ann stay))",
            "unasked-name",
            "stayy",
            "did you mean stay?",
        ),
        ("(<= (nxt (at 3)) (true (at 2)))", "unasked-name", "nxt", "did you mean next?"),
        ("(<= (goal ann 0) (succc 1 2))", "undefined-predicate", "succc", "did you mean succ?"),
        ("(<= (goal ann 0) (true (control anne)))", "undefined-constant", "anne", "did you mean ann?"),
        (
            "(<= (next (at ?x)) (does ann (go X)) (succ ?x 2))",
            "capital-constant",
            "X",
            "in prefix text a variable is ?X",
        ),
        ("(<= (next gone) (does P stay))", "capital-constant", "P", "in prefix text a variable is ?P"),
    ],
)
def test_a_name_that_nothing_defines_is_named_at_its_place_with_the_nearest_one(
    line: str, code: str, name: str, hint: str
) -> None:
    (found,) = warnings_in(WALK + line)
    assert (found.code, found.severity, found.hint) == (code, "warning", hint)
    assert found.message.startswith(name)
    assert found.place is not None
    assert found.place.text[found.place.column - 1 :].lstrip("(").startswith(name)


def test_a_name_is_reported_once() -> None:
    found = warnings_in(
        WALK + "(<= (goal ann 0) (true gone))\n(<= (goal bob 0) (true gone))\n(legal bop stay)\n(goal bop 0)"
    )
    assert [(entry.code, entry.message.split()[0]) for entry in found] == [
        ("undefined-fluent", "gone"),
        ("undefined-role", "bop"),
    ]


def test_names_are_reported_in_the_order_of_the_text() -> None:
    found = warnings_in(WALK + "(goal bop 0)\n(<= (goal ann 1) (succc 1 2))\n(<= (goal ann 2) (true (att 1)))")
    assert [entry.message.split()[0] for entry in found] == ["bop", "succc", "att"]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("carries", "carriess", True),
        ("control", "contorl", True),
        ("greaterthan", "greaterhan", True),
        ("doubted", "doubled", True),
        ("cell1", "cell2", False),  # numbered
        ("xwins", "owins", False),  # the first letter names the thing
        ("at", "it", False),
        ("same", "same", False),
        ("inmask", "notinmask", False),
    ],
)
def test_a_slip_is_one_letter(one: str, other: str, expected: bool) -> None:
    assert is_slip(one, other) is is_slip(other, one) is expected


@pytest.mark.parametrize(
    "line",
    [
        "(<= (next (score 1)) (true (at 2)))",  # nobody asks for it, and it looks like nothing else
        "(<= (next ?f) (true ?f))",  # whatever is true stays true
        "(<= (goal ann 0) (true (at 7)))",  # a value that is never reached, but nothing like it either
        "(<= (legal ann (go 9)) (true (at 1)))\n(<= (next (at 9)) (does ann (go 9)))",
    ],
)
def test_what_may_be_meant_so_is_not_warned_of(line: str) -> None:
    assert warnings_in(WALK + line) == []


TRULY = {  # in files that others wrote: looked at one by one, and all of them right
    "ggpbase-test_case_3c": {"undefined-predicate"},
    "ggpbase-test_clean_not_distinct": {"undefined-predicate"},
    "deck-sushi_go": {"undefined-fluent"},
    "uwa-sushi_go": {"undefined-fluent"},
    "flaherty-DarkChess": {"undefined-predicate"},
    "ravoet-ii_explodingbomb": {"capital-constant"},
    "ravoet-ii_meier": {"undefined-predicate"},
    "ravoet-ii_stratego": {"undefined-predicate"},
    "unsw-HoldYourCourseII": {"undefined-fluent", "undefined-predicate"},
    "unsw-SmallDominion2": {"undefined-fluent"},
    "unsw-minesweeper1": {"unasked-name"},
    "uwa-dominion": {"undefined-predicate"},
}
REFUSED = ("deck-7wonders", "uwa-7wonders")  # with a variable in place of a relation


@corpus.MISSING
@pytest.mark.nightly
def test_no_file_of_others_gets_a_warning_that_is_not_true() -> None:
    paths: list[Path] = [*corpus.with_playthrough(), *corpus.without_playthrough()]
    found = {
        path.stem: {entry.code for entry in warnings_in(path.read_text("utf-8", "replace"))}
        for path in paths
        if path.stem not in REFUSED
    }
    assert {stem: codes for stem, codes in found.items() if codes} == {
        stem: codes for stem, codes in TRULY.items() if stem in found
    }
