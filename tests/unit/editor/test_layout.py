"""The layout changes blanks alone, and a second time nothing."""

import pytest

from veil.editor import EditorText, format_rules
from veil.games import FAMILIES, instantiate

LONG = """\
(role ann)   (role bob)
;;; the rules


( <= (legal ann (claim ?card ?colour))(true (step claim)) (card ?card) (colour ?colour)
(not (true (claimed ?card ?colour))) (distinct ?card joker) (or (true a) (true b)))
(<= terminal ; the end
      (true over))
"""
LAID_OUT = """\
(role ann) (role bob)
;;; the rules

(<= (legal ann (claim ?card ?colour))
    (true (step claim))
    (card ?card)
    (colour ?colour)
    (not (true (claimed ?card ?colour)))
    (distinct ?card joker)
    (or (true a) (true b)))
(<= terminal ; the end
      (true over))
"""


def words(text):
    return [token.text.strip() for token in EditorText(text).tokens]


def test_a_long_rule_has_a_condition_per_line_and_comments_stay():
    assert format_rules(LONG) == LAID_OUT
    assert format_rules(LAID_OUT) == LAID_OUT


def test_the_infix_notation_is_laid_out_too():
    text = (
        "legal( P ,go ):-role(P)&true( step(N) ).\n" + "next(long(X)) :- " + " & ".join(["true(long(X))"] * 9) + ".\n"
    )
    lines = format_rules(text).splitlines()
    assert lines[0] == "legal(P, go) :- role(P) & true(step(N))."
    assert lines[1] == "next(long(X)) :-"
    assert lines[2] == "    true(long(X)) &"
    assert words(format_rules(text)) == words(text)


def test_what_cannot_be_parsed_stays():
    for broken in ("(<= (legal ann\n\n\n  x", ")(", ""):
        assert format_rules(broken) == broken


@pytest.mark.parametrize("name", sorted(FAMILIES)[::6])
def test_bundled_games_keep_every_word(name):
    text = instantiate(name).text
    laid_out = format_rules(text)
    assert words(laid_out) == words(text)
    assert format_rules(laid_out) == laid_out


def test_an_action_has_a_line_per_part_and_sections_keep_their_distance():
    conditions = " ".join(f"(open ?c{number} ?d{number})" for number in range(6))
    action = f"(:action go :parameters (?c - a) :precondition (and {conditions}) :effect ())"
    text = f"(define (domain d) (:types a)\n\n{action})"
    assert format_rules(text).splitlines() == [
        "(define (domain d)",
        "    (:types a)",
        "",
        "    (:action go",
        "        :parameters (?c - a)",
        "        :precondition (and",
        *(f"            (open ?c{number} ?d{number})" for number in range(5)),
        "            (open ?c5 ?d5))",
        "        :effect ()))",
    ]
    assert format_rules(format_rules(text)) == format_rules(text)
