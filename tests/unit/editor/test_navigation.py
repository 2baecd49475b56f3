"""Definitions, occurrences and new names, in both notations, also in texts that are no game."""

from functools import partial

from tests.support.refusals import refused
from veil.editor import EditorText, find_definition, find_occurrences, rename

PREFIX = """\
(role ann) (role bob) ; ann begins
(init (step 1))
(succ 1 2)
(<= (legal ann (claim ?c)) (true (step ?n)) (succ ?n ?c))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (sees bob (heard ?c)) (does ann (claim ?c)))
"""
INFIX = """\
role(ann). % ann
legal(P, go) :- role(P) & true(step(N)) & succ(N, M).
init(step(1)). succ(1, 2).
"""
POGDDL = """\
(define (domain cups) (:types cup role)
  (:predicates (whoseturn ?r - role) (under ?c - cup) (found))
  (:action lift :parameters (?c - cup) :precondition (and (under ?c) (not (found)) (whoseturn seeker))
    :effect (and (found) (under ?c))) (:gain ?r - role 1 (found)))
(define (problem p) (:domain cups) (:objects seeker - role left - cup) (:init (whoseturn seeker)))
"""


def at(text, word, number=0):
    """The offset of an occurrence of a word."""
    place = -1
    for _ in range(number + 1):
        place = text.index(word, place + 1)
    return place


def lines(text, words):
    return [text.count("\n", 0, word.begin) + 1 for word in words]


def test_a_name_is_defined_where_a_head_introduces_it():
    text = EditorText(PREFIX)
    for word, line in (("succ ?n ?c", 3), ("step ?n", 2), ("claim ?c)))", 4), ("ann (claim", 1), ("heard", 6)):
        place = at(PREFIX, word, 1) if word == "claim ?c)))" and PREFIX.count(word) > 1 else at(PREFIX, word)
        found = find_definition(text, place)
        assert found is not None, word
        assert lines(PREFIX, [found]) == [line], word
    assert find_definition(text, at(PREFIX, "true")) is None


def test_a_variable_belongs_to_its_statement():
    text = EditorText(PREFIX)
    assert lines(PREFIX, find_occurrences(text, at(PREFIX, "?n"))) == [4, 4]
    assert lines(PREFIX, find_occurrences(text, at(PREFIX, "?m"))) == [5, 5]


def test_a_name_gets_another_one_everywhere_but_in_comments():
    changed = rename(EditorText(PREFIX), at(PREFIX, "ann"), "carol")
    assert changed == PREFIX.replace("ann", "carol").replace("; carol begins", "; ann begins")
    changed = rename(EditorText(PREFIX), at(PREFIX, "?n"), "?now")
    assert changed.splitlines()[3] == "(<= (legal ann (claim ?c)) (true (step ?now)) (succ ?now ?c))"
    assert changed.splitlines()[4] == PREFIX.splitlines()[4]


def test_the_infix_notation_has_the_same_answers():
    text = EditorText(INFIX)
    assert text.is_infix
    assert rename(text, at(INFIX, "N)"), "Now").splitlines()[1] == (
        "legal(P, go) :- role(P) & true(step(Now)) & succ(Now, M)."
    )
    found = find_definition(text, at(INFIX, "step"))
    assert found is not None
    assert lines(INFIX, [found]) == [3]


def test_a_name_that_would_change_the_meaning_is_refused():
    text = EditorText(PREFIX)
    for new in ("bob", "legal", "a b", "", "(x)"):
        refused("cannot-rename", partial(rename, text, at(PREFIX, "ann"), new))
    refused("cannot-rename", lambda: rename(text, at(PREFIX, "?n"), "c"))
    refused("cannot-rename", lambda: rename(text, at(PREFIX, "legal"), "lawful"))
    refused("cannot-rename", lambda: rename(EditorText(INFIX), at(INFIX, "ann"), "Ann"))


def test_pogddl_declares_names_and_a_variable_belongs_to_its_action():
    text = EditorText(POGDDL)
    assert text.is_pogddl
    for word, number, line in (
        ("role)", 0, 1), ("seeker)", 1, 5), ("under ?c)))", 0, 2), ("lift", 0, 3), ("cups)", 1, 1), ("left", 0, 5),
    ):  # fmt: skip
        found = find_definition(text, at(POGDDL, word, number))
        assert found is not None, word
        assert lines(POGDDL, [found]) == [line], word
    assert find_definition(text, at(POGDDL, ":action")) is None
    changed = rename(text, at(POGDDL, "?c) (not"), "cup1").splitlines()
    assert "?cup1 - cup" in changed[2]
    assert "(under ?cup1)" in changed[3]
    assert changed[1] == POGDDL.splitlines()[1]  # another section, another variable
    assert rename(text, at(POGDDL, "role)"), "player").count("player") == 4
    refused("cannot-rename", lambda: rename(text, at(POGDDL, "lift"), "forall"))


def test_broken_texts_have_words_too():
    for broken in ("(<= (legal ann", ")))) (role ann)", "(role", ""):
        text = EditorText(broken)
        for offset in range(len(broken) + 1):
            find_definition(text, offset)
            find_occurrences(text, offset)
    word = EditorText("(<= (legal ann").word_at(14)
    assert word is not None
    assert word.text == "ann"
