"""Infosets of many records of a role, generated together: against the oracle, and where they grow too large."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.reference import beliefs
from tests.support.belief_games import fluents, infoset, key_of, last_state, played
from tests.support.games import game, remembering_naive
from tests.support.opponent_games import tell_record
from veil.belief import Bag
from veil.search import opponent_beliefs
from veil.search.opponent_beliefs import OpponentBeliefs, RecordWorlds, thin
from veil.search.record_book import RecordBook, RecordedOpponents

GAMES = {"krieg_tictactoe": "oplayer", "kuhn_poker": "first", "leduc_poker": "second", "monty_hall": "contestant"}


def records_of(spec: str, role: str, games: int) -> list[beliefs.Record]:
    """What the role was told before each of its rounds, in some random games."""
    slow, found = remembering_naive(spec), set()
    for seed in range(games):
        history = played(spec, seed)
        found |= {beliefs.record_of(slow, history[:rounds], role) for rounds in range(min(len(history), 5))}
    return sorted(found, key=lambda record: (len(record), str(record)))


def beliefs_of(spec: str, role: str, records: list[beliefs.Record], models: int) -> tuple[OpponentBeliefs, list[int]]:
    """Beliefs that have been told of these records, and the keys of the records."""
    of = game(spec)
    listener: Any = RecordedOpponents(of.machine, 0.5)
    for record in records:
        tell_record(listener, of, role, record)
    keys = [int(key_of(of, role, record)) for record in records]
    return OpponentBeliefs(of.machine, listener.book, models=models, seed=1), keys


def shares_of(spec: str, worlds: RecordWorlds) -> dict[frozenset[str], float]:
    """state -> probability; histories that lead to one state count together."""
    nothing = np.zeros((len(worlds.states), 0, 0), np.int32)
    states = fluents(game(spec), Bag(histories=nothing, states=worlds.states, weights=worlds.weights, sampler=""))
    shares: dict[frozenset[str], float] = {}
    for state, weight in zip(states, worlds.weights.tolist(), strict=True):
        shares[state] = shares.get(state, 0.0) + weight
    return shares


def expected_shares(spec: str, role: str, record: beliefs.Record) -> dict[frozenset[str], float]:
    """The same by the oracle."""
    shares: dict[frozenset[str], float] = {}
    for history, chance in infoset(spec, role, record).items():
        state = last_state(spec, history)
        shares[state] = shares.get(state, 0.0) + float(chance)
    return shares


@pytest.mark.parametrize(("spec", "role"), GAMES.items())
def test_infosets_that_fit_are_those_of_the_oracle(spec: str, role: str) -> None:
    records = records_of(spec, role, 6)
    together, keys = beliefs_of(spec, role, records, models=5000)
    for record, worlds in zip(records, together.find(game(spec).roles.index(role), keys), strict=True):
        assert worlds is not None
        assert shares_of(spec, worlds) == pytest.approx(expected_shares(spec, role, record), abs=1e-12)
    assert together.states_visited > 0


def test_larger_infosets_are_sampled_and_every_world_explains_the_record() -> None:
    spec, role = "krieg_tictactoe", "oplayer"
    records = records_of(spec, role, 12)
    together, keys = beliefs_of(spec, role, records, models=3)
    sizes = []
    for record, worlds in zip(records, together.find(1, keys), strict=True):
        assert worlds is not None  # where the three have died out, they were generated anew
        assert set(shares_of(spec, worlds)) <= set(expected_shares(spec, role, record))
        assert worlds.weights.sum() == pytest.approx(1.0)
        sizes.append(len(worlds.weights))
    assert max(sizes) <= 3
    assert max(len(infoset(spec, role, record)) for record in records) > 3


def test_what_is_not_kept_any_more_is_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    spec, role = "kuhn_poker", "first"
    records = records_of(spec, role, 4)
    kept, keys = beliefs_of(spec, role, records, models=100)
    forgetful, _ = beliefs_of(spec, role, records, models=100)
    monkeypatch.setattr(opponent_beliefs, "MAX_KEPT", 0)
    role_id = game(spec).roles.index(role)
    for key in reversed(keys):
        one, other = kept.find(role_id, [key])[0], forgetful.find(role_id, [key])[0]
        assert one is not None
        assert other is not None
        assert shares_of(spec, one) == pytest.approx(shares_of(spec, other))


def test_where_no_world_is_found_nothing_is_known() -> None:
    """A record that cannot be: first sees a jack, and then its own move is followed by another card."""
    of = game("kuhn_poker")
    record = (("noop", frozenset({"(card jack)"})), ("noop", frozenset({"(card king)"})))
    listener: Any = RecordedOpponents(of.machine, 0.5)
    tell_record(listener, of, "first", record)
    lost = OpponentBeliefs(of.machine, listener.book, models=10, seed=0)
    assert lost.find(1, [int(key_of(of, "first", record))]) == [None]


def test_before_the_first_round_there_is_one_world() -> None:
    of = game("kuhn_poker")
    worlds = OpponentBeliefs(of.machine, RecordBook(), models=10, seed=0).find(1, [int(key_of(of, "first", ()))])[0]
    assert worlds is not None
    assert worlds.weights.tolist() == [1.0]


def test_thinning_keeps_small_records_whole_and_draws_from_large_ones_without_bias() -> None:
    """4 draws each from 50 records with weights 1 to 5, 400 times. Systematic sampling gives every world its expected
    number of draws within 1; the mean of 20,000 has a deviation below 0.0036 draws: 5 of them (false alarms 1e-6).
    """
    weights = np.tile(np.arange(1.0, 6.0), 50)
    record = np.repeat(np.arange(0, 100, 2), 5)  # every other record has no world at all
    rng, total = np.random.default_rng(3), np.zeros(5)
    for _ in range(400):
        index, shares = thin(record, weights, 100, 4, rng)
        assert (np.diff(index) > 0).all()
        sums = np.bincount(record[index], shares, minlength=100)
        assert sums == pytest.approx(np.tile([1.0, 0.0], 50))
        total += np.bincount(index % 5, shares, minlength=5)
    assert total / (400 * 50) == pytest.approx(np.arange(1, 6) / 15, abs=0.004)
    index, shares = thin(record, weights, 100, 5, rng)
    assert index.tolist() == list(range(250))
    assert shares == pytest.approx(weights / 15)
