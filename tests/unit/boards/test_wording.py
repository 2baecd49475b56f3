"""Words of a game: patterns for moves and percepts, other words, titles, and the natural order of texts."""

from __future__ import annotations

import pytest

from veil.boards.hints import read_hints
from veil.boards.wording import Wording, read_wording
from veil.games import FAMILIES
from veil.report import natural_key

HINTS = """
;;; move: noop = stay
;;; move: (bid ?q ?f) = bid ?q × ?f
;;; sees: (played ?p ?m) = ?p: ?m
;;; sees: (pair ?x ?x) = two of ?x
;;; word: oplayer = O
;;; name: last_bid = the bid so far
"""


@pytest.fixture
def wording() -> Wording:
    return read_wording(HINTS)


def test_a_move_is_told_in_the_words_of_its_pattern(wording: Wording) -> None:
    assert wording.move("noop") == "stay"
    assert wording.move("(bid 2 6)") == "bid 2 × 6"
    assert wording.move("(bid 2)") == "bid 2"  # another shape: the words of the rules
    assert wording.move("bid(2, 6)") == "bid 2 × 6"  # the other notation


def test_a_part_of_a_percept_that_is_a_move_is_told_as_that_move(wording: Wording) -> None:
    assert wording.percept("(played oplayer (bid 1 4))") == "O: bid 1 × 4"
    assert wording.percept("(played first go_on)") == "first: go on"
    assert read_wording(";;; sees: (played ?p ?m) = ?p: ?m").percept("(played ann noop)") == "ann: wait"


def test_a_variable_stands_for_one_thing(wording: Wording) -> None:
    assert wording.percept("(pair king king)") == "two of king"
    assert wording.percept("(pair king queen)") == "pair king queen"


def test_titles_words_and_records(wording: Wording) -> None:
    assert wording.name("last_bid") == "the bid so far"
    assert wording.name("in_code") == "in code"
    assert wording.record("noop: (played oplayer noop); (bid 1 1)") == "O: stay; bid 1 × 1"


def test_numbers_are_sorted_by_size() -> None:
    texts = ["(bid 10)", "(bid 7)", "pass", "(bid 21)"]
    assert sorted(texts, key=natural_key) == ["(bid 7)", "(bid 10)", "(bid 21)", "pass"]


def test_a_broken_pattern_fits_nothing_and_breaks_nothing() -> None:
    wording = read_wording("; move: (bid ?q = x\n; move: ) = y\n; move: = z\n")
    assert wording.move("(bid 2)") == "bid 2" or wording.move("(bid 2)") == "x"
    assert wording.move("go") == "go"
    assert wording.move("noop") == "wait"


@pytest.mark.parametrize("name", FAMILIES)
def test_the_hints_of_bundled_games_have_a_meaning(name: str) -> None:
    text = FAMILIES[name].rules_text()
    assert read_hints(text).ignored == []
    body = "\n".join(line for line in text.splitlines() if not line.startswith(";"))
    hints = read_hints(text)
    named = [*hints.kinds, *hints.names, *hints.words, *hints.binary]
    named += [pattern.strip("()").split()[0] for pattern, _ in (*hints.moves, *hints.percepts)]
    assert [word for word in named if not word.startswith("?") and word not in body] == []
