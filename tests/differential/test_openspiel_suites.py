"""OpenSpiel's own tests and algorithms on our games, every family at its small size, and what they find beside ours."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import veil
from tests.support.archetypes import archetypes_of
from tests.support.efg_trees import random_efg
from veil.equilibrium import evaluate_profile, prepare, uniform_policy
from veil.equilibrium.prepared_game import PreparedGame
from veil.games import FAMILIES
from veil.interop import openspiel
from veil.interop.gambit import write_efg

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed (extra `peers`)")

SMALL = {name: family.sizes()["small"] for name, family in FAMILIES.items()}
TOO_LARGE = {"tic_tac_toe", "krieg_tictactoe", "phantom_tictactoe", "hold_em_mini"}  # to be written down as a tree
WALKED = {  # in Python, node by node; the others are judged in C++, from their .efg text
    "matching_pennies",
    "frank_basin",
    "cutting_wire",
    "banker_and_thief",
    "monty_hall",
    "exploding_bomb",
    "dark_hex",
    "hidden_connect",
    "ii_goofspiel",
    "kuhn_poker",
    "liars_dice",
}
every_family = pytest.mark.parametrize("name", archetypes_of(SMALL))


@cache
def registered(name: str) -> Any:
    return pyspiel.load_game(openspiel.register(SMALL[name]))


@cache
def prepared(name: str) -> PreparedGame:
    return prepare(registered(name).game)


@pytest.mark.gate_cases(4)
@every_family
def test_random_games_pass_the_test_of_openspiel_with_serialisation(name: str) -> None:
    pyspiel.random_sim_test(registered(name), num_sims=2, serialize=True, verbose=False)


@every_family
def test_a_playthrough_can_be_written(name: str) -> None:
    from absl import flags
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["test"])
    game = registered(name).get_type().short_name
    text = playthrough(game, None, seed=1)
    assert f'ToString() = "{game}()"' in text
    assert text == playthrough(game, None, seed=1)


def test_the_simulations_of_the_python_tests_of_openspiel_pass() -> None:
    from open_spiel.python.tests.games_sim_test import GamesSimTest

    for name in ("kuhn_poker", "ii_goofspiel", "monty_hall"):
        GamesSimTest().sim_game(registered(name))


@pytest.mark.parametrize("name", archetypes_of(sorted(WALKED)))
def test_nash_conv_of_openspiel_is_ours(name: str) -> None:
    from open_spiel.python.algorithms.exploitability import nash_conv
    from open_spiel.python.policy import UniformRandomPolicy

    ours = evaluate_profile(prepared(name).form, uniform_policy(prepared(name).form))
    assert nash_conv(registered(name), UniformRandomPolicy(registered(name))) == pytest.approx(ours.nash_conv, abs=1e-9)


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("name", archetypes_of(name for name in SMALL if name not in TOO_LARGE))
def test_nash_conv_of_the_exported_tree_is_ours(name: str) -> None:
    game = pyspiel.load_efg_game(write_efg(registered(name).game))
    policy = pyspiel.UniformRandomPolicy(game)
    ours = evaluate_profile(prepared(name).form, uniform_policy(prepared(name).form))
    assert pyspiel.nash_conv(game, policy, True) == pytest.approx(ours.nash_conv, abs=1e-9)
    value = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    assert value == pytest.approx(ours.value.tolist(), abs=1e-9)


KNOWN = {"kuhn_poker": -1 / 18, "ii_goofspiel": 0.0}  # value of the first player


@pytest.mark.parametrize(("name", "value"), KNOWN.items())
def test_cfr_plus_of_openspiel_comes_to_the_known_value(name: str, value: float) -> None:
    game = registered(name)
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)[0] == pytest.approx(value, abs=2e-3)
    ours = veil.evaluate(game.game, openspiel.from_openspiel(policy, game))
    assert pyspiel.nash_conv(game, policy, True) == pytest.approx(ours.nash_conv, abs=1e-9)
    assert ours.nash_conv < 5e-3


def test_search_bots_of_openspiel_play_our_games() -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    rng = np.random.RandomState(0)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    hidden = registered("liars_dice")
    state = hidden.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert ismcts.ISMCTSBot(hidden, evaluator, 2.0, 30, random_state=rng).step(state) in state.legal_actions()
    open_ = registered("connect_four")
    start = open_.new_initial_state()
    assert mcts.MCTSBot(open_, 2.0, 30, evaluator, random_state=rng).step(start) in start.legal_actions()


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("seed", range(2, 10))
def test_a_random_tree_is_worth_the_same_here_and_there(seed: int) -> None:
    """Infosets of these trees hold nodes of different depths, and chance is not uniform."""
    text = random_efg(seed)
    theirs = pyspiel.load_efg_game(text)
    policy = pyspiel.UniformRandomPolicy(theirs)
    ours = prepare(veil.load(text))
    judged = evaluate_profile(ours.form, uniform_policy(ours.form))
    assert judged.nash_conv == pytest.approx(pyspiel.nash_conv(theirs, policy, False), abs=1e-9)
    value = pyspiel.expected_returns(theirs.new_initial_state(), policy, -1, False)
    assert judged.value.tolist() == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("name", ["kuhn_poker", "liars_dice(dice_sides=3)", "tiny_hanabi", "matrix_sh"])
def test_a_game_of_openspiel_is_worth_the_same_when_it_is_loaded(name: str) -> None:
    theirs = pyspiel.load_game(name)
    if theirs.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        theirs = pyspiel.convert_to_turn_based(theirs)
    ours = prepare(openspiel.load(theirs))
    judged = evaluate_profile(ours.form, uniform_policy(ours.form))
    policy = pyspiel.UniformRandomPolicy(theirs)
    assert judged.nash_conv == pytest.approx(pyspiel.nash_conv(theirs, policy, True), abs=1e-9)
    value = pyspiel.expected_returns(theirs.new_initial_state(), policy, -1, True)
    assert judged.value.tolist() == pytest.approx(value, abs=1e-9)
