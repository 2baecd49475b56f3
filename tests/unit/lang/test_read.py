"""From text to `Rules`: notation chosen by content, the same game either way, nothing but the game kept."""

import pytest
from hypothesis import given, strategies as st

from tests.support.rule_texts import (
    COIN_INFIX,
    COIN_PREFIX,
    GAME,
    MONTY_HALL_INFIX,
    MONTY_HALL_PREFIX,
    added,
    errors_in,
    noticed,
    rules_of,
)
from veil.errors import VeilError
from veil.lang import read_rules, read_term
from veil.lang.notations import find_notation
from veil.vocabulary import Term, show

# Two notations


@pytest.mark.parametrize(
    ("prefix", "infix"), [(COIN_PREFIX, COIN_INFIX), (MONTY_HALL_PREFIX, MONTY_HALL_INFIX)], ids=["coin", "monty_hall"]
)
def test_both_notations_of_a_game_give_the_same_rules(prefix: str, infix: str) -> None:
    one, other = read_rules(prefix), read_rules(infix)
    assert rules_of(one) == rules_of(other)
    assert one.roles == other.roles
    assert one.problems == other.problems == ()
    assert one.doubts == other.doubts == ()


@pytest.mark.parametrize(
    ("text", "prefix"),
    [
        (COIN_PREFIX, True),
        (COIN_INFIX, False),
        (MONTY_HALL_PREFIX, True),
        (MONTY_HALL_INFIX, False),
        ("(role x)", True),
        ("role(x)", False),
        ("role ( x ) .", False),
        ("( role x )", True),
        ("(ROLE x)", True),
        ("ROLE(x)", False),
        ("p :- q.", False),
        ("terminal (role x)", True),
        ("; role(x). legal(x, y) :- true(z).\n(role x)", True),
        ("% (role x) (legal x y)\nrole(x).", False),
        ("# (role x)\nrole(x).", False),
        ("// (role x)\nrole(x).", False),
        ("(role x) (init(step 1))", True),
        ("legal(P, noop) :- not (true(over)), (role(P) | next(P)).", False),
        ("(p q)", True),
        ("p(q)", False),
        ("", True),
        ("))", True),
    ],
)
def test_the_notation_is_chosen_by_content(text: str, prefix: bool) -> None:
    assert find_notation(text).name == ("prefix" if prefix else "infix")


def test_text_and_bytes_read_alike_and_lines_may_end_as_on_windows() -> None:
    expected = rules_of(read_rules(COIN_PREFIX))
    for text in (COIN_PREFIX.encode(), b"\xef\xbb\xbf" + COIN_PREFIX.encode(), COIN_PREFIX.replace("\n", "\r\n")):
        assert rules_of(read_rules(text)) == expected


def test_bytes_that_are_not_utf_8_are_characters_like_others() -> None:
    rules = read_rules("(role jürgen) ; für alle\n(legal jürgen noop)".encode("latin-1"))
    assert rules.roles == ("jürgen",)


@pytest.mark.parametrize("text", ["", "  \n", "; only a comment", b"", "\r\n"])
def test_a_text_without_rules_is_refused(text: str | bytes) -> None:
    assert errors_in(text) == [("empty-text", 0, 0)]


def test_a_binary_file_is_refused() -> None:
    assert errors_in(b"\x7fELF\0\0(role x)") == [("binary-file", 0, 0)]


def test_an_error_names_the_file_and_shows_the_line() -> None:
    with pytest.raises(VeilError) as caught:
        read_rules("(role x)\n\t(init y))\n", "game.kif")
    assert str(caught.value).split("\n")[:3] == [
        "error: game.kif:2:10: this `)` closes nothing",
        "     (init y))",
        "             ^",
    ]


# Names


def test_words_are_compared_in_lower_case_and_printed_as_first_spelled() -> None:
    rules = read_rules("(ROLE xPlayer) (Role XPLAYER) (legal XPlayer (Mark A 1)) (legal xplayer (mark a 2))")
    assert rules.roles == ("xplayer",)
    assert rules_of(rules)[2:] == ["(legal xplayer (mark a 1))", "(legal xplayer (mark a 2))"]
    assert rules.show(("legal", "xplayer", ("mark", "a", "2"))) == "(legal xPlayer (Mark A 2))"


def test_roles_stand_in_the_order_of_the_text() -> None:
    assert read_rules("(role zoe) (role random) (role (Ann)) (role zoe)").roles == ("zoe", "random", "ann")


# Only the game is kept


def test_rules_that_no_part_of_the_game_depends_on_are_dropped_with_a_warning_if_they_are_wrong() -> None:
    assert added("(<= (unused ?x) (not (p ?y)))\n(<= odd (not odd))\n(<= (note ?x) (true))\n") == []
    told = noticed("(<= (unused ?x) (not (p ?y)))\n(<= odd (not odd))\n(<= (note ?x) (true))\n")
    assert [code for code, *_ in told] == ["unused-rule"] * 3


def test_base_and_input_are_read_but_not_needed() -> None:
    assert added("(base (step 1))\n(<= (base (step ?x)) (succ ?x ?y))\n(input white noop)\n(base step 1)\n") == []


def test_base_and_input_are_kept_where_a_rule_asks_for_them() -> None:
    assert added("(input white wait)\n(<= (legal white ?m) (input white ?m))\n") == [
        "(input white wait)",
        "(legal white ?0) <= (input white ?0)",
    ]


def test_rules_that_can_never_fire_are_dropped_with_all_that_depend_on_them() -> None:
    text = "(<= (p ?x) (nowhere ?x))\n(<= q (p a))\n(<= (goal white 0) q)\n(<= (goal white 1) (not q))\n"
    assert added(text) == ["(goal white 1) <= not q"]
    assert noticed(text) == [("undefined-predicate", 8, 12)]


def test_displays_are_ignored_with_one_note_at_the_first() -> None:
    text = "(<= (sees_xml random (b ?x)) (true ?x))\n(sees_xml random c)\n(<= (SEES_XML ?r d) (role ?r))\n"
    assert noticed(text) == [("sees-xml", 8, 1)]
    assert added(text) == []
    assert read_rules(GAME + text).problems[0].severity == "note"


def test_what_is_said_about_a_rule_is_said_once_however_many_alternatives_it_has() -> None:
    assert noticed("(<= (goal ?p 0) (or (true (step 1)) (true (step 2))))\n") == [("unsafe-repaired", 8, 11)]


def test_all_errors_of_well_formedness_are_reported_together() -> None:
    text = "(<= (init (step 3)) (true (step 1)))\n(<= (goal white 0) (init a))\n(<= (goal white high) (succ 1 2))\n"
    expected = [("goal-not-a-number", 10, 1), ("init-depends", 8, 21), ("init-in-body", 9, 20)]
    assert sorted(errors_in(GAME + text)) == expected


# Single terms

WORDS = st.text(st.sampled_from("abxyz0189+-*/._'$@#&%é,|~<=>!"), min_size=1, max_size=6)
GROUND_TERMS: st.SearchStrategy = st.recursive(
    WORDS, lambda inner: st.builds(lambda name, parts: (name, *parts), WORDS, st.lists(inner, min_size=1, max_size=4))
)
NAMES = st.text(st.sampled_from("abxyz_0189"), min_size=1, max_size=6).filter(lambda name: name[0] != "_")
NAMED_TERMS: st.SearchStrategy = st.recursive(
    NAMES.filter(lambda name: name != "not"),
    lambda inner: st.builds(lambda name, parts: (name, *parts), NAMES, st.lists(inner, min_size=1, max_size=4)),
)


def as_infix(term: Term) -> str:
    return term if isinstance(term, str) else f"{term[0]}({', '.join(map(as_infix, term[1:]))})"


@given(GROUND_TERMS)
def test_a_term_that_is_printed_reads_as_itself(term: Term) -> None:
    assert read_term(show(term)) == term
    assert read_term(f" {show(term).upper()}\n") == term


@given(NAMED_TERMS)
def test_a_term_reads_the_same_in_infix(term: Term) -> None:
    assert read_term(as_infix(term)) == term


@given(GROUND_TERMS)
def test_a_term_printed_by_the_rules_reads_as_itself_whatever_the_spelling(term: Term) -> None:
    rules = read_rules(f"(role White) (init {show(term).title()})")
    assert read_term(rules.show(term)) == term


def test_a_term_may_have_needless_parentheses_and_any_case() -> None:
    assert read_term("(NoOp)") == read_term("noop") == "noop"
    assert read_term("(Mark (one) 1)") == ("mark", "one", "1")


@pytest.mark.parametrize(
    "text",
    ["", "  ", "(", ")", "()", "a b", "(mark 1", "mark(1", "mark(1))", "((a))", "(mark ?x)", "mark(X)", "?x", "; a"],
)
def test_what_is_no_ground_term_is_refused(text: str) -> None:
    with pytest.raises(VeilError) as caught:
        read_term(text)
    assert [entry.code for entry in caught.value.problems] == ["bad-term"]


def test_a_message_repeats_only_the_beginning_of_a_long_text() -> None:
    with pytest.raises(VeilError) as caught:
        read_term(" (" + "x" * 99)
    assert caught.value.problems[0].message == f"`({'x' * 59}` is not a term"
