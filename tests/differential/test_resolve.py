"""`resolve` against the slow resolver (`tests.reference.resolver`): worlds, weights and values of subgames."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.reference.beliefs import Policy, Record as Told
from tests.reference.resolver import all_worlds, follow, made_up, mixed, subgame, worlds_of_orders
from tests.reference.solvers import zero_sum_value
from tests.support.games import game, remembering_naive
from tests.support.search_games import bag_after
from veil.engine.record import Record
from veil.equilibrium.online_players import make_strategy_table
from veil.equilibrium.response import evaluate_profile
from veil.search.resolve.config import ResolveConfig
from veil.search.resolve.past_play import PastPlay
from veil.search.resolve.search import make_rule, run_subgame
from veil.search.resolve.subgame import Subgame
from veil.search.resolve.world_orders import CollectedWorlds, Collection, collect_worlds
from veil.search.walks.contract import find_record_key

MIX = Fraction(1, 4)
POSITIONS = [("kuhn_poker", 2), ("kuhn_poker", 3), ("ii_goofspiel(cards=3)", 1), ("frank_basin", 2), ("leduc_poker", 2)]


def remember(spec: str, rounds: int, policy: Policy) -> PastPlay:
    """The play so far, if all roles follow this policy."""
    slow, fast = remembering_naive(spec), game(spec)
    past = PastPlay(fast.machine, float(MIX))
    told: dict[str, dict[Told, list[str]]] = {role: {} for role in slow.roles if role != "random"}
    for played in range(rounds):
        for history in all_worlds(slow, played):
            state, records = follow(slow, history)
            for role, record in records.items():
                told[role][record] = sorted(slow.legal(state)[role])
    for role, records_of_role in told.items():
        role_id = fast.roles.index(role)
        rows = []
        for record, legal in records_of_role.items():
            chances = policy(role, record, legal)
            numbers = sorted((fast.names.move_id(role_id, move), move) for move in legal)
            moves = np.array([number for number, _ in numbers])
            weights = 3.0 * np.array([float(chances[move]) for _, move in numbers])
            rows.append((find_record_key(fast, Record(role, record)), moves, weights))
        past.add(role_id, make_strategy_table(rows))
    return past


def collect(spec: str, role: str, record: Told, past: PastPlay, orders: int) -> CollectedWorlds:
    """The worlds of the fast one."""
    of = game(spec)
    key = find_record_key(of, Record(role, record))
    collection = Collection(of.machine, ResolveConfig(orders=orders, records=1000, worlds=100_000), past, 0)
    return collect_worlds(collection, of.roles.index(role), key, bag_after(spec, role, record))


def in_words(spec: str, worlds: CollectedWorlds) -> dict[tuple, float]:
    """history -> weight, as the slow one has it."""
    of = game(spec)
    return {
        tuple(tuple(of.names.joint_words(joint).values()) for joint in history): float(weight)
        for history, weight in zip(worlds.histories, worlds.weights, strict=True)
    }


@pytest.mark.parametrize(("spec", "rounds"), POSITIONS)
@pytest.mark.parametrize("orders", [1, 2, 3, 4])
def test_worlds_of_all_orders_have_the_weights_of_one_prior(spec: str, rounds: int, orders: int) -> None:
    slow, policy = remembering_naive(spec), made_up(3)
    past = remember(spec, rounds, policy)
    histories = list(all_worlds(slow, rounds))
    for role in (name for name in slow.roles if name != "random"):
        record = follow(slow, histories[len(histories) // 3])[1][role]
        expected, is_closed = worlds_of_orders(slow, role, record, orders, mixed(policy, MIX))
        found = collect(spec, role, record, past, orders)
        assert in_words(spec, found) == pytest.approx({h: float(chance) for h, chance in expected.items()})
        assert found.is_exact
        assert is_closed or not found.is_closed


@pytest.mark.parametrize(("spec", "rounds"), [("kuhn_poker", 2), ("kuhn_poker", 3), ("ii_goofspiel(cards=3)", 1)])
def test_a_subgame_that_fits_is_solved_exactly(spec: str, rounds: int) -> None:
    """All worlds of order two, and the whole tree below them: the value is that of the linear program."""
    slow, of, policy = remembering_naive(spec), game(spec), made_up(4)
    past = remember(spec, rounds, policy)
    history = list(all_worlds(slow, rounds))[-1]
    for role in (name for name in slow.roles if name != "random"):
        record = follow(slow, history)[1][role]
        expected = zero_sum_value(subgame(slow, worlds_of_orders(slow, role, record, 2, mixed(policy, MIX))[0]))
        worlds = collect(spec, role, record, past, 2).as_worlds(of.machine)
        config = ResolveConfig(nodes=100_000, iterations=3000)
        fast = Subgame(of, worlds, make_rule(config, (0,)))
        run_subgame(fast, config, np.arange(len(fast.growing.frontier)), None)
        assert fast.is_complete
        judged = evaluate_profile(fast.solver.form, fast.solver.average())
        assert judged.nash_conv < 1e-3
        assert judged.value[0] == pytest.approx(float(of.utility.of(np.array(expected))), abs=1e-3)
