"""Online search with a table that grows by walks: the searcher over any `Walker`.

1. Set the root of the walker to the record of the question.
2. Run iterations until the deadline; without one, as many as the config says, or until `states` states were visited.
3. Answer with the mean strategy, the current one, or the move with the most visits, as the config says. A record that
   no walk has put into the table gets the uniform strategy. Moves of Online Outcome Sampling that are much less likely
   than the most likely move may be left out (`prune`).

A walker walks on the explicit tree if the game has at most `max_nodes` nodes, and in lanes otherwise. ISMCTS may make
some walks from the root before the match (`prior_walks`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from veil.clock import pace
from veil.equilibrium import StrategyTable
from veil.errors import VeilError
from veil.search.contract import Answer, SearchBudget, SearchQuestion, SearchTask, choose_best
from veil.search.walks.configs import Played, WalkConfig
from veil.search.walks.contract import BanditRule, InfosetView, SearchRoot, Ties, Walker, find_record_key
from veil.search.walks.lanes.walker import make_lane_walker
from veil.search.walks.tree.walkers import make_tree_walker
from veil.streams import preparation_of_player

# Games that lanes can search. Lanes tell infosets apart by record and legal moves; a tree needs records that determine
# what is legal.
NO_TREE = ("tree-too-large", "tree-too-many-bytes", "tree-too-slow", "endless-game", "infoset-moves")
FIRST_PIECE = 64  # iterations before the first look at the clock


class WalkSearch:
    """A search that walks until it has to answer. Its table survives between the moves of a match."""

    def __init__(self, task: SearchTask, config: WalkConfig) -> None:
        self.task, self.config = task, config
        self.walker = make_walker(task, config)

    def search(self, question: SearchQuestion, budget: SearchBudget, rng: np.random.Generator) -> Answer:
        """Return the strategy after this record."""
        walker = self.walker
        walks, states = walker.walks, walker.states_visited
        role_id, key = self.task.role_id, find_record_key(self.task.game, question.record)
        walker.set_root(SearchRoot(role_id, key, len(question.record.rounds), question.belief, budget.deadline), rng)
        if budget.deadline is not None:
            for iterations in pace(budget.deadline, FIRST_PIECE):
                walker.run(iterations, rng)
        elif self.config.iterations is not None:
            walker.run(self.config.iterations, rng)
        else:
            visit_states(walker, self.config.states, rng)
        view = walker.infoset(role_id, key)
        if view is None:
            view = self._know_nothing(question, rng)
        strategy = prune_moves(self._choose(view), self.config.pruned)
        words = [self.task.game.names.moves[role_id][move] for move in view.moves.tolist()]
        return Answer(
            moves=view.moves,
            strategy=strategy,
            values=view.values,
            visits=view.visits,
            playouts=walker.walks - walks,
            states_visited=walker.states_visited - states,
            details={"visits": dict(zip(words, view.visits.tolist(), strict=True))},
        )

    def _choose(self, view: InfosetView) -> np.ndarray:
        """Return the strategy [K] that the config plays at an infoset."""
        rule = self.config.rule
        ties = rule.ties if isinstance(rule, BanditRule) else "random"
        return choose_strategy(view, self.config.played, ties)

    def known(self) -> Iterator[InfosetView]:
        """Return all infosets that walks have put into the table."""
        return self.walker.known()

    def strategies(self, role_id: int) -> StrategyTable:
        """Return the mean strategies of a role at all of them, times their visits."""
        return self.walker.strategies(role_id)

    def _know_nothing(self, question: SearchQuestion, rng: np.random.Generator) -> InfosetView:
        """Return the uniform strategy over the moves that are legal in a world of the belief."""
        role_id, machine = self.task.role_id, self.task.game.machine
        bag = question.belief.worlds(1, rng)
        moves = np.flatnonzero(machine.legal_bits(machine.judge(bag.states))[role_id][0])
        even = np.full(len(moves), 1.0 / len(moves))
        return InfosetView(role_id, 0, moves, even, even, np.full(len(moves), np.nan), np.zeros(len(moves)))


def visit_states(walker: Walker, states: int, rng: np.random.Generator) -> None:
    """Walk until `states` states were visited: in portions, by the length of the walks so far."""
    start, size, done = walker.states_visited, FIRST_PIECE, 0
    while size > 0:
        walker.run(size, rng)
        done += size
        spent = max(done, walker.states_visited - start)  # a walk of no steps counts as well
        size = min(2 * size, int((states - spent) * done / spent))


def make_walker(task: SearchTask, config: WalkConfig) -> Walker:
    """Return a walker on the explicit tree if the game is small enough and time allows it; else one in lanes."""
    rule = config.rule
    needs_tree = isinstance(rule, BanditRule) and rule.grow == "history"
    walker: Walker
    try:
        walker = make_tree_walker(task, rule, config.max_nodes)
    except VeilError as error:
        if error.problems[0].code not in NO_TREE or needs_tree:
            raise
        walker = make_lane_walker(task, rule)
    if isinstance(rule, BanditRule) and rule.prior_walks:
        walker.run(rule.prior_walks, preparation_of_player(task.seed))
    return walker


def choose_strategy(view: InfosetView, play: Played, ties: Ties = "random") -> np.ndarray:
    """Return the strategy [K] that is played at an infoset; of moves with equal visits, all or the first."""
    if play == "current":
        return view.current
    if play == "mean" or view.visits.max() == 0:
        return view.mean
    if play == "value":
        return choose_best(np.where(view.visits > 0, view.values, -np.inf))
    most = view.visits == view.visits.max()
    if ties == "first":
        most = np.arange(len(most)) == most.argmax()
    strategy: np.ndarray = most / most.sum()
    return strategy


def prune_moves(strategy: np.ndarray, share: float) -> np.ndarray:
    """Return the strategy [K] without moves whose probability is below this share of the largest."""
    kept = np.where(strategy < share * strategy.max(), 0.0, strategy)
    return kept / kept.sum() if share > 0.0 else strategy
