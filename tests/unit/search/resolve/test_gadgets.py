"""The gadget of safe resolving: solving a part again gives nothing away."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.equilibrium_games import prepared
from tests.support.games import game
from tests.support.search_games import bag_after
from veil.engine.record import parse_record
from veil.equilibrium.histories import records_in_words
from veil.equilibrium.response import evaluate_profile
from veil.search.resolve.config import ResolveConfig
from veil.search.resolve.gadgets import make_crown
from veil.search.resolve.past_play import PastPlay
from veil.search.resolve.search import make_rule, run_subgame, solve_start
from veil.search.resolve.subgame import Subgame
from veil.search.resolve.world_orders import Collection, collect_worlds
from veil.search.walks.contract import find_record_key

CONFIG = ResolveConfig(nodes=100_000, iterations=2000, orders=6)


def solve_again(spec: str, *, safely: bool) -> float:
    """NashConv of an equilibrium in which every infoset plays what a subgame of its own says, solved from there.

    All roles are taken to have moved uniformly so far, which is wrong.
    """
    of, whole, start = game(spec), prepared(spec), solve_start(game(spec), CONFIG)
    policy, flat = np.zeros(whole.form.num_slots), whole.tree.flat
    for place, role in enumerate(whole.tree.roles):
        role_id = of.roles.index(role)
        for infoset in whole.tree.infosets_of(place):
            record = parse_record(role, records_in_words(whole.tree, np.array([infoset]))[0])
            key = find_record_key(of, record)
            collection = Collection(of.machine, CONFIG, PastPlay(of.machine, 0.1), 0)
            worlds = collect_worlds(collection, role_id, key, bag_after(spec, role, record.rounds))
            crown = make_crown(worlds, start, role_id) if safely else None
            subgame = Subgame(of, worlds.as_worlds(of.machine), make_rule(CONFIG, (0,)), crown)
            run_subgame(subgame, CONFIG, np.arange(len(subgame.growing.frontier)))
            found = subgame.find_infoset(role_id, key)
            assert found is not None
            policy[flat.slot_start[infoset] : flat.slot_start[infoset + 1]] = found.average
    return evaluate_profile(whole.form, policy).nash_conv


def test_with_the_gadget_a_wrong_belief_does_little_harm() -> None:
    """Kuhn poker with exact alternative values. Each infoset is solved alone, so they do not fit perfectly."""
    assert solve_again("kuhn_poker", safely=True) < 0.5 * solve_again("kuhn_poker", safely=False)


def test_best_values_at_the_start_are_those_of_the_game() -> None:
    """Kuhn 1950: -1/18 for the first player."""
    start = solve_start(game("kuhn_poker"), CONFIG)
    roles = [game("kuhn_poker").roles.index(role) for role in ("first", "second")]
    for role_id, value in zip(roles, (-1 / 18, 1 / 18), strict=True):
        records, values = start.find_best_values(role_id)
        key = find_record_key(game("kuhn_poker"), parse_record(game("kuhn_poker").roles[role_id], "start"))
        assert values[np.searchsorted(records, np.uint64(key))] == pytest.approx(value, abs=1e-3)


def test_best_values_are_weighted_means_of_those_a_round_later() -> None:
    start = solve_start(game("kuhn_poker"), CONFIG)
    of = game("kuhn_poker")
    first = of.roles.index("first")
    records, values = start.find_best_values(first)
    dealt = [find_record_key(of, parse_record("first", f"noop: (card {card})")) for card in ("jack", "queen", "king")]
    assert np.mean(values[np.searchsorted(records, np.array(dealt, np.uint64))]) == pytest.approx(-1 / 18, abs=1e-3)


def test_without_a_constant_sum_there_is_no_gadget() -> None:
    of = game("prisoners_dilemma")
    start = solve_start(of, CONFIG)
    collection = Collection(of.machine, CONFIG, PastPlay(of.machine, 0.1), 0)
    key = find_record_key(of, parse_record(of.roles[0], "start"))
    worlds = collect_worlds(collection, 0, key, bag_after("prisoners_dilemma", of.roles[0]))
    assert make_crown(worlds, start, 0) is None
