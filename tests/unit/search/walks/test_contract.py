"""What walkers tell of a role at once is what they tell infoset by infoset."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.games import game
from veil.equilibrium import StrategyTable, make_strategy_table
from veil.search.contract import SearchTask
from veil.search.walks.contract import BanditRule, OosRule, Walker, WalkRule, make_strategy
from veil.search.walks.lanes.walker import make_lane_walker
from veil.search.walks.tree.walkers import make_tree_walker

RULES: dict[str, WalkRule] = {
    "oos": OosRule(),
    "uct": BanditRule(),
    "rm": BanditRule("rm"),
    "single": BanditRule(observer="single"),
}


def one_by_one(walker: Walker, role_id: int) -> StrategyTable:
    views = [view for view in walker.known() if view.role_id == role_id and view.visits.any()]
    return make_strategy_table((view.key, view.moves, view.mean * view.visits.sum()) for view in views)


@pytest.mark.parametrize("kind", ["tree", "lanes"])
@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_strategies_of_a_role_at_once_are_those_of_its_infosets(rule: WalkRule, kind: str) -> None:
    of = game("leduc_poker")
    role_id = of.roles.index("second")
    task = SearchTask(of, role_id, 0)
    walker: Walker = make_tree_walker(task, rule, 10**6) if kind == "tree" else make_lane_walker(task, rule)
    assert not len(walker.strategies(role_id).keys)
    walker.run(300, np.random.default_rng(1))
    table, wanted = walker.strategies(role_id), one_by_one(walker, role_id)
    assert 10 < len(table.keys) < 468
    for mine, theirs in zip(table[:4], wanted[:4], strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12)
    assert table.sums is not None
    is_weighted = isinstance(rule, OosRule)  # walks of OOS count by their importance, those of ISMCTS by one each
    assert np.allclose(table.sums, table.weights) != is_weighted


def test_weights_of_nothing_make_an_even_strategy() -> None:
    assert make_strategy(np.zeros(4)).tolist() == [0.25] * 4
    assert make_strategy(np.array([1.0, 3.0])).tolist() == [0.25, 0.75]
