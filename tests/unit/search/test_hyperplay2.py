"""HyperPlay-II's values: against the two papers, by hand, and with everything that may be pruned.

Statistical tests use fixed seeds. A mean of n goals between 0 and 100 has a standard deviation of at most
50 / sqrt(n); where a tolerance is five times that, the false-alarm rate is below 1e-6 per comparison.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.belief_games import key_of
from tests.support.games import NOTHING, game
from tests.support.refusals import refused
from tests.support.search_games import ASKED, BOMB, MONTY, SOONER_OR_LATER, TELLER, WAITED, bag_after, in_words
from veil.search.hyperplay2 import Pruning, Simulations, simulate_moves
from veil.search.nested import NestedPlayers


def runs_of(
    spec: str, role: str, record: tuple = (), pruning: Pruning | None = None, playouts: int = 20, seed: int = 0
) -> Simulations:
    machine = game(spec).machine
    players = NestedPlayers(machine, models=20, playouts=playouts, seed=seed)
    at = game(spec).roles.index(role)
    return Simulations(players, at, bag_after(spec, role, record), machine.program.chance, pruning or Pruning())


def hyperplay2(spec: str, role: str, record: tuple = (), simulations: int = 4, seed: int = 0, **options: Any):
    runs = runs_of(spec, role, record, seed=seed, **options)
    runs.add(simulations, np.random.default_rng(seed))
    return in_words(game(spec), role, runs.answer())


def test_asking_is_worth_90_and_waiting_50() -> None:
    """Section 6.4, example 2 continued. Who has asked cuts the right wire: 90 without any randomness."""
    many = 5000  # in each of two worlds
    values = hyperplay2("exploding_bomb", "agent", BOMB, many)
    assert values["ask"] == pytest.approx(90, abs=1e-9)
    assert values["wait"] == pytest.approx(50, abs=5 * 50 / np.sqrt(2 * many))


def test_few_simulations_are_enough_to_ask() -> None:
    """With 8 guesses, waiting looks better than asking only if none is wrong: 1 in 256; the seed is not one of them."""
    values = hyperplay2("exploding_bomb", "agent", BOMB)
    assert values["ask"] > values["wait"]


def test_switching_wins_two_times_in_three() -> None:
    assert hyperplay2("monty_hall", "contestant", MONTY) == pytest.approx({"noop": 100 / 3, "switch": 200 / 3})


def test_a_teller_tells_too_early() -> None:
    """Section 4.1 of the ITS paper. The nested teller, who sees no use in telling, waits after either move:

    telling at once is worth 80, waiting leads to a cutter who guesses, 50. That waiting and then telling is worth 90 is
    never seen. The nested teller compares 50 and 45 by 20,000 playouts each, ten standard deviations apart.
    """
    many = 4000
    values = hyperplay2("extended_cutting_wire", "teller", TELLER, many, playouts=1000)
    assert values["tell"] == pytest.approx(80, abs=1e-9)
    assert values["wait"] == pytest.approx(50, abs=5 * 50 / np.sqrt(many))


def test_a_teller_who_has_waited_tells() -> None:
    waited = (*TELLER, ("wait", NOTHING))
    values = hyperplay2("extended_cutting_wire", "teller", waited, 4000)
    assert values == pytest.approx({"tell": 90, "wait": 50}, abs=5 * 50 / np.sqrt(4000))


def test_every_role_has_the_record_it_would_have_in_each_world() -> None:
    """The teller has told; the cutter cannot know in round 2 which wire it is, and knows in round 3."""
    wire = game("extended_cutting_wire")
    cutter = wire.roles.index("cutter")
    before = runs_of("extended_cutting_wire", "cutter", (("noop", NOTHING),))
    assert len(before.bag) == 2
    assert len(set(before.keys[:, cutter].tolist())) == 1
    assert set(before.keys[:, cutter].tolist()) == {int(key_of(wire, "cutter", (("noop", NOTHING),)))}
    tellers = {int(key_of(wire, "teller", (("noop", frozenset({colour})),))) for colour in ("red", "blue")}
    assert set(before.keys[:, wire.roles.index("teller")].tolist()) == tellers


def test_a_goal_that_is_reached_later_counts_less_with_a_discount() -> None:
    half = Pruning(discount=0.5)
    assert hyperplay2(SOONER_OR_LATER, "ann") == {"now": 100, "later": 100}
    assert hyperplay2(SOONER_OR_LATER, "ann", pruning=half) == pytest.approx({"now": 50, "later": 25})
    assert hyperplay2("exploding_bomb", "agent", BOMB, pruning=half)["ask"] == pytest.approx(90 / 4)


def test_a_move_that_has_always_won_ends_the_search() -> None:
    pruned = runs_of("exploding_bomb", "agent", ASKED, Pruning(cut_on_win=90))
    whole = runs_of("exploding_bomb", "agent", ASKED)
    rng = np.random.default_rng(0)
    for runs in (pruned, whole):
        runs.add(3, rng)
        assert runs.playouts == 3 * 2  # one world, two wires
        runs.add(10, rng)
    assert (pruned.playouts, whole.playouts) == (6, 6 + 20)
    assert in_words(game("exploding_bomb"), "agent", pruned.answer()) == {"(cut red)": 90, "(cut blue)": 0}
    best = [runs.answer().draw(np.random.default_rng(0)) for runs in (pruned, whole)]
    assert best[0] == best[1]


def test_one_loss_in_one_world_keeps_the_search_going() -> None:
    """After waiting either wire wins in one of two worlds."""
    runs = runs_of("exploding_bomb", "agent", WAITED, Pruning(cut_on_win=100))
    rng = np.random.default_rng(0)
    runs.add(2, rng)
    runs.add(2, rng)
    assert runs.playouts == 2 * 2 * (2 + 2)


@pytest.mark.parametrize("discount", [1.0, 0.5])
def test_a_win_is_a_win_however_late(discount: float) -> None:
    runs = runs_of(SOONER_OR_LATER, "ann", pruning=Pruning(cut_on_win=100, discount=discount))
    rng = np.random.default_rng(0)
    runs.add(2, rng)
    runs.add(5, rng)
    assert runs.playouts == 4
    assert in_words(game(SOONER_OR_LATER), "ann", runs.answer()) == {"now": 100 * discount, "later": 100 * discount**2}


def test_simulations_that_reach_the_depth_end_and_count_as_lost() -> None:
    runs = runs_of("exploding_bomb", "agent", BOMB, Pruning(prune_on_depth=1))
    runs.add(5, np.random.default_rng(0))
    assert runs.states_visited == runs.playouts == 5 * 2 * 2  # one round each
    assert in_words(game("exploding_bomb"), "agent", runs.answer()) == {"ask": 0, "wait": 0}
    assert hyperplay2(SOONER_OR_LATER, "ann", pruning=Pruning(prune_on_depth=1)) == {"now": 100, "later": 0}


def test_a_depth_beyond_the_end_changes_nothing() -> None:
    whole = hyperplay2("exploding_bomb", "agent", BOMB)
    assert hyperplay2("exploding_bomb", "agent", BOMB, pruning=Pruning(prune_on_depth=2)) == whole
    assert hyperplay2("exploding_bomb", "agent", BOMB, pruning=Pruning(prune_on_depth=50)) == whole


@pytest.mark.parametrize(
    "options",
    [{"discount": 0.0}, {"discount": 1.1}, {"discount": float("nan")}, {"prune_on_depth": 0}, {"cut_on_win": -3}],
)
def test_senseless_pruning_is_refused(options: dict[str, Any]) -> None:
    name = next(iter(options))
    assert name in refused("bad-limit", lambda: Pruning(**options))


def test_the_same_seed_gives_the_same_values_and_another_seed_others() -> None:
    dealt = (("noop", frozenset({"(card queen hearts)"})), ("noop", NOTHING))
    first, again, other = (hyperplay2("leduc_poker", "first", dealt, 3, seed) for seed in (1, 1, 2))
    assert len(first) == 2
    assert first == again
    assert first != other


def test_what_the_nested_players_cost_is_counted() -> None:
    machine = game("exploding_bomb").machine
    players = NestedPlayers(machine, models=5, playouts=7, seed=0)
    bag = bag_after("exploding_bomb", "agent", BOMB)
    values = simulate_moves(players, 1, bag, machine.program.chance, 3, np.random.default_rng(0))
    assert values.playouts == 3 * 2 * 2
    assert players.states_visited > 0
    assert values.states_visited == 2 * values.playouts + players.states_visited  # two rounds to the end
