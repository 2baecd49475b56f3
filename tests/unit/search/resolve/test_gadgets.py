"""The gadget of safe resolving: solving a part again gives nothing away."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.support.equilibrium_games import prepared
from tests.support.games import game
from tests.support.search_games import bag_after
from veil.engine.record import parse_record
from veil.equilibrium.histories import records_in_words
from veil.equilibrium.response import evaluate_profile
from veil.search.resolve.config import Gadget, ResolveConfig
from veil.search.resolve.gadgets import (
    find_alternatives,
    make_crown,
    make_entries,
    make_maxmargin,
    make_resolve,
    spread_weights,
)
from veil.search.resolve.past_play import PastPlay
from veil.search.resolve.search import make_rule, run_subgame, solve_start
from veil.search.resolve.subgame import Subgame
from veil.search.resolve.world_orders import Collection, collect_worlds
from veil.search.walks.contract import find_record_key

CONFIG = ResolveConfig(nodes=100_000, iterations=2000, orders=6)


def solve_again(spec: str, gadget: Gadget) -> float:
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
            crown = make_crown(worlds, start, role_id, gadget)
            subgame = Subgame(of, worlds.as_worlds(of.machine), make_rule(CONFIG, (0,)), crown)
            run_subgame(subgame, CONFIG, np.arange(len(subgame.growing.frontier)))
            found = subgame.find_infoset(role_id, key)
            assert found is not None
            policy[flat.slot_start[infoset] : flat.slot_start[infoset + 1]] = found.average
    return evaluate_profile(whole.form, policy).nash_conv


def test_with_a_gadget_a_wrong_belief_does_little_harm() -> None:
    """Kuhn poker with exact alternative values. Each infoset is solved alone, so they do not fit perfectly."""
    unsafe = solve_again("kuhn_poker", "none")
    assert solve_again("kuhn_poker", "resolve") < 0.5 * unsafe
    assert solve_again("kuhn_poker", "maxmargin") < 0.5 * unsafe
    assert solve_again("kuhn_poker", "blend") < 0.5 * unsafe


def test_maxmargin_leaves_the_margins_of_an_equilibrium_at_zero() -> None:
    """Alternative values of an equilibrium cannot be beaten: nobody gains at any record, and values are in chips."""
    of, start = game("kuhn_poker"), solve_start(game("kuhn_poker"), CONFIG)
    role_id = of.roles.index("first")
    record = parse_record("first", "noop: (card jack); noop")
    key = find_record_key(of, record)
    collection = Collection(of.machine, CONFIG, start_past(start), 0)
    worlds = collect_worlds(collection, role_id, key, bag_after("kuhn_poker", "first", record.rounds))
    crown = make_crown(worlds, start, role_id, "maxmargin")
    assert crown is not None
    assert crown.bonus is not None
    subgame = Subgame(of, worlds.as_worlds(of.machine), make_rule(CONFIG, (0,)), crown)
    run_subgame(subgame, CONFIG, np.arange(len(subgame.growing.frontier)))
    judged = evaluate_profile(subgame.solver.form, subgame.solver.average())
    assert judged.value == pytest.approx([0.0, 0.0], abs=2e-3)
    found = subgame.find_infoset(role_id, key)
    known = start.find_infoset(role_id, key)
    assert found is not None
    assert known is not None
    assert found.values.max() == pytest.approx(known.values.max(), abs=5e-3)


def start_past(start: Subgame) -> PastPlay:
    """Play so far as this subgame says."""
    past = PastPlay(start.game.machine, 0.0)
    for role_id in start.growing.players:
        past.add(role_id, start.strategies(role_id))
    return past


def test_best_values_at_the_start_are_those_of_the_game() -> None:
    """Kuhn 1950: -1/18 for the first player."""
    start = solve_start(game("kuhn_poker"), CONFIG)
    roles = [game("kuhn_poker").roles.index(role) for role in ("first", "second")]
    for role_id, value in zip(roles, (-1 / 18, 1 / 18), strict=True):
        records, values, _ = start.find_best_values(role_id)
        key = find_record_key(game("kuhn_poker"), parse_record(game("kuhn_poker").roles[role_id], "start"))
        assert values[np.searchsorted(records, np.uint64(key))] == pytest.approx(value, abs=1e-3)


def test_best_values_are_weighted_means_of_those_a_round_later() -> None:
    start = solve_start(game("kuhn_poker"), CONFIG)
    of = game("kuhn_poker")
    first = of.roles.index("first")
    records, values, _ = start.find_best_values(first)
    dealt = [find_record_key(of, parse_record("first", f"noop: (card {card})")) for card in ("jack", "queen", "king")]
    assert np.mean(values[np.searchsorted(records, np.array(dealt, np.uint64))]) == pytest.approx(-1 / 18, abs=1e-3)


def test_without_a_constant_sum_there_is_no_gadget() -> None:
    of = game("prisoners_dilemma")
    start = solve_start(of, CONFIG)
    collection = Collection(of.machine, CONFIG, PastPlay(of.machine, 0.1), 0)
    key = find_record_key(of, parse_record(of.roles[0], "start"))
    worlds = collect_worlds(collection, 0, key, bag_after("prisoners_dilemma", of.roles[0]))
    assert make_crown(worlds, start, 0, "resolve") is None


def test_values_that_playouts_guessed_are_no_alternatives() -> None:
    """The tree from the start of Leduc poker holds the records of the second role, but hardly an end of the game."""
    of = game("leduc_poker")
    first, second = (of.roles.index(role) for role in ("first", "second"))
    record = parse_record("first", "noop: (card king hearts); noop")
    key = find_record_key(of, record)
    crowns = []
    for nodes in (600, 100_000):
        start = solve_start(of, ResolveConfig(nodes=nodes, iterations=10))
        records, _, guessed = start.find_best_values(second)
        collection = Collection(of.machine, CONFIG, start_past(start), 0)
        worlds = collect_worlds(collection, first, key, bag_after("leduc_poker", "first", record.rounds))
        assert np.isin(worlds.keys[:, second], records).all()
        assert (guessed > 0.5).any() == (nodes == 600)
        crowns.append(make_crown(worlds, start, first, "resolve"))
    assert crowns[0] is None
    assert crowns[1] is not None


@pytest.mark.parametrize("wrong", [False, True])
def test_entries_are_the_gadgets_that_are_built_as_nodes(wrong: bool) -> None:
    """With the share 1 Resolve, with 0 Maxmargin: the same policy at the record, iteration by iteration."""
    of, start = game("kuhn_poker"), solve_start(game("kuhn_poker"), CONFIG)
    record = parse_record("first", "noop: (card queen); noop")
    role_id, key = of.roles.index("first"), find_record_key(of, record)
    past = PastPlay(of.machine, 0.1) if wrong else start_past(start)
    worlds = collect_worlds(
        Collection(of.machine, CONFIG, past, 0), role_id, key, bag_after("kuhn_poker", "first", record.rounds)
    )
    told = find_alternatives(worlds, start, role_id)
    assert told is not None
    even = worlds._replace(weights=spread_weights(worlds, told))
    pairs = (make_resolve(worlds, told), 1.0), (make_maxmargin(even, told), 0.0)
    for built, share in pairs:
        policies = []
        for crown in (built, make_entries(worlds, told, share)):
            subgame = Subgame(of, worlds.as_worlds(of.machine), make_rule(CONFIG, (0,)), crown)
            run_subgame(subgame, replace(CONFIG, iterations=50), np.arange(len(subgame.growing.frontier)))
            found = subgame.find_infoset(role_id, key)
            assert found is not None
            policies.append(found.average)
        assert policies[0] == pytest.approx(policies[1])
