"""`resolve` finds what is known to be right, in trees smaller than the game where that is possible."""

from __future__ import annotations

from itertools import count
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from tests.support.games import NOTHING, game
from tests.support.search_games import BOMB, MONTY, TELLER, bag_after
from veil import clock
from veil.belief.bag import Bag
from veil.caches import BoundedCache
from veil.engine import root_keys
from veil.engine.record import Record, parse_record
from veil.equilibrium import Worlds
from veil.equilibrium.response import evaluate_profile
from veil.players.advice import ask_advice
from veil.players.contract import Seat
from veil.search.contract import Answer, SearchBudget, SearchQuestion, SearchTask
from veil.search.resolve import subgame
from veil.search.resolve.config import ResolveConfig
from veil.search.resolve.search import ResolveSearch, make_rule, run_subgame, solve_start
from veil.search.resolve.world_orders import split_keys


class Given:
    """A belief that is given."""

    def __init__(self, spec: str, role: str, record: tuple) -> None:
        self.bag = bag_after(spec, role, record)

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        return self.bag


def ask(spec: str, role: str, record: tuple = (), seconds: float | None = None, **options: Any) -> dict[str, tuple]:
    """move -> (probability, value in goals)."""
    of = game(spec)
    searcher = ResolveSearch(SearchTask(of, of.roles.index(role), 1, seconds), ResolveConfig(**options))
    deadline = None if seconds is None else perf_counter() + seconds
    question = SearchQuestion(Record(role, record), Given(spec, role, record), (0,))
    return in_words(spec, role, searcher.search(question, SearchBudget(deadline), np.random.default_rng(0)))


def in_words(spec: str, role: str, answer: Answer) -> dict[str, tuple]:
    names = game(spec).names.moves[game(spec).roles.index(role)]
    rows = zip(answer.moves.tolist(), answer.strategy.tolist(), answer.values.tolist(), strict=True)
    return {names[move]: (chance, value) for move, chance, value in rows}


def test_the_contestant_of_monty_hall_switches() -> None:
    """With 8 nodes of 43. The car is behind the other door with 2/3 (vos Savant 1990)."""
    found = ask("monty_hall", "contestant", MONTY, nodes=8)
    assert found["switch"] == pytest.approx((1.0, 200 / 3), abs=0.01)
    assert found["noop"] == pytest.approx((0.0, 100 / 3), abs=0.01)


def test_the_agent_of_exploding_bomb_asks() -> None:
    """With 14 nodes of 15. Asking costs 10 of 100 points, and then the wire is known."""
    found = ask("exploding_bomb", "agent", BOMB, nodes=14)
    assert found["ask"] == pytest.approx((1.0, 90.0), abs=0.01)


def test_the_teller_of_extended_cutting_wire_waits() -> None:
    """With 28 nodes of 31. Who waits after one colour and tells later after the other gets 100 and 90: 95."""
    found = ask("extended_cutting_wire", "teller", TELLER, nodes=28)
    assert found["wait"][0] > 0.99
    assert found["wait"][1] >= 90.0


def test_spies_agree_on_a_signal() -> None:
    """With 12 nodes of 15, and each spy searching alone: the second cuts what the first has signalled."""
    for colour in ("red", "blue"):
        armed = (("noop", frozenset({f"(armed {colour})"})),)
        signal = max(ask("cooperative_spies", "spy1", armed, nodes=12).items(), key=lambda entry: entry[1][0])
        assert signal[1][0] > 0.99
        seen: tuple = (("noop", NOTHING), ("noop", frozenset({signal[0].replace("signal", "signalled")})))
        cut = ask("cooperative_spies", "spy2", seen, nodes=12)
        assert cut[f"(cut {colour})"][0] > 0.99


@pytest.mark.parametrize(("leaf", "left"), [(1, 1 / 3), (2, 1 / 6)])
def test_min_of_non_locality_depends_on_a_leaf_out_of_reach(leaf: int, left: float) -> None:
    """Lisy, Lanctot & Bowling (2015), section 2.2. The game has 11 nodes, and no smaller tree knows the leaf."""
    found = ask(f"non_locality(leaf={leaf})", "min", (("noop", frozenset()),), nodes=12)
    assert found["left"][0] == pytest.approx(left, abs=0.05)


def test_one_round_games_are_mixed_as_in_equilibrium() -> None:
    pennies = ask("matching_pennies", "even", nodes=8)
    assert pennies["heads"][0] == pytest.approx(0.5, abs=0.02)
    kick = ask("biased_penalty_kick", "kicker", nodes=8)
    assert kick["left"][0] == pytest.approx(0.6, abs=0.02)  # Chitizadeh & Thielscher (2018), section 4.3
    assert ask("biased_penalty_kick", "keeper", nodes=8)["left"][0] == pytest.approx(0.4, abs=0.02)


def test_an_answer_does_not_depend_on_which_decisions_were_asked_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a clock it depends on the record alone: a match and a single question play the same."""
    first = "noop: (card king hearts); noop"
    second = f"{first}; call; noop: (played second raise)"
    third = f"{second}; call; noop: (table queen hearts)"
    answers = []
    for texts in ([first, second, third], [third]):
        monkeypatch.setattr("veil.search.resolve.search._searches", BoundedCache(64))
        of = game("leduc_poker")
        searcher = ResolveSearch(SearchTask(of, of.roles.index("first"), 1), ResolveConfig(nodes=500, iterations=50))
        for text in texts:
            rounds = parse_record("first", text).rounds
            question = SearchQuestion(Record("first", rounds), Given("leduc_poker", "first", rounds), (0,))
            answer = searcher.search(question, SearchBudget(), np.random.default_rng(0))
        answers.append(in_words("leduc_poker", "first", answer))
    assert answers[0] == answers[1]


def test_a_clock_ends_the_search() -> None:
    deal = parse_record("first", "noop: (card king); noop").rounds
    found = ask("kuhn_poker", "first", deal, seconds=0.2, nodes=1_000_000)
    assert sum(chance for chance, _ in found.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(("seconds", "stages", "nodes"), [(0.015, 1, 50), (0.1, 5, 2000)])
def test_a_tree_grows_again_and_again_under_a_clock(
    seconds: float, stages: int, nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every look at this clock takes a millisecond, also while one leaf is valued: its pace says nothing."""
    ticks = count()
    for module in (subgame, clock):
        monkeypatch.setattr(module, "perf_counter", lambda: 1e-3 * next(ticks))
    of = game("krieg_tictactoe")
    start = Worlds(of.machine.initial_states(), split_keys(of.machine, root_keys(of.machine, 1)), np.ones(1))
    tree = subgame.Subgame(of, start, make_rule(ResolveConfig(playouts=1), (0,)))
    deadline = 1e-3 * next(ticks) + seconds
    run_subgame(tree, ResolveConfig(), np.zeros(1, np.int64), deadline)
    assert tree.stages >= stages
    assert tree.growing.num_nodes > nodes
    assert 1e-3 * next(ticks) < deadline + 0.01


def test_leaves_that_are_reached_most_get_more_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """16 playouts of worth 0 and 64 of worth 1 have the mean 0.8."""
    of = game("krieg_tictactoe")
    start = Worlds(of.machine.initial_states(), split_keys(of.machine, root_keys(of.machine, 1)), np.ones(1))
    tree = subgame.Subgame(of, start, make_rule(ResolveConfig(playouts=16), (0,)))
    tree.grow_first(np.zeros(1, np.int64), 2000)
    tree.leaf_utility[:] = 0.0
    monkeypatch.setattr(tree, "_play", lambda states, playouts, stream: np.full((len(states), 2), playouts / 64))
    tree.refine()
    refined = tree.leaf_playouts == 80
    assert 64 <= refined.sum() < len(refined)
    assert tree.leaf_utility[refined] == pytest.approx(0.8)
    assert not tree.leaf_utility[~refined].any()
    assert (tree.leaf_playouts[~refined] == 16).all()


def test_a_game_that_fits_is_solved_from_its_start() -> None:
    start = solve_start(game("kuhn_poker"), ResolveConfig(nodes=100))
    assert start.is_complete
    assert evaluate_profile(start.solver.form, start.solver.average()).value[0] == pytest.approx(-1 / 18, abs=1e-3)


def test_a_player_tells_the_size_of_its_tree() -> None:
    seat = Seat(game=game("kuhn_poker"), role="first", seed=1)
    record = parse_record("first", "noop: (card king); noop")
    advice = ask_advice("resolve:nodes=30", seat, record)
    assert advice.report["nodes"] <= 30
    assert sum(advice.report["strategy"].values()) == pytest.approx(1.0)
