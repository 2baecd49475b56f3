"""Monte Carlo counterfactual regret minimisation on the explicit tree (Lanctot, Waugh, Zinkevich & Bowling 2009).

In an iteration every role walks once, and learns at its own infosets on the way. External sampling:

1. Walk down the tree. Draw the moves of chance and of the other roles; try all moves of the walking role.
2. On the way back, the regret of a move grows by its value minus the mean value of the infoset.
3. The average policy of a role grows when the role before it walks, at every visited infoset.

Outcome sampling:

1. Draw one path to one terminal; the walking role plays uniformly with probability `explore`.
2. On the way back, regrets grow by the sampled values, weighted by 1 / the probability of the path.
3. The average policy grows at the infosets of the walking role, weighted by 1 / the probability of the sample
   (stochastically weighted averaging).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from veil.equilibrium.configs import EXPLORE, NoOptions, OutcomeConfig
from veil.equilibrium.form import Form
from veil.equilibrium.records import Links, Tables
from veil.equilibrium.response import to_behaviour
from veil.equilibrium.sampling_kernels import run_external, run_outcome
from veil.equilibrium.tree import measure_depth

if TYPE_CHECKING:
    from veil.equilibrium.prepared_game import PreparedGame
    from veil.equilibrium.tree_records import Tree


def make_external(config: NoOptions, prepared: PreparedGame, seed: int) -> McCfrSolver:
    """Start a run of external sampling."""
    del config
    return McCfrSolver(prepared.tree.flat, prepared.form, prepared.total, "external", seed)


def make_outcome(config: OutcomeConfig, prepared: PreparedGame, seed: int) -> McCfrSolver:
    """Start a run of outcome sampling."""
    return McCfrSolver(prepared.tree.flat, prepared.form, prepared.total, "outcome", seed, config.explore)


class McCfrSolver:
    """Regrets and average policy of one run. Equal seeds give equal runs."""

    is_exact = False

    def __init__(
        self, tree: Tree, form: Form, total: float | None, sampling: str, seed: int = 0, explore: float = EXPLORE
    ) -> None:
        """Start a run. `sampling` is external or outcome; `total` is the sum of the payoffs, None if it varies."""
        self.form, self.sampling, self.explore = form, sampling, explore
        self.iterations = 0
        share = (total or 0.0) / form.num_roles  # centred payoffs, so that a sample's weight multiplies less noise
        self._links = link(tree._replace(utility=tree.utility - share))
        self._rng = np.random.default_rng(seed)
        widest = int(np.diff(tree.slot_start).max(initial=1))
        zeros = np.zeros(tree.num_slots)
        shape = (measure_depth(tree) + 1, widest)
        self._tables = Tables(zeros, zeros.copy(), np.zeros(shape), np.zeros(shape))
        self.run(0)  # compile before the clock starts

    def run(self, iterations: int) -> None:
        """Run `iterations` more iterations; in each, every role walks once."""
        roles = self.form.num_roles
        if self.sampling == "external":
            run_external(self._links, self._tables, self._rng, roles, iterations)
        else:
            run_outcome(self._links, self._tables, self._rng, roles, iterations, self.explore)
        self.iterations += iterations

    def average(self) -> np.ndarray:
        """Return the average policy [S]."""
        return to_behaviour(self.form, self._tables.policy_sum)


def link(tree: Tree) -> Links:
    """Return the children and infosets of every node."""
    children = tree.num_children.astype(np.int32)
    first = np.zeros(len(tree.parent), np.int32)
    if len(tree.parent) > 1:
        starts = np.flatnonzero(np.concatenate(([False, True], tree.parent[2:] != tree.parent[1:-1])))
        first[tree.parent[starts]] = starts
    slot_infoset = np.repeat(np.arange(len(tree.slot_start) - 1), np.diff(tree.slot_start)).astype(np.int32)
    infoset = np.full(len(tree.parent), -1, np.int32)
    decided = np.flatnonzero(tree.slot >= 0)
    infoset[tree.parent[decided]] = slot_infoset[tree.slot[decided]]
    roles = np.repeat(np.arange(len(tree.role_start) - 1), np.diff(tree.role_start)).astype(np.int32)
    return Links(first, children, infoset, roles, tree.slot_start, tree.chance_prob, tree.utility)
