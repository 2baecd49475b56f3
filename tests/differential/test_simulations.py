"""Simulations in kernels, against the same one round and one role at a time."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_ind

from tests.reference.simulations import simulate_as_printed, simulate_slowly
from tests.support.archetypes import nightly_but
from tests.support.games import game
from tests.support.search_games import BOMB, QUIET, bag_after
from veil.belief import ExactBelief
from veil.engine import Game, observe_history, replay_keys
from veil.search.hyperplay2.nested import NestedPlayers
from veil.search.hyperplay2.pruning_spec import Pruning
from veil.search.hyperplay2.simulations import Simulations

TWO_ROUNDS = (("noop", frozenset({"(card queen)"})), QUIET)
CASES = [
    ("krieg_tictactoe", "xplayer", ()),
    ("exploding_bomb", "agent", BOMB),
    ("kuhn_poker", "first", TWO_ROUNDS),
    ("ii_goofspiel(cards=4)", "first", ()),  # both choose at once
]
SIMULATIONS = 60  # of every pair
FALSE_ALARM = 1e-4  # for all pairs of a case together


def runs_of(spec: str, role: str, record: tuple) -> Simulations:
    of = game(spec)
    players = NestedPlayers(of.machine, models=3, playouts=3, seed=0)
    return Simulations(players, of.roles.index(role), bag_after(spec, role, record), of.program.chance, Pruning())


@pytest.mark.parametrize(("spec", "role", "record"), nightly_but(CASES[1:], CASES), ids=lambda value: str(value)[:24])
def test_goals_and_lengths_are_distributed_as_those_of_slow_simulations(spec: str, role: str, record: tuple) -> None:
    """The mean goal and length of every (world, move), by a t-test. The players are the same, with what they think."""
    runs = runs_of(spec, role, record)
    pairs = np.arange(len(runs.world))[:6]
    goals, rounds = runs._run(np.repeat(pairs, SIMULATIONS), np.random.default_rng(1))
    rng = np.random.default_rng(2)
    for pair in pairs.tolist():
        world, move = int(runs.world[pair]), int(runs.move[pair])
        slow = [simulate_slowly(runs.players, runs.role, runs.bag, world, move, rng) for _ in range(SIMULATIONS)]
        fast = np.column_stack([goals, rounds])[pair * SIMULATIONS : (pair + 1) * SIMULATIONS]
        for ours, theirs in zip(fast.T.tolist(), np.array(slow).T.tolist(), strict=True):
            if np.ptp(ours + theirs) > 0:
                assert ttest_ind(ours, theirs, equal_var=False).pvalue > FALSE_ALARM / (2 * len(pairs))


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize(("spec", "role", "record"), nightly_but(CASES[1:], CASES), ids=lambda value: str(value)[:24])
def test_simulations_as_printed_are_those_of_a_hyperplayer_per_role_and_simulation(
    spec: str, role: str, record: tuple
) -> None:
    """HyperGames inside, nothing kept: mean goal and length of (world, move) against the slow one, by a t-test."""
    machine, role_id = game(spec).machine, game(spec).roles.index(role)
    players = NestedPlayers(machine, models=3, playouts=3, seed=0, sampler="hyperplay", memo=False)
    runs = Simulations(players, role_id, bag_after(spec, role, record), game(spec).program.chance, Pruning())
    pairs, rng = np.arange(len(runs.world))[:3], np.random.default_rng(2)
    goals, rounds = runs._run(np.repeat(pairs, SIMULATIONS), np.random.default_rng(1))
    for pair in pairs.tolist():
        world, move = int(runs.world[pair]), int(runs.move[pair])
        slow = [simulate_as_printed(machine, role_id, runs.bag, world, move, (3, 3), rng) for _ in range(SIMULATIONS)]
        fast = np.column_stack([goals, rounds])[pair * SIMULATIONS : (pair + 1) * SIMULATIONS]
        for ours, theirs in zip(fast.T.tolist(), np.array(slow).T.tolist(), strict=True):
            if np.ptp(ours + theirs) > 0:
                assert ttest_ind(ours, theirs, equal_var=False).pvalue > FALSE_ALARM / (2 * len(pairs))


@pytest.mark.parametrize(("spec", "role", "record"), CASES[1:3], ids=lambda value: str(value)[:24])
def test_players_inside_reason_over_the_closure_of_what_any_role_may_believe(
    spec: str, role: str, record: tuple
) -> None:
    """Equations (23) and (24): I is the infoset of a role, sup I all that any role may believe in a history of it.

    The players inside have the states of sup I, and all of them. With another player in the game it is larger than I.
    """
    of = game(spec)
    runs = runs_of(spec, role, record)
    keys = replay_keys(of.machine, runs.bag.histories)
    closure, inside = set[bytes](), set[bytes]()
    for each in range(len(of.roles)):
        if each == of.program.chance:
            continue
        for history in runs.bag.histories:
            belief = ExactBelief(of.machine, each)
            for told in observe_history(of.machine, history, each):
                belief.observe(*told)
            closure |= end_states(of, belief.worlds(None, np.random.default_rng(0)).histories)
        for known in runs.players._beliefs[each].after(keys[:, each].tolist(), lambda: None):
            inside |= set(map(bytes, known.states))
    assert inside == closure
    own = end_states(of, runs.bag.histories)
    assert closure > own if spec == "kuhn_poker" else closure == own


def end_states(of: Game, histories: np.ndarray) -> set[bytes]:
    """The states after histories [N, T, R]."""
    states = of.machine.initial_states(len(histories))
    for row in range(histories.shape[1]):
        states = of.machine.step(states, histories[:, row].astype(np.int64)).states
    return set(map(bytes, states))


@pytest.mark.parametrize(("spec", "role", "record"), CASES, ids=lambda value: str(value)[:24])
def test_records_of_replayed_worlds_have_the_keys_of_their_histories(spec: str, role: str, record: tuple) -> None:
    runs = runs_of(spec, role, record)
    keys = replay_keys(runs.machine, runs.bag.histories)
    table, chance = runs.players.records.arrays, runs.chance
    for each in range(len(game(spec).roles)):
        assert (table.role[runs.records[:, each]] == each).all()
        if each != chance:
            assert table.key[runs.records[:, each]].tolist() == keys[:, each].tolist()
