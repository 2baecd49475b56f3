"""The value of information: known games, and every infoset of small ones beside the slow oracle."""

from __future__ import annotations

import numpy as np
import pytest

import veil
from tests.reference.information import value_move
from veil.engine import Record, parse_record
from veil.equilibrium import find_best_response, find_information_values, prepare, records_in_words, uniform_policy
from veil.equilibrium.prepared_game import PreparedGame

# Whoever looks at the card must bet on it, and says how much: without having seen it there is no legal bet to name.
LOOK = """(role random) (role a)
(init (round 1))
(succ 1 2) (succ 2 3) (succ 3 4)
(card high) (card low)
(<= (legal random (deal ?c)) (true (round 1)) (card ?c))
(<= (legal random noop) (not (true (round 1))))
(<= (legal a noop) (true (round 1)))
(<= (legal a look) (true (round 2)))
(<= (legal a pass) (true (round 2)))
(<= (legal a (bet ?c 1)) (true (round 3)) (true (card ?c)) (true looked))
(<= (legal a (bet ?c 2)) (true (round 3)) (true (card ?c)) (true looked))
(<= (legal a (bet none 0)) (true (round 3)) (not (true looked)))
(<= (sees a ?c) (does a look) (true (card ?c)))
(<= (next (card ?c)) (does random (deal ?c)))
(<= (next (card ?c)) (true (card ?c)))
(<= (next looked) (does a look))
(<= (next (won ?c)) (does a (bet ?c ?n)))
(<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
(<= terminal (true (round 4)))
(<= (goal a 100) (true (won ?c)) (true (card ?c)))
(<= (goal a 0) (not hit))
(<= hit (true (won ?c)) (true (card ?c)))
(goal random 0)
"""


def infosets_of(prepared: PreparedGame) -> list[tuple[int, str, str]]:
    """(number, role, record in words) of all infosets."""
    tree, texts = prepared.tree, records_in_words(prepared.tree)
    return [
        (number, role, texts[number]) for place, role in enumerate(tree.roles) for number in tree.infosets_of(place)
    ]


def test_the_percept_of_asking_is_worth_what_the_article_says():
    """Exploding Bomb: 90 with the answer (article, section 6); without it, a guess is right half of the time."""
    prepared = prepare("exploding_bomb")
    first = next(number for number, _, record in infosets_of(prepared) if record == "noop")
    found = find_information_values(prepared, uniform_policy(prepared.form), first)
    assert found is not None
    values = {entry.move: (entry.with_percepts, entry.without_percepts, entry.value) for entry in found}
    assert values == {"ask": (90, 45, 45), "wait": (50, 50, 0)}


@pytest.mark.parametrize("spec", ["exploding_bomb", "monty_hall", "cutting_wire", "simple_poker", "matching_pennies"])
def test_every_infoset_agrees_with_the_definition(spec: str):
    game = veil.load(spec)
    prepared = prepare(game)
    for number, role, text in infosets_of(prepared):
        record = Record(role, parse_record(role, text).rounds)
        found = find_information_values(prepared, uniform_policy(prepared.form), number)
        assert found is not None
        for entry in found:
            scale = [value_move(game, record, entry.move, tell=tell) for tell in (True, False)]
            expected = [None if worth is None else utility_of(game, worth) for worth in scale]
            assert entry.with_percepts == pytest.approx(expected[0]), (text, entry.move)
            assert entry.without_percepts == pytest.approx(expected[1]), (text, entry.move)


def utility_of(game: veil.Game, goal: float) -> float:
    """What solvers count for a mean goal; the utility of these games is an affine map."""
    zero, hundred = game.utility.of(np.array([0])), game.utility.of(np.array([100]))
    return float(zero[0] + (hundred[0] - zero[0]) * goal / 100)


def test_where_a_percept_says_what_is_legal_nothing_can_be_done_without_it():
    prepared = prepare(veil.load(LOOK))
    first = next(number for number, _, record in infosets_of(prepared) if record == "noop")
    found = find_information_values(prepared, uniform_policy(prepared.form), first)
    assert found is not None
    assert {entry.move: entry.value for entry in found} == {"look": None, "pass": 0.0}


def test_an_infoset_that_the_others_never_allow_has_no_value():
    prepared = prepare("kuhn_poker")
    policy = uniform_policy(prepared.form)
    number = next(n for n, role, record in infosets_of(prepared) if role == "second")
    first = prepared.tree.infosets_of(0)
    moves = {move for infoset in first for move in prepared.tree.slots_in(infoset)}
    assert find_information_values(prepared, policy, number) is not None
    policy[list(moves)] = 0.0  # the others play nothing at all
    assert find_information_values(prepared, policy, number) is None


def test_with_percepts_the_first_decision_is_worth_a_best_response():
    """Independent: `find_best_response` goes over sequences, not over nodes."""
    prepared = prepare("exploding_bomb")
    policy = uniform_policy(prepared.form)
    _, value = find_best_response(prepared.form, policy, 0)
    first = next(number for number, _, record in infosets_of(prepared) if record == "noop")
    found = find_information_values(prepared, policy, first)
    assert found is not None
    assert max(entry.with_percepts for entry in found) == pytest.approx(value)
