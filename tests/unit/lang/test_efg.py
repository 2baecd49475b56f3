"""Gambit's .efg: what a text says, what is refused, and that the rules made from it are the same game."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest

import veil
from tests.support.efg_trees import random_efg
from veil.equilibrium import evaluate_profile, expand, prepare, uniform_policy
from veil.interop.gambit import write_efg
from veil.lang.efg.order import find_turns
from veil.lang.efg.reader import read_tree
from veil.lang.efg.words import name_apart
from veil.lang.source import Source

# Bob cannot tell whether Ann was asked, so his infoset holds nodes of two depths.
WAITING = """\
EFG 2 R "Waiting" { "Ann" "Bob B" }
c "" 1 "" { "Heads" 0.25 "Tails" 0.75 } 0
p "" 1 1 "saw heads" { "go" "stop" } 0
p "" 2 1 "" { "L" "R" } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { 1/2, -1/2 }
t "" 3 "" { 0 0 }
p "" 2 1 "" { "L" "R" } 0
t "" 1
t "" 4 "" { -2 2 }
"""


def tree_of(text: str):
    return read_tree(Source("game.efg", text))


def refuse(text: str) -> str:
    with pytest.raises(veil.VeilError) as caught:
        veil.load(text)
    return caught.value.problems[0].code


def test_a_text_is_read_with_its_exact_numbers_and_short_forms() -> None:
    tree = tree_of(WAITING)
    assert tree.players == ["Ann", "Bob B"]
    assert tree.infosets[0].chances == (Fraction(1, 4), Fraction(3, 4))
    assert [node.payoffs for node in tree.nodes if node.infoset < 0][1] == (Fraction(1, 2), Fraction(-1, 2))
    assert tree.nodes[-2].payoffs == (1, -1)  # outcome 1 again
    assert tree.infosets[2].nodes == [2, 6]


def test_payoffs_on_the_way_add_to_those_at_the_end() -> None:
    text = 'EFG 2 R "" { "A" } p "" 1 1 "" { "x" "y" } 1 "" { 10 } t "" 2 "" { 1 } t "" 0'
    assert [node.payoffs for node in tree_of(text).nodes[1:]] == [(11,), (10,)]
    assert veil.solve(veil.load(text), method="lp").value == {"A": 11.0}


def test_a_label_may_hold_quotation_marks_and_a_tree_a_comment() -> None:
    text = 'EFG 2 D "a \\"b\\"" { "A" } "a comment" p "n" 1 1 "" { "x" "y" } 0 t "" 1 "" { 1 } t "" 2 "o" { 1e-1 }'
    tree = tree_of(text)
    assert tree.title == 'a "b"'
    assert tree.nodes[2].payoffs == (Fraction(1, 10),)


def test_nodes_of_an_infoset_have_their_turn_in_the_same_round() -> None:
    tree = tree_of(WAITING)
    turns = find_turns(Source("game.efg", WAITING), tree)
    assert [turns[node] for node in tree.infosets[2].nodes] == [2, 2]


def test_a_player_that_waits_learns_nothing_from_it() -> None:
    game = veil.load(WAITING)
    solution = veil.solve(game, method="lp")
    assert solution.value["Ann"] == pytest.approx(-1.375)  # by hand: 1/4 of 1/2, and 3/4 of -2
    assert list(solution.policy.table["Bob_B"]) == ["noop; noop: (infoset 1)"]
    assert list(solution.policy.table["Ann"]) == ["noop: saw_heads"]


def test_a_game_from_a_tree_is_a_game_like_any_other() -> None:
    game = veil.load(WAITING)
    assert game.roles == ["random", "Ann", "Bob_B"]
    assert game.warnings == []
    state = game.initial_state()
    assert state.legal("random") == ["(Tails 1)", "(Tails 2)", "(Tails 3)", "Heads"]
    state, percepts = state.play({"random": "Heads"})
    assert percepts["Ann"] == ["saw_heads"]
    assert state.legal("Ann") == ["go", "stop"]
    assert pickle.loads(pickle.dumps(game)).fingerprint == game.fingerprint
    assert veil.run_match(game, {"Ann": "first", "Bob_B": "random"}, seed=1).goals["Ann"] in (-4, 0, 1, 2)


def test_words_are_told_apart_whatever_the_labels_are() -> None:
    assert name_apart(["Bet 2", "bet 2", "", "noop", "(x)"], "action", "noop") == [
        "Bet_2",
        "bet_2_2",
        "action_3",
        "noop_4",
        "x",
    ]


@pytest.mark.parametrize("game", ["kuhn_poker", "monty_hall", "matching_pennies", "cutting_wire"])
def test_a_game_that_was_exported_is_the_same_game_when_it_is_read(game: str) -> None:
    ours, again = prepare(game), prepare(veil.load(write_efg(game)))
    assert [ours.tree.counts()[key] for key in ("nodes", "terminals", "depth")] == [
        again.tree.counts()[key] for key in ("nodes", "terminals", "depth")
    ]
    before, after = (evaluate_profile(each.form, uniform_policy(each.form)) for each in (ours, again))
    assert after.nash_conv == pytest.approx(before.nash_conv, abs=1e-9)
    assert after.value == pytest.approx(before.value, abs=1e-9)


def test_a_tree_whose_infosets_have_no_order_is_refused() -> None:
    text = """EFG 2 R "" { "A" "B" }
c "" 1 "" { "x" 1/2 "y" 1/2 } 0
p "" 1 1 "" { "l" "r" } 0
p "" 2 1 "" { "l" "r" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 2 -2 }
t "" 1
p "" 2 1 "" { "l" "r" } 0
p "" 1 1 "" { "l" "r" } 0
t "" 1
t "" 2
t "" 1
"""
    assert refuse(text) == "efg-order"


HEAD = 'EFG 2 R "" { "A" "B" }\n'
BROKEN = {
    "efg-no-players": 'EFG 2 R "" { } t "" 0',
    "efg-no-choice": HEAD + 't "" 1 "" { 1 1 }',
    "efg-player": HEAD + 'p "" 3 1 "" { "x" "y" } 0',
    "efg-infoset": HEAD + 'p "" 1 1 "" { "x" "y" } 0 p "" 1 1 "" { "x" } 0',
    "efg-chance": HEAD + 'c "" 1 "" { "x" 1/2 "y" 1/3 } 0',
    "efg-payoffs": HEAD + 'p "" 1 1 "" { "x" "y" } 0 t "" 1 "" { 1 }',
    "efg-outcome": HEAD + 'p "" 1 1 "" { "x" "y" } 0 t "" 1',
    "efg-recall": HEAD + 'p "" 1 1 "" { "x" "y" } 0 p "" 1 2 "" { "x" "y" } 0 t "" 0 t "" 0 p "" 1 2 0 t "" 0 t "" 0',
    "efg-copies": HEAD + 'c "" 1 "" { "x" 1/1009 "y" 1008/1009 } 0 t "" 0 t "" 0',
    "unexpected-token": HEAD + 'p "" 1 1 "" { "x" "y" } 0 t "" 1 "" { 1/0 2 }',
}


@pytest.mark.parametrize("code", BROKEN)
def test_a_text_that_is_wrong_is_refused_with_its_place(code: str) -> None:
    assert refuse(BROKEN[code]) == code


@pytest.mark.parametrize("text", [WAITING[:cut] for cut in range(40, len(WAITING) - 1, 23)])
def test_a_text_that_breaks_off_is_refused(text: str) -> None:
    assert refuse(text) in ("unexpected-token", "efg-infoset", "efg-outcome", "efg-chance", "efg-payoffs")


def test_rounded_probabilities_are_taken_for_the_fractions_they_stand_for() -> None:
    tree = tree_of(HEAD + 'c "" 1 "" { "x" 0.333333 "y" 0.666667 } 0 t "" 0 t "" 0')
    assert tree.infosets[0].chances == (Fraction(1, 3), Fraction(2, 3))


@pytest.mark.parametrize("seed", [0, 3, 7])
def test_a_random_tree_keeps_its_infosets(seed: int) -> None:
    text = random_efg(seed)
    read, counts = tree_of(text), expand(veil.load(text)).counts()
    assert counts["infosets"] == {
        f"P{player}": sum(infoset.player == player for infoset in read.infosets) for player in (1, 2)
    }
