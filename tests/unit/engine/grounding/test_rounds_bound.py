"""Bounds round by round: all words of the first rounds are listed, and a state beyond them says so."""

from __future__ import annotations

import numpy as np
import pytest

from veil import VeilError, load
from veil.engine import State, read_game
from veil.engine.grounding import GroundLimits, find_reachable, find_reachable_in_rounds, rounds_bound

# Every round a card more, and three of them are dealt. The match ends long before the numbers do.
NUMBERS = " ".join(f"(succ {n} {n + 1})" for n in range(40))
DEALS = f"""
(role duke) (role random) (init (size 3)) {NUMBERS}
(<= (below ?x ?y) (succ ?x ?y)) (<= (below ?x ?z) (below ?x ?y) (succ ?y ?z))
(<= (legal random (deal ?a ?b ?c)) (true (size ?n)) (below ?a ?n) (below ?b ?n) (below ?c ?n) (distinct ?a ?b))
(legal duke (buy gold)) (legal duke (buy copper))
(<= (next (size ?m)) (true (size ?n)) (succ ?n ?m))
(<= (next (card ?n ?c)) (true (size ?n)) (does duke (buy ?c)))
(<= (next (card ?n ?c)) (true (card ?n ?c)))
(<= (next (drew ?c)) (does random (deal ?a ?b ?d)) (true (card ?a ?c)))
(<= (sees duke (hand ?a ?b ?c)) (does random (deal ?a ?b ?c)))
(<= terminal (true (size 7))) (<= (goal duke 100) (true (drew gold))) (<= (goal duke 0) (not (true (drew gold))))
(goal random 0)
"""


@pytest.fixture
def few_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the ground program nor all words fit into the limits."""
    monkeypatch.setattr(rounds_bound, "MANY", 1000.0)
    monkeypatch.setattr("veil.engine.grounding.reachable.MAX_FACTS", 20_000)


def play_at_random(state: State, seed: int) -> list[State]:
    """All states of a random game."""
    rng, states = np.random.default_rng(seed), [state]
    while not states[-1].is_terminal:
        legal = {role: states[-1].legal(role) for role in ("duke", "random")}
        states.append(states[-1].play({role: moves[rng.integers(len(moves))] for role, moves in legal.items()})[0])
    return states


@pytest.mark.usefixtures("few_words")
def test_words_of_the_first_rounds_are_far_fewer_than_all() -> None:
    rules, limits = read_game(DEALS).rules, GroundLimits()
    with pytest.raises(VeilError):
        find_reachable(rules, limits)
    bound = find_reachable_in_rounds(rules, limits, 4)
    assert bound.rounds == 4
    assert not bound.is_ground
    assert [len(moves) for moves in bound.moves] == [2, 7**3]  # of at most seven cards, whatever goes together
    assert [len(percepts) for percepts in bound.percepts] == [7**3, 0]
    assert len(bound.fluents) == 5 + 4 * 2 + 2


@pytest.mark.usefixtures("few_words")
def test_a_game_that_counts_further_than_a_match_lasts_is_played_from_its_rules() -> None:
    game = load(DEALS, GroundLimits(max_rules=20_000))
    assert [entry.code for entry in game.notes] == []
    played = play_at_random(game.initial_state(), 1)
    assert [entry.code for entry in game.notes] == ["plays-from-rules", "plays-first-rounds"]
    twin = play_at_random(game.interpreted().initial_state(), 1)
    assert [sorted(state.fluents) for state in played] == [sorted(state.fluents) for state in twin]
    assert played[-1].goals == twin[-1].goals


@pytest.mark.usefixtures("few_words")
@pytest.mark.compiled("a machine is machine code")
def test_a_match_beyond_the_listed_rounds_says_so_and_a_search_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "veil.engine.joins.machine.find_reachable_in_rounds"
    monkeypatch.setattr(name, lambda rules, limits: find_reachable_in_rounds(rules, limits, 2))
    game = load(DEALS, GroundLimits(max_rules=20_000))
    assert game.machine.playouts(game.machine.initial_states(), 8, 0).playouts.sum() == 8
    with pytest.raises(VeilError) as caught:
        play_at_random(game.initial_state(), 1)
    assert caught.value.problems[0].code == "beyond-first-rounds"
