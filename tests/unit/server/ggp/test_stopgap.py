"""Legal moves from the rules, for as long as there is no player."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest

from tests.support.games import game
from veil.engine import read_game
from veil.errors import VeilError
from veil.server.ggp import stopgap
from veil.server.ggp.stopgap import Stopgap, ToldRound

NO_CLOCK = perf_counter() + 1e6


def told(own_move: str | None, *percepts: str) -> ToldRound:
    return ToldRound(own_move, percepts, is_joint=False)


def test_moves_are_legal_after_what_was_told_in_any_spelling() -> None:
    found = Stopgap(game("monty_hall"), "CONTESTANT")
    assert found.find_moves([], NO_CLOCK) == ["(choose 1)", "(choose 2)", "(choose 3)"]
    rounds = [told("(CHOOSE 1)"), told("NOOP", "3")]
    assert found.find_moves(rounds, NO_CLOCK) == ["noop", "switch"]


def test_a_joint_move_is_followed_exactly() -> None:
    rounds = [ToldRound(None, ("( MARK 1 1 )", "noop"), True), ToldRound(None, ("noop", "(mark 2 2)"), True)]
    moves = Stopgap(game("tic_tac_toe"), "xplayer").find_moves(rounds, NO_CLOCK)
    assert len(moves) == 7
    assert not {"(mark 1 1)", "(mark 2 2)", "noop"} & set(moves)


@pytest.mark.parametrize("rounds", [[told("(fly)", "elephant", "))")], [told(None)], [ToldRound(None, ("x",), True)]])
def test_what_nothing_explains_is_answered_by_moves_of_some_state(rounds: list[ToldRound]) -> None:
    assert Stopgap(game("monty_hall"), "contestant").find_moves(rounds, NO_CLOCK)


def test_when_time_is_up_the_last_states_count() -> None:
    found = Stopgap(game("monty_hall"), "contestant")
    assert found.find_moves([told("(choose 1)")], 0.0) == ["(choose 1)", "(choose 2)", "(choose 3)"]


@pytest.mark.parametrize("name", ["kuhn_poker", "krieg_tictactoe", "leduc_poker"])
def test_in_random_games_nearly_all_of_its_moves_are_legal(name: str) -> None:
    """A few states that are drawn may all be false; where they explain what was told, their moves are legal."""
    played, rng, right = game(name), np.random.default_rng(1), list[bool]()
    for role in played.roles * 2:
        state, rounds, found = played.initial_state(), list[ToldRound](), Stopgap(played, role)
        while not state.is_terminal:
            if role != "random":
                right.append(set(found.find_moves(rounds, NO_CLOCK)) <= set(state.legal(role)))
            joint = state.random_joint_move(rng)
            state, percepts = state.play(joint)
            rounds.append(told(joint[role], *percepts[role]))
    assert np.mean(right) > 0.9


def test_rules_of_millions_of_moves_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopgap, "MAX_ROWS", 100)
    numbers = " ".join(f"(d {number})" for number in range(20))
    legal = "(<= (legal a (m ?x ?y)) (d ?x) (d ?y) (true n))"
    rules = f"(role a) {numbers} (init n) {legal} (goal a 1) (<= terminal (true end))"
    with pytest.raises(VeilError):
        Stopgap(read_game(rules), "a").find_moves([], NO_CLOCK)
