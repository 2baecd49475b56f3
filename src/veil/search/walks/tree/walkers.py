"""Walkers on the explicit tree of a game behind the contract of walkers; and that of Online Outcome Sampling.

Online Outcome Sampling (Lisý, Lanctot & Bowling 2015, Algorithm 1; `oos_kernels`):

1. An iteration is one walk per role from the root; each is targeted with probability delta, drawn before it.
2. `target_infoset` marks what is targeted: nodes on the way to the infoset (IST, section 3.1) or to the public subgame
   (PST, section 3.2) and those below. A targeted walk stays on the way; when it has arrived, nothing is restricted.
3. The first infoset that is not in the table is added, and from there the walk is a uniform playout.
4. All infosets of the table on the walk are updated: regrets where the walk's role moved, policy sums elsewhere.

With a target, all updates are multiplied by w_T = (1 - delta) + delta * sum of bs(h) / sum of us(h) over the histories
h of the infoset: bs is how likely targeted play by the mean strategy gets there, us how likely untargeted play does.
That is s_m / s_0 of the text; equation (3) as it is printed is 1 for every infoset under IST.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from veil.equilibrium import StrategyTable
from veil.search.contract import SearchTask
from veil.search.walks.contract import (
    InfosetView,
    OosRule,
    SearchRoot,
    WalkRule,
    make_strategy,
    weigh_strategies,
)
from veil.search.walks.numbers import POLICY_SUM, TOTAL, VISITS, find_current, number_rule
from veil.search.walks.tree.bandit_walker import BanditTreeWalker
from veil.search.walks.tree.history_walker import HistoryTreeWalker
from veil.search.walks.tree.oos_kernels import find_reaches, mark_inside, run_oos
from veil.search.walks.tree.prior_policy import fill_tables, find_start
from veil.search.walks.tree.records import INSIDE
from veil.search.walks.tree.search_tree import SearchTree, expand_for_search

MAX_WEIGHT = 1e15  # with larger weights earlier walks count for nothing in any case; the limit keeps sums finite


def make_tree_walker(task: SearchTask, rule: WalkRule, max_nodes: int) -> MatchWalker:
    """Return a walker on the tree of the task's game. Raises if the tree is too large, or takes too long."""
    tree = expand_for_search(task.game, max_nodes, task.start_seconds)
    role = tree.role_ids.index(task.role_id)
    if not isinstance(rule, OosRule):
        kind = HistoryTreeWalker if rule.grow == "history" else BanditTreeWalker
        return MatchWalker(kind(tree, rule, role), task)
    walker = OosTreeWalker(tree, rule)
    if rule.prior_iterations:
        policy, done = find_start(tree, rule.prior_iterations, task.start_seconds)
        fill_tables(tree, walker.tables, policy, float(done * len(tree.flat.parent)))
    return MatchWalker(walker, task)


class OosTreeWalker:
    """Tables of Online Outcome Sampling."""

    def __init__(self, tree: SearchTree, rule: OosRule) -> None:
        self.tree, self.rule, self.mean_column = tree, rule, POLICY_SUM
        self.tables, self._path = tree.make_tables(), tree.make_path()
        self.walks = self.states_visited = 0
        self._everything = self._inside = np.full(len(tree.flat.parent), INSIDE, np.uint8)
        self.weight = 1.0  # w_T
        self.numbers = number_rule(rule, -1)
        if rule.target == "pst":
            _ = tree.public  # found now, before a clock runs
        self._compile_targets()
        self.run(0, np.random.default_rng(0))  # compiled now

    def target_infoset(self, infoset: int | None) -> None:
        """Target this infoset, to which the match has come; None: there is no target."""
        tree, flat = self.tree, self.tree.flat
        self._inside, self.weight = self._everything, 1.0
        if infoset is None:
            return
        members = targeted = tree.members(infoset)
        if self.rule.target == "pst" and tree.public is not None:
            rounds = int(flat.infoset_round[infoset])
            targeted = tree.public.find_subgame(int(members[0]), rounds, flat.parent)
        self.target_nodes(members, targeted)

    def target_nodes(self, members: np.ndarray, targeted: np.ndarray) -> None:
        """Target nodes, one of which is above every member; the match is at one of the members."""
        parent = self.tree.flat.parent
        self._inside = mark_inside(parent, targeted.astype(np.int64))
        us, bs = find_reaches(self.tree.walk_tree, self.tables, parent, self._inside, members)
        weight = (1.0 - self.rule.delta) + self.rule.delta * bs / us if us > 0.0 else 1.0
        self.weight = float(min(weight, MAX_WEIGHT))

    def run(self, iterations: int, rng: np.random.Generator) -> None:
        """Run `iterations` more iterations."""
        tree, numbers = self.tree.walk_tree, self.numbers._replace(weight=self.weight)
        random = rng.integers(0, 2**63, 1).astype(np.uint64)
        visited = run_oos(tree, self.tables, self._path, self._inside, numbers, random, iterations)
        self.states_visited += int(visited)
        self.walks += iterations * tree.utility.shape[1]

    def mean(self, slots: slice) -> np.ndarray:
        """Return the mean strategy of an infoset."""
        return make_strategy(self.tables.numbers[slots, self.mean_column])

    def current(self, slots: slice) -> np.ndarray:
        """Return the strategy of the next walk, without the exploration of the updated role."""
        return find_current(self.numbers, self.tables.numbers[slots])

    def _compile_targets(self) -> None:
        """Run all kernels of `target_infoset` once, so that they are ready when a clock runs."""
        if len(self.tree.flat.infoset_node):
            self.target_infoset(0)
            self.target_infoset(None)


TreeWalker = OosTreeWalker | BanditTreeWalker


class MatchWalker:
    """A walker on a tree behind the contract of walkers: records and goals instead of infosets and payoffs."""

    def __init__(self, walker: TreeWalker, task: SearchTask) -> None:
        self.walker, self.task, self.tree = walker, task, walker.tree

    @property
    def walks(self) -> int:
        """The number of walks so far."""
        return self.walker.walks

    @property
    def states_visited(self) -> int:
        """The number of nodes that walks have passed."""
        return self.walker.states_visited

    def set_root(self, root: SearchRoot, rng: np.random.Generator) -> None:
        """Target this record of the match; a record at which the role has no choice is no target."""
        del rng
        self.walker.target_infoset(self.tree.find_infoset(self.tree.role_ids.index(root.role_id), root.key))

    def run(self, iterations: int, rng: np.random.Generator) -> None:
        """Run `iterations` more iterations."""
        self.walker.run(iterations, rng)

    def infoset(self, role_id: int, key: int) -> InfosetView | None:
        """Return what is known of a record; None if no walk has put it into the table."""
        infoset = self.tree.find_infoset(self.tree.role_ids.index(role_id), key)
        if infoset is None or not self.walker.tables.is_known[self.tree.flat.slot_start[infoset]]:
            return None
        return view_infoset(self.walker, infoset)

    def known(self) -> Iterator[InfosetView]:
        """Yield every infoset in the table."""
        first = self.tree.flat.slot_start[:-1]
        for infoset in np.flatnonzero(self.walker.tables.is_known[first]).tolist():
            yield view_infoset(self.walker, infoset)

    def strategies(self, role_id: int) -> StrategyTable:
        """Return a role's mean strategies at all infosets that walks have passed, times their visits."""
        flat, role = self.tree.flat, self.tree.role_ids.index(role_id)
        own = slice(int(flat.role_start[role]), int(flat.role_start[role + 1]))
        start = flat.slot_start[own.start : own.stop + 1].astype(np.int64)
        slots = slice(int(start[0]), int(start[-1]))
        numbers = self.walker.tables.numbers[slots]
        return weigh_strategies(
            flat.infoset_key[own],
            start - start[0],
            self.tree.slot_move[slots],
            numbers[:, self.walker.mean_column],
            numbers[:, VISITS],
        )


def view_infoset(walker: TreeWalker, infoset: int) -> InfosetView:
    """Return what a walker has found at an infoset."""
    tree, numbers = walker.tree, walker.tables.numbers
    slots = slice(int(tree.flat.slot_start[infoset]), int(tree.flat.slot_start[infoset + 1]))
    role, visits, scale = tree.role_of(infoset), numbers[slots, VISITS], tree.scale
    with np.errstate(invalid="ignore"):
        payoff = numbers[slots, TOTAL] / visits + scale.centre[role]
    return InfosetView(
        role_id=tree.role_ids[role],
        key=int(tree.flat.infoset_key[infoset]),
        moves=tree.slot_move[slots],
        mean=walker.mean(slots),
        current=walker.current(slots),
        values=payoff * scale.scale + scale.zero,
        visits=visits.copy(),
    )
