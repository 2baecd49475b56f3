"""The choice between the tree and the walk: the tree if it fits, else the walk, else a refusal."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from time import perf_counter

from veil.engine import Game
from veil.equilibrium.prepared_game import PreparedGame, prepare
from veil.equilibrium.streaming.census import count_tree
from veil.equilibrium.streaming.record_automaton import build_automaton
from veil.equilibrium.streaming.shard_crew import prepare_on
from veil.equilibrium.streaming.state_graph import build_state_graph
from veil.equilibrium.streaming.walk import Walk
from veil.equilibrium.tree import MAX_NODES, count_levels, expand
from veil.equilibrium.tree_records import DEFAULT_BOUNDS, TreeBounds
from veil.errors import VeilError

TOO_LARGE = frozenset({"tree-too-large", "tree-too-many-bytes"})


def is_too_large(error: VeilError) -> bool:
    """Return whether an error says that the tree of a game does not fit."""
    return {entry.code for entry in error.problems} <= TOO_LARGE


def prepare_or_walk(
    game: Game,
    max_nodes: int | None = None,
    *,
    bounds: TreeBounds = DEFAULT_BOUNDS,
    progress: Callable[[int], None] = lambda _: None,
    executor: Executor | None = None,
) -> PreparedGame | Walk:
    """Return the tree of a game, folded, if it has at most `MAX_NODES` nodes, else the game ready to be walked.

    A number of `max_nodes` rules out the walk: a larger tree is refused. `progress` is called with the states of the
    walk. If there is an `executor`, it walks the shards.
    """
    if max_nodes is not None:
        return prepare(game, max_nodes, bounds=bounds)
    try:
        return prepare(game, MAX_NODES, bounds=bounds)
    except VeilError as error:
        if not is_too_large(error):
            raise
    return prepare_on(executor, game, progress)


def count_whole_game(
    game: Game, max_nodes: int | None = None, *, bounds: TreeBounds = DEFAULT_BOUNDS, levels: bool = False
) -> dict[str, object]:
    """Return the sizes of a game that `veil tree` shows: of its tree if that fits, else counted without a tree.

    A number of `max_nodes` rules out the second way. `levels` asks for the nodes of every depth.
    """
    try:
        tree = expand(game, max_nodes or MAX_NODES, bounds=bounds)
    except VeilError as error:
        if max_nodes is not None or not is_too_large(error):
            raise
    else:
        return tree.counts() | ({"levels": count_levels(tree.flat)} if levels else {})
    start = perf_counter()
    graph = build_state_graph(game)
    automata = tuple(build_automaton(graph, role) for role in range(len(graph.roles)))
    counts = count_tree(graph, automata)
    if not levels:
        del counts["levels"]
    return counts | {"seconds": perf_counter() - start}
