"""Random, first, and a person."""

from __future__ import annotations

import pytest
from scipy.stats import chisquare

from tests.support.games import game
from tests.support.refusals import refused
from tests.support.seats import QUEEN, QUIET, seat, told_all
from veil.errors import fail
from veil.players.contract import Request
from veil.players.roster import make_player
from veil.players.simple import HumanPlayer, NoConfig


@pytest.mark.compiled("slow as Python")
def test_random_moves_are_uniform() -> None:
    """Nine cells; false-alarm rate 1e-6."""
    player = make_player("random")
    player.start(seat("krieg_tictactoe", "xplayer", 3))
    counts: dict[str, int] = {}
    for _ in range(1800):
        move = player.play(None)  # nothing new is told: the same decision again
        counts[move] = counts.get(move, 0) + 1
    assert sorted(counts) == game("krieg_tictactoe").initial_state().legal("xplayer")
    assert chisquare(list(counts.values())).pvalue > 1e-6


def test_random_moves_come_from_the_seed_of_the_seat() -> None:
    found = []
    for seed in (3, 3, 4):
        player = make_player("random")
        player.start(seat("krieg_tictactoe", "xplayer", seed))
        found.append([player.play(None) for _ in range(20)])
    assert found[0] == found[1] != found[2]


def test_first_plays_the_first_move_in_the_order_of_the_alphabet() -> None:
    player = make_player("first")
    player.start(seat("kuhn_poker", "first"))
    assert told_all(player, QUEEN) == "bet"  # or pass
    player = make_player("first")
    player.start(seat("krieg_tictactoe", "xplayer"))
    assert player.play(None) == "(mark 1 1)"


def test_simple_players_tell_the_strategy_that_they_draw_from() -> None:
    legal = [f"(choose {door})" for door in (1, 2, 3)]
    for name, strategy in (("random", dict.fromkeys(legal, 1 / 3)), ("first", {legal[0]: 1.0})):
        player = make_player(name)
        player.start(seat("monty_hall", "contestant"))
        player.play(None)
        player.stop(None)
        assert player.report() == {"strategy": strategy}


def test_a_person_is_asked_with_what_the_role_was_told_and_may_do() -> None:
    asked: list[Request] = []

    def person(request: Request) -> str:
        asked.append(request)
        return "wait"

    player = HumanPlayer(NoConfig())
    player.meet(person)
    player.start(seat("exploding_bomb", "agent"))
    player.offer(["noop"])
    player.play(None)
    player.offer(["ask", "wait"])
    assert player.play(QUIET) == "wait"
    assert asked == [Request("agent", None, ("noop",)), Request("agent", QUIET, ("ask", "wait"))]


def test_what_a_person_refuses_reaches_whoever_runs_the_match() -> None:
    def person(request: Request) -> str:
        raise fail("input-ended", role=request.role)

    player = HumanPlayer(NoConfig())
    player.meet(person)
    player.start(seat("exploding_bomb", "agent"))
    player.offer(["noop"])
    assert "agent" in refused("input-ended", lambda: player.play(None))
