"""HyperPlay-II as it is printed: HyperGames inside, players of their own in every simulation."""

from __future__ import annotations

import numpy as np
import pytest

import veil
from tests.support.games import game
from tests.support.search_games import BOMB, NEST, QUIET, bag_after, heard, in_words
from veil.belief.many_records import draw_by_record
from veil.errors import VeilError
from veil.search.hyperplay2.nested import NestedPlayers, NestedSampler
from veil.search.hyperplay2.simulations import HyperPlay2Config, simulate_moves

ME, DOORS, LOW = 1, 10, 4
PRINTED = "nested_sampler=hyperplay,memo=false"


def value_of_go(simulations: int, seed: int, sampler: NestedSampler, memo: bool) -> float:
    """What `go` is worth by simulations with players of 3 models inside."""
    nest = game(NEST)
    players = NestedPlayers(nest.machine, models=3, playouts=5, seed=seed, sampler=sampler, memo=memo)
    bag, rng = bag_after(NEST, "me", (QUIET,)), np.random.default_rng(seed)
    answer = simulate_moves(players, ME, bag, nest.program.chance, simulations, rng)
    return in_words(nest, "me", answer)["go"]


def test_with_memo_the_value_is_decided_by_one_sample_however_many_simulations_there_are() -> None:
    """Every door is simulated as often: the value is 60 or 40, as the one decision inside says."""
    few, many = ([value_of_go(count, seed, "states", True) for seed in range(12)] for count in (1, 40))
    assert few == many
    assert set(few) == {40.0, 60.0}


def test_hypergames_without_memo_give_the_mean_over_what_the_players_sample() -> None:
    """Three HyperGames choose doors independently; two high ones make `high`: p = 3 (0.6)^2 0.4 + (0.6)^3 = 0.648.

    So `go` is worth 60 p + 40 (1 - p) = 52.96. A simulation is 0 or 100: 4,000 of them, 5 deviations of at most 0.8.
    """
    assert value_of_go(400, 1, "hyperplay", False) == pytest.approx(52.96, abs=5 * 50 / np.sqrt(4000))


def test_states_without_memo_give_the_mean_over_systematic_draws() -> None:
    """The probability of `high` is the share of the offsets of a systematic draw that have two high doors of three."""
    bag, size = bag_after(NEST, "me", (QUIET,)), 1000
    players = NestedPlayers(game(NEST).machine, models=3, playouts=1, seed=0)
    key = heard(players, game(NEST), "me", (QUIET,))
    pool = players._beliefs[ME].after([key], lambda: None)[0]
    low = [bag.states[world] for world in range(DOORS) if door_of(world) <= LOW]
    is_low = [any((state == each).all() for each in low) for state in pool.states]
    highs = 0
    for number in range(size):
        index, _ = draw_by_record(pool.weights, np.zeros(DOORS, np.int64), 3, np.array([(number + 0.5) / size]))
        highs += sum(not is_low[each] for each in index) >= 2
    expected = 40 + 20 * highs / size
    assert 50 < expected < 60
    assert value_of_go(400, 1, "states", False) == pytest.approx(expected, abs=5 * 50 / np.sqrt(4000))


def door_of(world: int) -> int:
    """The door of a world of the exact bag, by its history."""
    nest, bag = game(NEST), bag_after(NEST, "me", (QUIET,))
    return int(nest.names.moves[0][int(bag.histories[world, 0, 0])].split()[1].rstrip(")"))


def count_stops(options: str, matches: int) -> int:
    """In how many matches the player stops, which is wrong."""
    spec = f"hyperplay2:models=10,nested_models=3,nested_playouts=5,work=1000000000,{options}"
    logs = (veil.run_match(game(NEST), {"me": spec}, seed=seed) for seed in range(matches))
    return sum(any(entry.moves["me"] == "stop" for entry in log.rounds) for log in logs)


@pytest.mark.nightly
@pytest.mark.compiled("slow as Python")
def test_in_play_more_simulations_help_as_printed_and_not_with_memo() -> None:
    """With memo a third or so of the matches stop, exactly the same with any number of simulations (of 90, 36)."""
    few, many = (count_stops(f"simulations={count},memo=true", 20) for count in (2, 50))
    assert few == many >= 3
    assert count_stops(f"simulations=400,{PRINTED}", 20) == 0  # 4,000 simulations of a value of 52.96: 3.7 deviations


def test_the_bomb_is_asked_about_as_printed() -> None:
    """The article's values: asking 90, waiting 50 (example 2)."""
    bomb = game("exploding_bomb")
    players = NestedPlayers(bomb.machine, models=10, playouts=20, seed=0, sampler="hyperplay", memo=False)
    bag = bag_after("exploding_bomb", "agent", BOMB)
    answer = simulate_moves(players, ME, bag, bomb.program.chance, 400, np.random.default_rng(0))
    values = in_words(bomb, "agent", answer)
    assert values["ask"] == 90
    assert values["wait"] == pytest.approx(50, abs=10)


def test_hypergames_inside_do_not_read_the_others() -> None:
    with pytest.raises(VeilError, match="nested_sampler=hyperplay"):
        HyperPlay2Config(nested_sampler="hyperplay", nested_opponents="hyperplay")


def test_what_is_forgotten_stays_counted_and_is_thought_anew() -> None:
    players = NestedPlayers(game(NEST).machine, models=3, playouts=5, seed=0, sampler="hyperplay")
    key = heard(players, game(NEST), "me", (QUIET,))
    players.values(ME, [key])
    states, decisions = players.states_visited, players.decisions
    players.forget()
    assert (players.states_visited, players.decisions) == (states, decisions)
    assert heard(players, game(NEST), "me", (QUIET,)) == key
    players.values(ME, [key])
    assert players.decisions == decisions + 1
