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
from veil.engine import root_keys
from veil.search.hyperplay2.nested import NestedPlayers
from veil.search.hyperplay2.pruning_spec import Pruning
from veil.search.hyperplay2.simulations import MAX_ROUNDS, Simulations, simulate_moves
from veil.search.playouts.montecarlo import MoveTally
from veil.search.playouts.style import PlayoutStyle


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


def test_a_teller_who_may_tell_once_tells() -> None:
    """Section 4.1 of the ITS paper: HyperPlay fails at the original cutting wire game, HyperPlay-II solves it."""
    many = 4000
    values = hyperplay2("cutting_wire", "teller", TELLER, many)
    assert values["tell"] == pytest.approx(90, abs=1e-9)
    assert values["wait"] == pytest.approx(50, abs=5 * 50 / np.sqrt(many))
    tally = MoveTally(game("cutting_wire").machine, 1, bag_after("cutting_wire", "teller", TELLER))
    tally.add(many, (0,))
    plain = in_words(game("cutting_wire"), "teller", tally.answer())
    assert plain == pytest.approx({"tell": 45, "wait": 50}, abs=5 * 50 / np.sqrt(many))


@pytest.mark.compiled("slow as Python")
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


def test_a_banker_puts_forty_to_sixty() -> None:
    """Section 4.4 of the ITS paper. The nested thief robs the bank with more, as both are alike to it: all that lies in
    the faulty bank is the banker's as long as it is less than half, so the best move is 40-60, for 40. Halves are
    robbed in one case of two, for 25; what the thief robs for certain is worth nothing."""
    record = (("noop", frozenset({"(faulty 1)"})),)
    values = hyperplay2("banker_and_thief(banks=2, notes=10)", "banker", record, 400, playouts=400)
    assert max(values, key=lambda move: values[move]) == "(split 4 6)"
    assert values["(split 4 6)"] == pytest.approx(40, abs=1e-9)
    assert values["(split 5 5)"] == pytest.approx(25, abs=5 * 25 / np.sqrt(400))
    assert values["(split 6 4)"] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("colour", ["red", "blue"])
def test_a_spy_sees_no_difference_between_signals(colour: str) -> None:
    """Section 6.5: coordination without communication. To the nested second spy both wires are alike."""
    many = 1000
    values = hyperplay2("cooperative_spies", "spy1", (("noop", frozenset({f"(armed {colour})"})),), many)
    assert len(values) == 2
    assert list(values.values()) == pytest.approx([50, 50], abs=5 * 50 / np.sqrt(many))


def test_a_keeper_has_a_pure_strategy_where_equilibrium_is_mixed() -> None:
    """Section 4.3 of the ITS paper, where the keeper jumps right with 0.6. HyperPlay and HyperPlay-II answer one move.

    To HyperPlay a shot to either side has 1/2: right saves 30, left 20. To HyperPlay-II the nested kicker reasons like
    that and shoots right: right saves 60, left nothing.
    """
    of, record = game("biased_penalty_kick"), ()
    runs = runs_of(of.name, "keeper", record)
    runs.add(4000, np.random.default_rng(0))
    tally = MoveTally(of.machine, of.roles.index("keeper"), bag_after(of.name, "keeper", record))
    tally.add(4000, (0,))
    for answer, expected in ((tally.answer(), {"left": 20, "right": 30}), (runs.answer(), {"left": 0, "right": 60})):
        assert in_words(of, "keeper", answer) == pytest.approx(expected, abs=5 * 30 / np.sqrt(4000))
        assert sorted(answer.strategy.tolist()) == [0.0, 1.0]
        assert answer.best().tolist() == [answer.moves[answer.values.argmax()]]


def test_every_role_has_the_record_it_would_have_in_each_world() -> None:
    """The teller has told; the cutter cannot know in round 2 which wire it is, and knows in round 3."""
    wire = game("extended_cutting_wire")
    cutter = wire.roles.index("cutter")
    before = runs_of("extended_cutting_wire", "cutter", (("noop", NOTHING),))
    keys = before.players.records.arrays.key[before.records]
    assert len(before.bag) == 2
    assert len(set(keys[:, cutter].tolist())) == 1
    assert set(keys[:, cutter].tolist()) == {int(key_of(wire, "cutter", (("noop", NOTHING),)))}
    tellers = {int(key_of(wire, "teller", (("noop", frozenset({colour})),))) for colour in ("red", "blue")}
    assert set(keys[:, wire.roles.index("teller")].tolist()) == tellers


def test_a_goal_that_is_reached_later_counts_less_with_a_discount() -> None:
    half = Pruning(discount=0.5)
    assert hyperplay2(SOONER_OR_LATER, "ann") == {"now": 100, "later": 100}
    assert hyperplay2(SOONER_OR_LATER, "ann", pruning=half) == pytest.approx({"now": 50, "later": 25})
    assert hyperplay2("exploding_bomb", "agent", BOMB, pruning=half)["ask"] == pytest.approx(90 / 4)


def test_what_is_taken_first_with_a_discount_is_the_nested_players_choice_as_well() -> None:
    """A nested player without a discount sees no difference between now and later; with one it takes now."""
    machine = game(SOONER_OR_LATER).machine
    key = int(root_keys(machine, 1)[0, 0])
    best = []
    for discount in (1.0, 0.9):
        (values,) = NestedPlayers(machine, models=1, playouts=2, seed=0, style=PlayoutStyle(discount)).values(0, [key])
        assert values is not None
        best.append(len(values.best()))
    assert best == [2, 1]


def test_no_move_is_simulated_after_one_that_has_reached_the_best_score() -> None:
    """Who has asked wins 90 with one of two wires: found first or second, by the order that the seed gives."""
    playouts = set()
    for seed in range(8):
        runs = runs_of("exploding_bomb", "agent", ASKED, Pruning(cut_at=90))
        runs.add(3, np.random.default_rng(seed))
        playouts.add(runs.playouts)
        values = in_words(game("exploding_bomb"), "agent", runs.answer())
        assert values["(cut red)"] == 90
        assert len(values) == runs.playouts / 3
        runs.add(10, np.random.default_rng(seed))
        assert len(values) == runs.playouts / 3  # nothing more
    assert playouts == {3, 6}


def test_the_best_score_is_a_mean_over_all_worlds() -> None:
    """After waiting either wire wins in one of two worlds: 50 on average, however often 100 is reached."""
    for cut_at, playouts in ((51, 2 * 2 * 2), (50, 2 * 2)):
        runs = runs_of("exploding_bomb", "agent", WAITED, Pruning(cut_at=cut_at))
        runs.add(2, np.random.default_rng(0))
        assert runs.playouts == playouts


@pytest.mark.parametrize("discount", [1.0, 0.5])
def test_a_win_is_a_win_however_late(discount: float) -> None:
    runs = runs_of(SOONER_OR_LATER, "ann", pruning=Pruning(cut_at=100, discount=discount))
    runs.add(2, np.random.default_rng(0))
    assert runs.playouts == 2
    (value,) = in_words(game(SOONER_OR_LATER), "ann", runs.answer()).values()
    assert value in (100 * discount, 100 * discount**2)


def test_a_simulation_that_lasts_longer_than_the_shortest_win_counts_as_lost() -> None:
    """If `now` comes first, `later` is cut after its first round; in the other order nothing is."""
    outcomes = set()
    for seed in range(8):
        runs = runs_of(SOONER_OR_LATER, "ann", pruning=Pruning(win_at=100))
        runs.add(3, np.random.default_rng(seed))
        values = in_words(game(SOONER_OR_LATER), "ann", runs.answer())
        outcomes.add((values["now"], values["later"], runs.pruned, runs.states_visited))
    assert outcomes == {(100, 0, 3, 3 + 3), (100, 100, 0, 3 + 2 * 3)}


def test_the_shortest_win_is_that_of_the_same_world() -> None:
    runs = runs_of(SOONER_OR_LATER, "ann", pruning=Pruning(win_at=100))
    runs.add(1, np.random.default_rng(0))
    assert runs.shortest.tolist() == [1]
    assert runs_of("monty_hall", "contestant", MONTY).shortest.tolist() == [MAX_ROUNDS] * 2  # nothing has been won yet


@pytest.mark.parametrize(
    ("spec", "role", "record"),
    [
        ("exploding_bomb", "agent", BOMB),
        ("monty_hall", "contestant", MONTY),
        ("extended_cutting_wire", "teller", TELLER),
        ("banker_and_thief(banks=2, notes=4)", "banker", (("noop", frozenset({"(faulty 1)"})),)),
    ],
)
def test_pruning_on_depth_does_nothing_where_all_games_have_the_same_length(
    spec: str, role: str, record: tuple
) -> None:
    """The other run simulates one move after the other as well, and never cuts: no mean is that high."""
    pruned, whole = (runs_of(spec, role, record, each) for each in (Pruning(win_at=1), Pruning(cut_at=10_000)))
    for runs in (pruned, whole):
        runs.add(5, np.random.default_rng(3))
    assert (pruned.shortest < MAX_ROUNDS).any()  # there were wins
    assert pruned.pruned == 0
    assert pruned.sums.tolist() == whole.sums.tolist()
    assert pruned.answer().states_visited == whole.answer().states_visited


@pytest.mark.parametrize(
    "options",
    [{"discount": 0.0}, {"discount": 1.1}, {"discount": float("nan")}, {"win_at": 0}, {"cut_at": -3}],
)
def test_senseless_pruning_is_refused(options: dict[str, Any]) -> None:
    name = next(iter(options))
    assert name in refused("bad-limit", lambda: Pruning(**options))


@pytest.mark.compiled("slow as Python")
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
    replayed, rounds = 2, 2  # one round in each of two worlds; two rounds to the end
    assert values.states_visited == replayed + rounds * values.playouts + players.states_visited
