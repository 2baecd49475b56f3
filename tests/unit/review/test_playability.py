"""Whether a game is sound: roles that cannot move, games that do not end, records that do not tell the legal moves."""

from __future__ import annotations

import pytest

from tests.support.archetypes import archetypes_of
from veil.engine import Game, load
from veil.equilibrium import expand
from veil.games import FAMILIES
from veil.review import judge_soundness
from veil.review.record_search import RecordSearch, search_records

CARDS = """
(role random) (role ann) (role bob)
(init (round 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(<= (legal random (deal ?c)) (true (round 0)) (card ?c)) (card low) (card high)
(<= (legal random wait) (not (true (round 0))))
(<= (legal ann pass) (role ann))
(<= (legal ann raise) (true (round ?n)) (distinct ?n 0))
(<= (legal bob pass) (role bob))
(<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
(<= (next (holds ?c)) (does random (deal ?c)))
(<= (next (holds ?c)) (true (holds ?c)))
(<= (sees ann ?c) (does random (deal ?c)))
(<= terminal (true (round 6)))
(goal ann 50) (goal bob 50)
"""
BOB_CANNOT_KNOW = CARDS + "(<= (legal bob call) (true (round 4)) (true (holds high)))"
STUCK_BOB = CARDS.replace("(<= (legal bob pass) (role bob))", "(<= (legal bob pass) (not (stops)))") + (
    "(<= (stops) (true (round 5)) (true (holds high)))"
)
NO_END = "(role a) (init s) (legal a x) (legal a y) (next s) (<= terminal (true t)) (<= (goal a 0) (role a))"
DEEP = 40
SEES_LATER = "(<= (sees ann ?f) (does random ?f) (true (round ?n)) (distinct ?n 0))"


def deep_game(flaw: str) -> Game:
    """A game of many rounds with four moves each, too large to be searched as a whole; `flaw` is added to it."""
    steps = " ".join(f"(succ {i} {i + 1})" for i in range(DEEP))
    return load(
        f"(role random) (role ann) (init (round 0)) {steps}"
        "(face heads) (face tails) (<= (legal random ?f) (face ?f)) (legal ann left) (legal ann right)"
        "(<= (next (round ?m)) (true (round ?n)) (succ ?n ?m)) (<= (sees ann ?f) (does random ?f))"
        f"(<= terminal (true (round {DEEP}))) (goal ann 1) {flaw}"
    )


def codes(text: str) -> list[str]:
    return [flaw.code for flaw in judge_soundness(load(text)).flaws]


def test_a_game_without_flaws_is_sound_and_all_of_it_was_looked_at() -> None:
    judged = judge_soundness(load(CARDS))
    assert judged.is_sound
    assert (judged.flaws, judged.complete) == ([], True)


def test_two_histories_that_a_role_cannot_tell_apart_are_shown_with_their_different_moves() -> None:
    (flaw,) = judge_soundness(load(BOB_CANNOT_KNOW)).flaws
    assert (flaw.code, flaw.severity) == ("infoset-moves", "warning")
    assert flaw.message.startswith("bob cannot tell two histories apart, but has different legal moves in them")
    assert "(deal low)" in flaw.message
    assert "(deal high)" in flaw.message


def test_a_role_that_gets_stuck_far_down_is_found() -> None:
    (flaw,) = judge_soundness(load(STUCK_BOB)).flaws
    assert flaw.code == "stuck-later"
    assert "bob has no legal move in round 6" in flaw.message


@pytest.mark.compiled("slow as Python")
def test_a_game_that_cannot_end_is_not_sound() -> None:
    (flaw,) = judge_soundness(load(NO_END)).flaws
    assert (flaw.code, flaw.severity) == ("never-ends", "warning")
    assert "256 of 256 random games did not end within 10,000 rounds" in flaw.message


@pytest.mark.compiled("slow as Python")
def test_long_games_that_end_are_sound() -> None:
    steps = " ".join(f"(succ {i} {i + 1})" for i in range(400))
    ends = NO_END.replace("(next s)", f"(next s) {steps} (init (n 0)) (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))")
    assert codes(ends.replace("(true t)", "(true (n 400))")) == []


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "ii_goofspiel", "monty_hall", "cooperative_spies"])
def test_a_complete_search_has_seen_every_infoset_with_a_choice(name: str) -> None:
    """The tree has a number only for records with more than one move; the search compares those with one as well."""
    found, tree = search_records(load(name)), expand(load(name)).flat
    assert found.complete
    assert found.infosets >= len(tree.infoset_key)
    assert found.witnesses == {}


@pytest.mark.gate_cases(4)
@pytest.mark.compiled("slow as Python", only=("hold_em_mini", "racko", "tic_tac_toe", "tictactoe"))
@pytest.mark.parametrize("name", archetypes_of(sorted(FAMILIES)))
def test_bundled_games_are_sound(name: str) -> None:
    judged = judge_soundness(load(FAMILIES[name].sizes()["small"]))
    assert [flaw.code for flaw in judged.flaws] == []


def test_the_budget_ends_the_search_and_that_is_said() -> None:
    found = search_records(deep_game(""), budget=50_000)
    assert (found.complete, found.witnesses) == (False, {})
    assert found.infosets > 1000


@pytest.mark.compiled("slow as Python")
def test_a_flaw_far_down_in_a_large_game_is_found_because_whole_records_are_kept() -> None:
    """Ann is not told the coin of round 0, which decides her moves in round 30: half of all records show it."""
    hidden = (
        "(<= (next (coin ?f)) (true (round 0)) (does random ?f)) (<= (next (coin ?f)) (true (coin ?f)))"
        "(<= (legal ann jump) (true (coin heads)) (true (round 30)))"
    )
    text = deep_game(hidden).rules.source.text.replace("(<= (sees ann ?f) (does random ?f))", SEES_LATER)
    found = search_records(load(text), budget=400_000)
    assert [code for code, _ in found.witnesses] == ["infoset-moves"]
    assert found.witnesses["infoset-moves", "ann"].round == 31


def test_the_same_seed_finds_the_same() -> None:
    one, other = (search_records(deep_game(""), seed=5, budget=50_000) for _ in range(2))
    assert one == other
    assert isinstance(one, RecordSearch)
