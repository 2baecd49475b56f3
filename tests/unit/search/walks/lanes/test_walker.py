"""Walks in fleets: what the contract of walkers promises, on games of any size."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest

from tests.reference.gametree import infosets
from tests.support.archetypes import archetypes_of
from tests.support.equilibrium_games import EDGE_AFTER_HEADS, STUCK_AFTER_HEADS
from tests.support.games import OVER_AT_THE_START, game
from tests.support.lane_walkers import key_of, new_lane_walker, reference_tree, target_infoset
from veil.engine.lanes import START_KEY
from veil.games import FAMILIES
from veil.search.contract import SearchTask
from veil.search.walks.contract import BanditRule, OosRule, Selection, Starts, Ties, WalkRule
from veil.search.walks.lanes.records import REFUSED, UNDERWAY, LaneStarts
from veil.search.walks.lanes.walker import ROOT_SHARE, LaneWalker, make_lane_walker

RULES: dict[str, WalkRule] = {
    "oos": OosRule(),
    "uct": BanditRule(),
    "rm": BanditRule("rm"),
    "smooth": BanditRule("smooth", gamma=0.1),
    "single": BanditRule(observer="single"),
}
every_rule = pytest.mark.parametrize("rule", RULES.values(), ids=RULES)


def walk(spec: str, rule: WalkRule, iterations: int, seed: int = 0) -> LaneWalker:
    walker = new_lane_walker(spec, rule)
    walker.run(iterations, np.random.default_rng(seed))
    return walker


@every_rule
def test_the_same_seed_gives_the_same_table(rule: WalkRule) -> None:
    one, two, other = (walk("kuhn_poker", rule, 300, seed) for seed in (1, 1, 2))
    assert (one.table.arrays.slots == two.table.arrays.slots).all()
    assert not (one.table.arrays.slots == other.table.arrays.slots).all()


@every_rule
def test_strategies_are_probabilities_over_legal_moves(rule: WalkRule) -> None:
    walker = walk("leduc_poker", rule, 400)
    seen = 0
    for view in walker.known():
        for policy in (view.mean, view.current):
            assert policy.min() >= 0
            assert policy.sum() == pytest.approx(1)
        assert (np.diff(view.moves) > 0).all()
        assert (np.isnan(view.values) == (view.visits == 0)).all()
        seen += 1
    assert seen == len(walker.table) > 10


def test_walks_are_counted_per_role_by_oos_and_one_by_one_by_bandits() -> None:
    assert walk("kuhn_poker", OosRule(), 101).walks == 202
    assert walk("kuhn_poker", BanditRule(), 101).walks == 101


@pytest.mark.parametrize("select", ["uct", "smooth"])
def test_no_walk_is_underway_after_a_batch(select: Selection) -> None:
    walker = walk("leduc_poker", BanditRule(select), 1000)
    assert not walker.table.arrays.slots[:, UNDERWAY].any()


def test_every_walk_of_a_bandit_visits_the_first_infoset() -> None:
    view = walk("ii_goofspiel(cards=6)", BanditRule(), 1000).infoset(0, int(START_KEY))
    assert view is not None
    assert view.visits.sum() == 1000


EQUAL = """(role r) (init start) (<= (legal r a) (true start)) (<= (legal r b) (true start))
    (<= (next end) (true start)) (<= terminal (true end)) (goal r 50)"""  # both moves pay the same


@pytest.mark.parametrize(("ties", "seen"), [("first", {(2.0, 1.0)}), ("random", {(2.0, 1.0), (1.0, 2.0)})])
def test_of_several_largest_bounds_uct_takes_the_first_or_any(ties: Ties, seen: set[tuple[float, float]]) -> None:
    """Two walks try both moves, the third has to choose. 20 seeds do so alike by chance with probability 2e-6."""
    found = set()
    for seed in range(20):
        walker = new_lane_walker(EQUAL, BanditRule(ties=ties), max_batch=1)
        walker.run(3, np.random.default_rng(seed))
        (view,) = walker.known()
        found.add(tuple(view.visits.tolist()))
    assert found == seen


def test_a_record_that_no_walk_has_met_is_unknown() -> None:
    assert walk("kuhn_poker", OosRule(), 10).infoset(1, 12345) is None


@pytest.mark.compiled("slow as Python")
@every_rule
def test_a_full_table_grows_no_more_and_goes_on_learning(rule: WalkRule) -> None:
    walker = new_lane_walker("ii_goofspiel(cards=6)", rule, max_bytes=300_000)
    rng = np.random.default_rng(1)
    walker.run(6000, rng)
    full, first = len(walker.table), walker.infoset(0, int(START_KEY))
    walker.run(1000, rng)
    later = walker.infoset(0, int(START_KEY))
    assert len(walker.table) == full
    assert walker.table.nbytes <= 300_000
    assert walker.table.arrays.counts[REFUSED] > 0
    assert first is not None
    assert later is not None
    assert later.visits.sum() > first.visits.sum()


def test_an_aim_under_a_clock_asks_for_as_many_worlds_as_there_is_time_for() -> None:
    walker = new_lane_walker("kuhn_poker", OosRule())
    assert walker._count_worlds(10, None) == walker._count_worlds(10, perf_counter() + 1.0) == 4000
    walker.seconds_per_cell = 1e-4
    cells = ROOT_SHARE * 3.0 / 1e-4
    assert walker._count_worlds(10, perf_counter() + 3.0) == pytest.approx(cells / 10 / 3, rel=0.1)
    assert walker._count_worlds(10, None) == 4000
    assert walker._count_worlds(10, perf_counter() - 3.0) == 1


@pytest.mark.parametrize("starts", ["uniform", "posterior"])
def test_bandits_start_in_the_worlds_of_the_belief(starts: Starts) -> None:
    spec = "kuhn_poker"
    of, tree, rng = game(spec), reference_tree(spec), np.random.default_rng(2)
    infoset = next(i for i in infosets(tree) if i[0] == "second")
    walker = new_lane_walker(spec, BanditRule(starts=starts), "second")
    target_infoset(walker, of, infoset, rng)
    walker.run(500, rng)
    view = walker.infoset(of.roles.index("second"), key_of(of, infoset))
    assert view is not None
    assert view.visits.sum() == 500


def test_every_walk_of_a_batch_has_a_start_of_its_own() -> None:
    """Also where a lane makes several walks: one of 1,024 starts where the weight is 1 / 1,024, not all of a lane."""
    of, tree, rng = game("kuhn_poker"), reference_tree("kuhn_poker"), np.random.default_rng(3)
    walker = new_lane_walker("kuhn_poker", BanditRule(), "first")
    two, starts = [infoset for infoset in infosets(tree) if infoset[0] == "first"][:2], []
    for infoset in two:
        target_infoset(walker, of, infoset, rng)
        starts.append(walker.starts)
    states, keys = (np.concatenate([getattr(each, name)[:1] for each in starts]) for name in ("states", "keys"))
    walker.starts, walker.weights = LaneStarts(states, keys, np.zeros(1, np.int64)), np.array([1.0, 1023.0])
    walker._walk(1024, rng)
    views = [walker.infoset(of.roles.index("first"), key_of(of, infoset)) for infoset in two]
    assert [view.visits.sum() for view in views if view] == [1, 1023]


def test_a_role_that_cannot_know_its_moves_has_an_infoset_for_each_set_of_them() -> None:
    views = list(walk(EDGE_AFTER_HEADS, OosRule(), 200).known())
    assert sorted(len(view.moves) for view in views) == [2, 3]


def test_games_that_get_stuck_or_are_over_at_the_start_end_where_they_stand() -> None:
    assert walk(STUCK_AFTER_HEADS, OosRule(), 50).walks == 50
    assert len(walk(OVER_AT_THE_START, BanditRule(), 50).table) == 0


def test_a_single_observer_never_uses_the_records_of_others() -> None:
    walker = walk("kuhn_poker", BanditRule(observer="single"), 500)
    own = {view.key for view in walker.known() if view.role_id == 2}
    multiple = {view.key for view in walk("kuhn_poker", BanditRule(), 500).known() if view.role_id == 1}
    others = {view.key for view in walker.known() if view.role_id == 1}
    assert others
    assert others & multiple == set()
    assert own


@pytest.mark.parametrize("name", archetypes_of(sorted(FAMILIES)))
def test_every_game_of_the_catalogue_is_walked(name: str) -> None:
    of = game(name)
    role_id = of.program.serial_order[-1]
    for rule in (OosRule(), BanditRule()):
        walker = make_lane_walker(SearchTask(of, role_id, 0), rule)
        walker.run(100, np.random.default_rng(0))
        assert walker.walks >= 100
        assert walker.states_visited >= walker.walks
        assert len(walker.table) > 0
