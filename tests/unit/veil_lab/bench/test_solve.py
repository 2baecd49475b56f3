"""Trees of both sides are counted, so that a ratio of speeds says what it compares."""

from __future__ import annotations

import pytest

from tests.support.equilibrium_games import prepared
from veil_lab.bench.solve import GAMES, as_table, count_nodes, load_peer, measure


@pytest.mark.parametrize(("name", "nodes"), [("kuhn_poker", 58), ("leduc_poker", 9457)])
def test_our_tree_is_as_large_as_openspiels_where_no_move_is_forced(name: str, nodes: int) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    assert count_nodes(load_peer(*GAMES[name])) == prepared(name).tree.num_nodes == nodes
    assert count_nodes(load_peer(*GAMES[name]), most=nodes - 2) is None


@pytest.mark.slow
def test_forced_moves_are_folded_in_our_liars_dice() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    assert count_nodes(load_peer(*GAMES["liars_dice"])) == 294_883
    assert prepared("liars_dice").tree.num_nodes == 221_155


@pytest.mark.slow
def test_the_table_has_the_ratio_per_node_beside_the_ratio() -> None:
    result = measure("kuhn_poker", GAMES["kuhn_poker"], 0.02)
    text = as_table({"games": [result]})
    assert "ratio per node" in text
    speed = result["iterations_per_second"]["cfr+"]
    if speed["ratio"] is not None:
        assert speed["ratio_per_node"] == pytest.approx(speed["ratio"])  # equal trees
