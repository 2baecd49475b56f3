"""States drawn by beliefs, against all states of the game that have the same information."""

from __future__ import annotations

from collections import defaultdict

import pytest

from veil.interop import openspiel

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed (extra `peers`)")

DRAWS = 400


def find_posterior(game, text: str, player: int) -> dict[str, float]:
    """The slow way: every state with this information, by the probability that chance and random others lead to it."""
    weights: dict[str, float] = defaultdict(float)
    waiting = [(game.new_initial_state(), 1.0)]
    while waiting:
        state, reach = waiting.pop()
        if state.is_terminal():
            continue
        mover = state.current_player()
        if mover == player and state.information_state_string(player) == text:
            weights[state.history_str()] += reach
        actions = state.legal_actions()
        share = 1.0 if mover == player else 1.0 / len(actions)
        waiting += [(state.child(action), reach * share) for action in actions]
    total = sum(weights.values())
    return {history: weight / total for history, weight in weights.items()}


@pytest.mark.parametrize("name", ["kuhn_poker", "ii_goofspiel(cards=3)", "liars_dice(1, 1, 2)"])
def test_states_come_as_often_as_they_are_likely(name: str) -> None:
    game = pyspiel.load_game(openspiel.register(name))
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    state.apply_action(state.legal_actions()[0])
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[-1])
    player = state.current_player()
    posterior = find_posterior(game, state.information_state_string(player), player)
    numbers = iter([(0.5 + place) / DRAWS for place in range(DRAWS)] * 4)
    counts: dict[str, int] = defaultdict(int)
    for _ in range(DRAWS):
        drawn = state.resample_from_infostate(player, lambda: next(numbers))
        assert drawn.information_state_string(player) == state.information_state_string(player)
        assert drawn.current_player() == player
        counts[drawn.history_str()] += 1
    assert set(counts) == set(posterior)
    if name != "ii_goofspiel(cards=3)":  # there a second number is drawn, for the other bid of the round
        assert {key: count / DRAWS for key, count in counts.items()} == pytest.approx(posterior, abs=2 / DRAWS)


def test_who_does_not_move_is_resampled_too_and_an_end_stays_an_end() -> None:
    game = pyspiel.load_game(openspiel.register("ii_goofspiel(cards=3)"))
    state = game.new_initial_state()
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    while True:
        for player in (0, 1):
            drawn = state.resample_from_infostate(player, sampler)
            assert drawn.information_state_string(player) == state.information_state_string(player)
            assert drawn.is_terminal() == state.is_terminal()
        if state.is_terminal():
            break
        state.apply_action(state.legal_actions()[-1])
