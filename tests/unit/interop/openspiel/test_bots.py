"""Our players as bots of OpenSpiel."""

from __future__ import annotations

import numpy as np
import pytest

import veil
from veil.interop import openspiel

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed (extra `peers`)")


def kuhn():
    return pyspiel.load_game(openspiel.register("kuhn_poker"))


def play(game, bots, seed: int) -> list[float]:
    from open_spiel.python.algorithms.evaluate_bots import evaluate_bots

    return evaluate_bots(game.new_initial_state(), bots, np.random.RandomState(seed))


def test_bots_play_whole_games_by_the_loops_of_openspiel() -> None:
    game = kuhn()
    bots = [openspiel.make_bot("solve:method=cfr+,iterations=50", game, 0), openspiel.make_bot("first", game, 1)]
    returns = [play(game, bots, seed) for seed in range(6)]
    assert all(sum(each) == 0 and abs(each[0]) in (1, 2) for each in returns)
    assert abs(sum(pyspiel.evaluate_bots(game.new_initial_state(), bots, 3))) == 0


def test_a_bot_says_what_its_player_draws_from() -> None:
    game = kuhn()
    policy = veil.solve("kuhn_poker", "cfr+", iterations=50, seed=0).policy
    bot = openspiel.make_bot("solve:method=cfr+,iterations=50", game, 0)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    strategy, action = bot.step_with_policy(state)
    told = {state.action_to_string(each): chance for each, chance in strategy}
    assert told == pytest.approx(policy.at("first", "noop: (card jack); noop"))
    assert action in state.legal_actions()
    assert bot.get_policy(state) == strategy  # asked again in the same state, it begins anew


def test_a_bot_that_is_asked_late_hears_of_the_rounds_before() -> None:
    game = kuhn()
    bot = openspiel.make_bot("hyperplay:models=4,playouts=4", game, 0)
    state = game.new_initial_state()
    for word in ("(deal jack)", "(deal king)", "pass", "bet"):
        state.apply_action(state.string_to_action(word))
    assert bot.step(state) in state.legal_actions()
    assert str(bot.player.belief.record) == str(state.node.record(bot.role))  # type: ignore[attr-defined]


@pytest.mark.parametrize(("spec", "player", "message"), [("cheat", 0, "true state"), ("random", 2, "no player 2")])
def test_a_player_that_cannot_be_a_bot_is_refused(spec: str, player: int, message: str) -> None:
    with pytest.raises(veil.VeilError, match=message):
        openspiel.make_bot(spec, kuhn(), player)


def test_a_bot_for_a_game_that_is_not_ours_is_refused() -> None:
    with pytest.raises(veil.VeilError, match="no game of Veil"):
        openspiel.make_bot("random", pyspiel.load_game("kuhn_poker"), 0)


def test_a_bot_is_not_asked_out_of_turn() -> None:
    game = kuhn()
    with pytest.raises(pyspiel.SpielError, match="not the turn"):
        openspiel.make_bot("random", game, 0).step(game.new_initial_state())
