"""Games of OpenSpiel as games of ours: values that others have found, and what cannot be taken over."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest

import veil
from veil.interop import openspiel
from veil.interop.openspiel.tabulation import round_payoffs, tabulate

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed (extra `peers`)")

KNOWN = {  # value of the first player
    "kuhn_poker": -1 / 18,
    "liars_dice(dice_sides=3)": 1 / 9,
    "matrix_rps": 0.0,
}


@pytest.mark.parametrize(("name", "value"), KNOWN.items())
def test_the_value_of_a_game_of_openspiel_is_the_known_one(name: str, value: float) -> None:
    game = openspiel.load(pyspiel.load_game(name))
    assert veil.solve(game, method="lp").value["player_0"] == pytest.approx(value, abs=1e-9)


def test_a_loaded_game_travels_without_openspiel() -> None:
    game = openspiel.load("kuhn_poker")
    assert game.name == "kuhn_poker"
    again = pickle.loads(pickle.dumps(game))
    assert (again.fingerprint, again.utility) == (game.fingerprint, game.utility)
    log = veil.run_match(game, {"player_0": "random", "player_1": "first"}, seed=3)
    assert set(log.goals) == {"player_0", "player_1"}


def test_players_are_told_their_information_state_as_openspiel_writes_it() -> None:
    tree = tabulate("kuhn_poker")
    tree.text()
    assert {infoset.word for infoset in tree.infosets.values()} >= {"0", "1pb", "2pb"}
    state, percepts = openspiel.load("kuhn_poker").initial_state().play({"random": "Deal_0"})
    assert percepts["player_0"] == []  # the second card comes first
    assert state.play({"random": "Deal_1"})[1]["player_0"] == ["0"]


def test_payoffs_become_the_fractions_they_stand_for() -> None:
    assert list(round_payoffs([1 / 3, -0.25]).values()) == [Fraction(1, 3), Fraction(-1, 4)]
    assert list(round_payoffs([2**0.5, 0.5]).values()) == [Fraction(1414213562, 10**9), Fraction(1, 2)]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("leduc_poker", "more than 1,000 nodes"),
        ("python_mfg_crowd_modelling", "mean-field"),
        ("coop_to_1p(game=tiny_hanabi())", "no information states"),
    ],
)
def test_a_game_that_cannot_be_loaded_is_refused_with_a_reason(name: str, message: str) -> None:
    from open_spiel.python.mfg import games  # noqa: F401  # registers the mean-field games

    with pytest.raises(veil.VeilError, match=message):
        openspiel.load(name, max_nodes=1000)
