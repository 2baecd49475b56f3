"""Under a clock every search cuts playouts that are too long for it: a game that never ends is searched in time."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from time import perf_counter

import numpy as np
import pytest

from veil.belief import Bag
from veil.engine import Game, Record, read_game
from veil.engine.lanes import START_KEY
from veil.players import make_player
from veil.players.search_player import SearchPlayer
from veil.search import SearchBudget, SearchQuestion, SearchTask
from veil.search.hyperplay2.nested import NestedPlayers, OutOfTime
from veil.search.playouts.playout_clock import FEW_ROUNDS, MAX_ROUNDS, PlayoutClock
from veil.search.walks.contract import SearchRoot
from veil.search.walks.lanes.walker import LaneWalker
from veil.search.walks.search import WalkSearch

ENDLESS = """
(role a) (legal a x) (legal a y) (init (turn 0)) (goal a 70) (<= terminal (true (turn never)))
(<= (next (turn 1)) (true (turn 0))) (<= (next (turn 0)) (true (turn 1)))
"""


@cache
def endless() -> Game:
    return read_game(ENDLESS)


class Start:
    """A belief at the start of the game."""

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        nothing = np.zeros((1, 0, 1), np.int32)
        return Bag(histories=nothing, states=endless().machine.initial_states(), weights=np.ones(1), sampler="test")


@pytest.mark.parametrize(
    "spec", ["hyperplay", "montecarlo", "mmd", "pimc", "single_point", "hyperplay2", "ismcts", "oos"]
)
def test_no_search_plays_an_endless_game_for_long(spec: str) -> None:
    """A playout of 100,000 rounds is more than all that a search does here after its deadline."""
    task, rng = SearchTask(endless(), 0, 0, 1.0), np.random.default_rng(0)
    player = make_player(spec)
    assert isinstance(player, SearchPlayer)
    searcher = player.config.searcher(task)
    question = SearchQuestion(Record("a", (), False), Start(), (0,))
    answer = searcher.search(question, SearchBudget(perf_counter()), rng)
    assert 0 < answer.states_visited < MAX_ROUNDS
    assert answer.strategy.sum() == pytest.approx(1.0)


def test_players_inside_simulations_cut_their_playouts() -> None:
    players = NestedPlayers(endless().machine, models=6, playouts=6, seed=0)
    players.deadline = perf_counter() + 0.05
    with suppress(OutOfTime):
        players.values(0, [int(START_KEY)])
    assert players.playout_states < 20 * MAX_ROUNDS  # 72 playouts without a limit have 72 times as many rounds


def test_rounds_are_few_until_a_state_has_a_price_and_as_many_as_there_is_time_for_then() -> None:
    clock = PlayoutClock()
    assert clock.rounds(None, 10) == MAX_ROUNDS
    assert clock.rounds(perf_counter() + 1000.0, 10) == FEW_ROUNDS
    clock.learn(1000, 1.0)
    assert 2400 < clock.rounds(perf_counter() + 100.0, 10) <= 2500  # a quarter of the time, ten playouts, 1 ms a state
    assert clock.rounds(perf_counter() - 1.0, 10) == FEW_ROUNDS
    assert clock.rounds(perf_counter() + 1e9, 10) == MAX_ROUNDS


def test_portions_are_as_large_as_there_is_time_for() -> None:
    clock = PlayoutClock()
    assert clock.portion(None, 4096, 0.1) == 4096
    clock.learn(1000, 1.0)
    assert clock.portion(perf_counter() + 64.5, 4096, 0.1) == 100
    assert clock.portion(perf_counter() - 1.0, 4096, 0.1) == 1


def test_walks_make_batches_that_fit_into_the_time_that_is_left() -> None:
    """In a game of 100,000 moves a batch takes half a second: it must not begin when less is left."""
    player, rng = make_player("ismcts"), np.random.default_rng(0)
    assert isinstance(player, SearchPlayer)
    searcher = player.config.searcher(SearchTask(endless(), 0, 0, 1.0))
    assert isinstance(searcher, WalkSearch)
    walker = searcher.walker
    assert isinstance(walker, LaneWalker)
    walker.set_root(SearchRoot(0, int(START_KEY), 0, Start(), perf_counter() + 100.0), rng)
    walker.seconds_per_walk = 10.0
    walker.run(3, rng)
    assert walker.walks == 3  # there is time for five: half of what is left
    walker.seconds_per_walk = 1000.0
    walker.run(64, rng)
    assert walker.walks == 3
    walker.set_root(SearchRoot(0, int(START_KEY), 0, Start(), perf_counter()), rng)
    walker.run(64, rng)
    assert walker.walks == 4  # something is known at every root
