"""HyperPlay, HyperPlay-II and the Cheat as players: what they choose, what they say about it, and their clocks."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from tests.support.fake_clock import FakeClock
from tests.support.games import NOTHING, game
from tests.support.seats import JACK, QUIET, seat, told_all
from veil import clock
from veil.belief import tracker
from veil.belief.hyperplay.sampler import HyperPlayBelief
from veil.equilibrium import solve
from veil.errors import VeilError
from veil.match.config import MatchConfig
from veil.match.referee import run_match
from veil.players import contract
from veil.players.roster import make_player, read_player_files
from veil.players.search_player import SearchPlayer
from veil.search.hyperplay2 import simulations
from veil.search.hyperplay2.nested import NestedPlayers, OutOfTime
from veil.search.hyperplay2.simulations import Simulations
from veil.search.playouts import montecarlo, pimc, playout_clock, single_point
from veil.search.playouts.montecarlo import MoveTally
from veil.search.playouts.pimc import Forest
from veil.search.playouts.playout_clock import MAX_ROUNDS
from veil.search.playouts.single_point import SuccessorValues

MONTY = (("(choose 1)", NOTHING), ("noop", frozenset({"3"})))


def answer(spec: str, game_spec: str, role: str, told: tuple, seed: int = 0) -> tuple[str, dict[str, Any]]:
    player = make_player(spec)
    player.start(seat(game_spec, role, seed))
    return told_all(player, told), player.report()


def test_hyperplay_waits_and_hyperplay2_asks() -> None:
    """Section 6 of the article: 45 and 50, then 90 and 50. Tolerances are 5 standard deviations or more (1e-6)."""
    move, report = answer("hyperplay:models=2,playouts=20000", "exploding_bomb", "agent", (QUIET,))
    assert move == "wait"
    assert report["values"] == pytest.approx({"ask": 45, "wait": 50}, abs=5 * 50 / np.sqrt(20000))
    move, report = answer("hyperplay2:models=20,simulations=50", "exploding_bomb", "agent", (QUIET,))
    assert move == "ask"
    assert report["values"]["ask"] == pytest.approx(90)
    assert report["values"]["wait"] == pytest.approx(50, abs=5 * 50 / np.sqrt(100))


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize("spec", ["pimc", "hyperplay", "hyperplay2"])
def test_the_contestant_switches(spec: str) -> None:
    for seed in range(5):
        move, report = answer(spec, "monty_hall", "contestant", MONTY, seed)
        assert move == "switch"
        assert report["values"] == pytest.approx({"noop": 100 / 3, "switch": 200 / 3})


@pytest.mark.compiled("slow as Python")
def test_with_uniform_weights_the_contestant_tosses_a_coin() -> None:
    found = [answer("hyperplay:weights=uniform", "monty_hall", "contestant", MONTY, seed) for seed in range(30)]
    assert all(report["values"] == pytest.approx({"noop": 50, "switch": 50}) for _, report in found)
    assert {move for move, _ in found} == {"noop", "switch"}  # all alike: 2 in 2**30


@pytest.mark.compiled("slow as Python")
def test_who_takes_one_world_for_the_true_one_is_sure_and_often_wrong() -> None:
    """The chosen door hides the car in one of three worlds; all alike in 60 draws: less than 1e-10."""
    found = [answer("montecarlo:playouts=3", "monty_hall", "contestant", MONTY, seed) for seed in range(60)]
    assert all(sorted(report["values"].values()) == [0, 100] for _, report in found)
    assert {report["worlds"] for _, report in found} == {1}
    assert {move for move, _ in found} == {"noop", "switch"}


def test_a_report_says_what_the_decision_rests_on() -> None:
    _, report = answer("hyperplay:models=10,playouts=4", "kuhn_poker", "first", JACK)
    says = {
        "values",
        "strategy",
        "worlds",
        "exact",
        "sampler",
        "opponents",
        "playouts",
        "states_visited",
        "belief_states",
    }
    assert set(report) == says
    assert set(report["values"]) == {"bet", "pass"}
    assert (report["sampler"], report["opponents"]) == ("exact", "uniform")
    assert (report["worlds"], report["exact"]) == (2, True)  # a queen or a king
    assert report["playouts"] >= 2 * 2 * 4
    assert report["states_visited"] >= report["playouts"]


@pytest.mark.parametrize(
    "spec",
    ["montecarlo", "pimc:iterations=20", "hyperplay", "mmd", "single_point", "hyperplay2:models=2,simulations=1"],
)
def test_every_searching_player_reports_its_strategy_and_the_opponents_it_assumes(spec: str) -> None:
    assumed = "hyperplay:temperature=0.2"
    more = f"{spec}{',' if ':' in spec else ':'}opponents={assumed}"
    _, report = answer(more, "kuhn_poker", "first", JACK)
    assert set(report["strategy"]) == set(report["values"]) == {"bet", "pass"}
    assert sum(report["strategy"].values()) == pytest.approx(1.0)
    best = max(report["values"], key=report["values"].__getitem__)
    assert report["strategy"][best] == max(report["strategy"].values())
    assert report["opponents"] == assumed


def test_the_sampler_of_the_spec_answers_at_every_decision() -> None:
    """The article's algorithm, kept by name: no belief of ours takes its place, however small the infoset."""
    spec = "hyperplay:models=12,playouts=2,sampler=hyperplay,reseed=false,remedy=none,budget=5000"
    for number, name in enumerate(("kuhn_poker", "krieg_tictactoe", "hidden_connect")):
        of = game(name)
        roles = [role for role in of.roles if role != "random"]
        log = run_match(of, dict.fromkeys(roles, spec), number, MatchConfig(reports=True))
        reports = [each for entry in log.rounds for each in entry.reports.values() if "values" in each]
        assert reports
        assert {report["sampler"] for report in reports} == {"hyperplay"}
        assert log.errors == dict.fromkeys(roles, 0)


def test_the_options_of_the_sampler_reach_it() -> None:
    player = make_player("hyperplay:models=12,sampler=hyperplay,reseed=false,remedy=balance,budget=77,sampler.models=5")
    assert isinstance(player, SearchPlayer)
    player.start(seat("kuhn_poker", "first"))
    belief = player.belief.sampler
    assert isinstance(belief, HyperPlayBelief)
    assert (belief.reseed, belief.remedy, belief.budget, len(belief.visited)) == (False, "balance", 77, 5)


@pytest.mark.compiled("slow as Python")
def test_what_opponents_do_is_read_and_what_it_costs_is_counted() -> None:
    """Red has seen blue's moves of a game of hidden_connect; blue plays to win. Read, his aim is no secret."""
    of = game("hidden_connect")
    log = run_match(of, {"red": "random", "blue": "hyperplay"}, 3)
    told = [(entry.moves["red"], entry.sees["red"]) for entry in log.rounds[:-1]]
    shares = {}
    for opponents in ("uniform", "hyperplay"):
        player = make_player(f"hyperplay:models=50,playouts=2,opponents={opponents}")
        assert isinstance(player, SearchPlayer)
        player.start(seat("hidden_connect", "red"))
        player.play(None)
        for own_move, percepts in told:
            player.play(contract.Observation(own_move, frozenset(percepts)))
        bag = player.belief.worlds(None, np.random.default_rng(0))
        true_aim = of.names.moves[0].index(log.rounds[1].moves["random"])
        shares[opponents] = float(bag.weights[bag.histories[:, 1, 0] == true_aim].sum())
        assert ("opponent_states" in player.report()) == (opponents == "hyperplay")
    assert shares["uniform"] == pytest.approx(0.5)
    assert shares["hyperplay"] > 0.8


def test_a_policy_of_opponents_travels_with_the_player(tmp_path: Path) -> None:
    file = tmp_path / "kuhn.json"
    solve("kuhn_poker", "lp").policy.save(file)
    spec = f"hyperplay:models=4,playouts=2,opponents=policy:{file}"
    files = read_player_files([spec])
    assert list(files) == [str(file)]
    file.unlink()
    player = make_player(spec, files)
    player.start(seat("kuhn_poker", "first"))
    told_all(player, JACK)
    assert player.report()["opponents"] == f"policy:{file}"
    with pytest.raises(VeilError, match="No such file"):
        make_player(spec)


def test_a_forced_move_is_not_thought_about() -> None:
    player = make_player("hyperplay2")
    player.start(seat("exploding_bomb", "agent"))
    assert player.play(None) == "noop"
    assert player.report() == {"forced": "noop", "belief_states": 0}


@pytest.mark.parametrize("spec", ["hyperplay:models=10,playouts=3", "hyperplay2:models=4,nested_playouts=2"])
def test_states_visited_are_those_of_the_belief_as_well(spec: str) -> None:
    """A round in which the agent has no choice costs its belief two joint moves, one for either wire."""
    player = make_player(spec)
    assert isinstance(player, SearchPlayer)
    player.start(seat("exploding_bomb", "agent"))
    player.play(None)
    player.play(contract.Observation("noop", NOTHING))
    report = player.report()
    assert report["belief_states"] == player.belief.sampler.cost.states_visited == 2
    assert player.states_visited == report["states_visited"] + 2
    assert player.belief_states == 2
    assert player.samplers == {"exact": 1}


def test_who_answered_is_counted_by_decision() -> None:
    player = make_player("hyperplay:models=10,playouts=3,sampler=hyperplay,reseed=false")
    assert isinstance(player, SearchPlayer)
    player.start(seat("monty_hall", "contestant"))
    told_all(player, tuple(contract.Observation(*told) for told in MONTY))
    assert set(player.samplers) == {"hyperplay"}
    assert player.samplers["hyperplay"] == player.decisions


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize("spec", ["hyperplay:models=10,playouts=3", "hyperplay2:models=4,nested_playouts=2"])
def test_the_same_seed_gives_the_same_decisions_and_values(spec: str) -> None:
    reports = [answer(spec, "leduc_poker", "first", LEDUC, seed) for seed in (1, 1, 2)]
    assert reports[0] == reports[1]
    assert reports[0][1]["values"] != reports[2][1]["values"]


LEDUC = (("noop", frozenset({"(card queen hearts)"})), QUIET)


@pytest.mark.compiled("slow as Python")
def test_discount_and_pruning_of_the_spec_reach_the_search() -> None:
    _, report = answer("hyperplay2:discount=0.5", "exploding_bomb", "agent", (QUIET,))
    assert report["values"]["ask"] == pytest.approx(90 / 4)
    _, report = answer("hyperplay:discount=0.5,playouts=10000", "exploding_bomb", "agent", (QUIET,))
    assert report["values"] == pytest.approx({"ask": 45 / 4, "wait": 50 / 4}, abs=5 * 50 / 4 / np.sqrt(10000))


@pytest.mark.compiled("slow as Python")
def test_cut_on_win_spares_simulations_and_not_the_win() -> None:
    asked = (QUIET, ("ask", frozenset({"red"})))
    spec = "hyperplay2:models=4,simulations=8"
    for more, playouts in (("", {64}), (",cut_on_win=90", {32, 64}), (",cut_on_win=solved", {32, 64})):
        answers = [answer(f"{spec}{more}", "exploding_bomb", "agent", asked, seed) for seed in range(6)]
        assert {move for move, _ in answers} == {"(cut red)"}
        assert {report["playouts"] for _, report in answers} == playouts  # by the order of the moves


@pytest.mark.compiled("slow as Python")
def test_the_cheat_cuts_the_right_wire_without_asking() -> None:
    """16 bombs: by guessing, all right in 1 of 65,536."""
    granted = MatchConfig(allow_cheat=True)
    for seed in range(16):
        record = run_match(game("exploding_bomb"), {"agent": "cheat:playouts=200"}, seed, granted)
        assert record.rounds[2].moves["agent"] == record.rounds[0].moves["random"].replace("arm", "cut")
        assert record.errors == {"agent": 0}


# Clocks. The fake one stands still, except while somebody searches.


class WorkClock(FakeClock):
    """Every unit of work takes so long."""

    def __init__(self, cost: float) -> None:
        super().__init__()
        self.cost, self.units = cost, 0

    def work(self, units: int) -> None:
        self.now += self.cost * units
        self.units += units


def on_fake_clock(monkeypatch: pytest.MonkeyPatch, cost: float) -> WorkClock:
    """Every playout or simulation from all moves of a world, and every iteration in all worlds, takes so long."""
    fake = WorkClock(cost)
    pimc.warm_up()  # is no search
    simulations.warm_up()

    class SlowTally(MoveTally):
        def _add(self, pairs: np.ndarray, playouts: int, *args: Any) -> None:
            super()._add(pairs, playouts, *args)
            fake.work(len(np.unique(self.world[pairs])) * playouts)

    class SlowForest(Forest):
        def grow(self, iterations: int, max_rounds: int = MAX_ROUNDS) -> None:
            super().grow(iterations, max_rounds)
            fake.work(iterations)

    class SlowSimulations(Simulations):
        def _add(self, pairs: np.ndarray, simulations: int, *args: Any) -> None:
            super()._add(pairs, simulations, *args)
            fake.work(len(np.unique(self.world[pairs])) * simulations)

    class SlowValues(SuccessorValues):
        def add(self, worlds: np.ndarray) -> None:
            super().add(worlds)
            fake.work(len(worlds))

    for module in (clock, tracker, contract, simulations, playout_clock):
        monkeypatch.setattr(module, "perf_counter", fake)
    monkeypatch.setattr(montecarlo, "MoveTally", SlowTally)
    monkeypatch.setattr(simulations, "Simulations", SlowSimulations)
    monkeypatch.setattr(pimc, "Forest", SlowForest)
    monkeypatch.setattr(single_point, "SuccessorValues", SlowValues)
    return fake


SEARCHERS = pytest.mark.parametrize("spec", ["montecarlo", "pimc", "hyperplay", "mmd", "single_point", "hyperplay2"])


@pytest.mark.gate_cases(12)
@pytest.mark.compiled("slow as Python", only=("single_point", "hyperplay2"))
@SEARCHERS
@pytest.mark.parametrize("cost", [0.0001, 0.001, 0.005])
@pytest.mark.parametrize(("seconds", "usable"), [(0.1, 0.08), (1.0, 0.85)])
def test_a_player_searches_until_its_clock_less_a_margin(
    spec: str, cost: float, seconds: float, usable: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """15 % of the clock are left unused, and at least 0.02 s."""
    fake = on_fake_clock(monkeypatch, cost)
    player = make_player(spec)
    player.start(seat("exploding_bomb", "agent", play_seconds=seconds))
    player.play(None)
    assert fake.units == 0  # nothing to decide
    begin = fake.now
    player.play(QUIET)
    assert usable - 4 * cost <= fake.now - begin <= usable + 1e-9


@SEARCHERS
def test_a_player_that_can_do_nothing_in_time_has_an_answer_all_the_same(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_fake_clock(monkeypatch, 5.0)
    player = make_player(spec)
    player.start(seat("exploding_bomb", "agent", play_seconds=0.1))
    assert told_all(player, (QUIET,)) in ("ask", "wait")


def test_hyperplay2_falls_back_on_hyperplay_when_no_world_is_simulated_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Simulations give 90 for asking, playouts 45."""

    def too_late(self: NestedPlayers) -> None:
        raise OutOfTime

    on_fake_clock(monkeypatch, 0.001)
    monkeypatch.setattr(NestedPlayers, "check_clock", too_late)
    player = make_player("hyperplay2")
    player.start(seat("exploding_bomb", "agent", play_seconds=0.2))
    told_all(player, (QUIET,))
    assert player.report()["values"]["ask"] == pytest.approx(45, abs=5)


@pytest.mark.parametrize("spec", ["hyperplay:models=1,playouts=1", "hyperplay2:models=1,simulations=1"])
def test_without_a_clock_the_budget_decides(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = on_fake_clock(monkeypatch, 1000.0)
    player = make_player(spec)
    player.start(seat("exploding_bomb", "agent"))
    told_all(player, (QUIET,))
    assert fake.units == 1


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["hyperplay", "hyperplay2:nested_models=5,nested_playouts=2"])
def test_on_a_real_clock_most_answers_are_in_time(spec: str) -> None:
    """15 decisions of 0.1 s. Half of them may be late by any amount before this fails: the machine may be busy."""
    spent = []
    for seed in range(8):
        player = make_player(spec)
        player.start(seat("kuhn_poker", "first", seed, play_seconds=0.1))
        told_all(player, JACK[:1])
        for told in (JACK[1], None):  # None: the same decision again
            begin = perf_counter()
            player.play(told)
            spent.append(perf_counter() - begin)
    assert len(spent) >= 15
    assert median(spent) < 0.1 + 0.05
