"""Memory that grows by histories: where walks start, who gives up, what is refused, walks before the match."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.games import game
from tests.support.seats import JACK, seat, told_all
from veil.errors import VeilError
from veil.players.roster import make_player
from veil.players.search_player import SearchPlayer
from veil.search.contract import SearchTask
from veil.search.walks.configs import IsmctsConfig
from veil.search.walks.contract import BanditRule
from veil.search.walks.search import WalkSearch, make_walker
from veil.search.walks.tree.history_walker import HistoryTreeWalker
from veil.search.walks.tree.search_tree import SearchTree, expand_for_search

IN_MEMORY = BanditRule(grow="history", starts="memory", lost="random")
LEDUC = "leduc_poker"


def leduc() -> SearchTree:
    return expand_for_search(game(LEDUC), 1_000_000, None)


def test_a_walk_adds_one_history_and_nothing_is_known_of_it() -> None:
    walker = HistoryTreeWalker(leduc(), BanditRule(grow="history"), 0)
    rng = np.random.default_rng(1)
    for walks in range(1, 40):
        walker.run(1, rng)
        assert walker.in_memory.sum() == 1 + walks  # the root is there from the start


def test_walks_start_at_the_histories_in_memory_and_nowhere_else() -> None:
    walker = HistoryTreeWalker(leduc(), IN_MEMORY, 0)
    walker.run(2000, np.random.default_rng(1))
    sizes = []
    for infoset in range(30):
        members = walker.tree.members(infoset)
        remembered = members[walker.in_memory[members]]
        if len(remembered):
            walker.target_infoset(infoset)
            assert walker._starts.tolist() == remembered.tolist()
            sizes.append(len(members) - len(remembered))
    assert max(sizes) > 0


@pytest.mark.parametrize(("lost", "walks"), [("random", 0), ("search", 50)])
def test_who_has_no_history_in_memory_gives_up_or_searches_on(lost: str, walks: int) -> None:
    walker = HistoryTreeWalker(leduc(), IN_MEMORY._replace(lost=lost), 0)  # type: ignore[arg-type]
    walker.target_infoset(len(walker.tree.flat.infoset_node) - 1)
    walker.run(50, np.random.default_rng(1))
    assert walker.walks == walks
    walker.target_infoset(None)
    walker.run(50, np.random.default_rng(1))
    assert walker.walks == 2 * walks  # for good


def test_a_player_that_has_given_up_moves_at_random() -> None:
    player = make_player("ismcts:grow=history,starts=memory,lost=random,iterations=1")
    player.start(seat("kuhn_poker", "first"))
    told_all(player, JACK)
    assert player.report()["strategy"] == {"bet": 0.5, "pass": 0.5}
    assert player.report()["playouts"] == 0


@pytest.mark.parametrize("max_nodes", [1_000_000, 10], ids=["tree", "lanes"])
def test_walks_before_the_match_fill_the_table_and_cost_no_move(max_nodes: int) -> None:
    player = make_player(f"ismcts:prior_walks=300,iterations=7,max_nodes={max_nodes}")
    player.start(seat("kuhn_poker", "first"))
    assert isinstance(player, SearchPlayer)
    assert isinstance(player.searcher, WalkSearch)
    assert player.searcher.walker.walks == 300
    told_all(player, JACK)
    assert player.report()["playouts"] == 7


def test_histories_need_a_tree_that_fits() -> None:
    task = SearchTask(game("kuhn_poker"), 1, 0)
    make_walker(task, IsmctsConfig(max_nodes=10))
    with pytest.raises(VeilError, match="nodes"):
        make_walker(task, IsmctsConfig(grow="history", max_nodes=10))


@pytest.mark.parametrize("options", ["renew=true", "starts=memory", "lost=random", "grow=history,observer=single"])
def test_options_that_need_each_other_are_refused_alone(options: str) -> None:
    with pytest.raises(VeilError, match="needs"):
        make_player(f"ismcts:{options}")
