"""A round of simulations: who has to think, what is chosen, which games go on."""

from __future__ import annotations

import numpy as np
from scipy.stats import binomtest

from tests.support.games import game
from tests.support.search_games import ASKED, BOMB, SOONER_OR_LATER, WAITED, bag_after, heard
from veil.engine import Machine
from veil.engine.lanes import RowLayout
from veil.search.hyperplay2.nested import NestedPlayers
from veil.search.hyperplay2.pruning_spec import Pruning
from veil.search.hyperplay2.records import SimulatedGames
from veil.search.hyperplay2.simulation_kernels import draw_choice, list_undecided, open_round
from veil.search.hyperplay2.simulations import Simulations

AGENT = 1  # of exploding_bomb


def cutting_games(count: int) -> tuple[NestedPlayers, RowLayout, SimulatedGames, int]:
    """(players, layout, games, those in which the agent knows the wire): it has asked in half, and is to cut."""
    bomb, bag = game("exploding_bomb"), bag_after("exploding_bomb", "agent", ASKED)
    players = NestedPlayers(bomb.machine, models=20, playouts=20, seed=3)
    known, unknown = (heard(players, bomb, "agent", record) for record in (ASKED, WAITED))
    runs = Simulations(players, AGENT, bag, bomb.program.chance, Pruning())
    games = runs._begin(np.zeros(count, np.int64), np.random.default_rng(5))
    numbers = players.records.find(AGENT, np.array([known, unknown], np.uint64))
    games.record[:, AGENT] = np.repeat(numbers, count // 2)
    assert open_round(bomb.machine.code, runs._layout, AGENT, games, 0) == 0
    return players, runs._layout, games, count // 2


def test_equal_records_choose_alike_and_draws_are_among_the_best() -> None:
    """After waiting both wires are equally good: a coin decides. False-alarm rate 1e-6."""
    bomb = game("exploding_bomb")
    players, layout, games, half = cutting_games(2000)
    undecided = list_undecided(players.records.arrays, layout, games, AGENT)
    assert undecided.tolist() == games.record[[0, half], AGENT].tolist()  # each once
    players.think(AGENT, undecided)
    assert len(list_undecided(players.records.arrays, layout, games, AGENT)) == 0
    table, values = players.records.arrays, players.valued.pool
    names = [bomb.rules.show(move) for move in bomb.program.moves[AGENT]]
    chosen = [names[draw_choice(table, values, layout, games, row, AGENT)] for row in range(2 * half)]
    assert set(chosen[:half]) == {"(cut red)"}
    assert set(chosen[half:]) == {"(cut red)", "(cut blue)"}
    assert binomtest(chosen[half:].count("(cut red)"), half).pvalue > 1e-6


def test_who_cannot_explain_its_record_chooses_any_legal_move() -> None:
    """False-alarm rate 1e-6."""
    players, layout, games, _ = cutting_games(1000)
    table = players.records.arrays
    table.num_values[games.record[:, AGENT]] = 0
    chosen = [draw_choice(table, players.valued.pool, layout, games, row, AGENT) for row in range(1000)]
    assert len(set(chosen)) == 2
    assert binomtest(chosen.count(chosen[0]), 1000).pvalue > 1e-6


def test_where_there_is_no_choice_nobody_thinks() -> None:
    """After the first round of exploding_bomb `random` has armed the bomb; before it, the agent can only wait."""
    bomb, bag = game("exploding_bomb"), bag_after("exploding_bomb", "agent")
    players = NestedPlayers(bomb.machine, models=2, playouts=2, seed=3)
    runs = Simulations(players, AGENT, bag, bomb.program.chance, Pruning())
    games = runs._begin(np.zeros(3, np.int64), np.random.default_rng(0))
    open_round(bomb.machine.code, runs._layout, AGENT, games, 0)
    assert len(list_undecided(players.records.arrays, runs._layout, games, AGENT)) == 0
    runs.add(1, np.random.default_rng(0))
    assert players.decisions > 0  # later there is one


def test_games_that_are_over_or_cut_end_and_the_others_keep_their_numbers() -> None:
    machine = game(SOONER_OR_LATER).machine
    players = NestedPlayers(machine, models=2, playouts=2, seed=3)
    runs = Simulations(players, 0, bag_after(SOONER_OR_LATER, "ann"), None, Pruning())
    games = runs._begin(np.zeros(4, np.int64), np.random.default_rng(0))
    start = machine.initial_states()
    over = machine.step(start, np.array([[int(np.flatnonzero(_is_now(machine))[0])]])).states
    games.state[:] = np.concatenate([start, over, start, start])
    games.last[:] = [9, 9, 3, 9]
    assert open_round(machine.code, runs._layout, 0, games, 3) == 1  # the third is cut
    assert games.alive[0] == 2
    assert games.number[:2].tolist() == [0, 3]
    assert (games.state[:2] == start).all()
    assert games.goals.tolist() == [0, 100, 0, 0]
    assert games.rounds.tolist() == [3] * 4


def _is_now(machine: Machine) -> list[bool]:
    """Which moves of ann win at once."""
    return [game(SOONER_OR_LATER).rules.show(move) == "now" for move in machine.program.moves[0]]


def test_the_agent_thinks_once_about_worlds_that_it_cannot_tell_apart() -> None:
    bomb, bag = game("exploding_bomb"), bag_after("exploding_bomb", "agent", BOMB)
    players = NestedPlayers(bomb.machine, models=2, playouts=2, seed=3)
    runs = Simulations(players, AGENT, bag, bomb.program.chance, Pruning())
    runs.add(50, np.random.default_rng(0))
    assert len(bag) == 2
    assert players.decisions == 3  # after waiting, and after asking in either world
