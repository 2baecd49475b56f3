"""Monte Carlo counterfactual regret minimisation on the explicit tree: external and outcome sampling.

Lanctot, Waugh, Zinkevich & Bowling 2009. Outcome sampling weights the average policy by 1 / probability of the sample
(stochastically weighted averaging), external sampling counts every visit of another role's infoset.
"""

from __future__ import annotations

import numpy as np

from veil.equilibrium.form import Form
from veil.equilibrium.records import Links, Tables
from veil.equilibrium.response import behaviour
from veil.equilibrium.tree import Tree, depth
from veil.errors import fail

EXPLORE = 0.6  # as in the experiments of Lanctot et al.


class McCfrSolver:
    """Regrets and average policy of one run; the same seed gives the same run."""

    def __init__(
        self, tree: Tree, form: Form, total: float | None, sampling: str, seed: int = 0, explore: float = EXPLORE
    ) -> None:
        """`sampling` is external or outcome; `total` is what the payoffs add up to, None where that varies."""
        if not 0.0 < explore <= 1.0:
            raise fail("bad-limit", name="explore", value=explore)
        self.form, self.sampling, self.explore = form, sampling, explore
        self.iterations = 0
        share = (total or 0.0) / form.num_roles  # centred payoffs: a sample's weight multiplies less noise
        self._links = link(tree._replace(utility=tree.utility - share))
        self._rng = np.random.default_rng(seed)
        widest = int(np.diff(tree.slot_start).max(initial=1))
        zeros = np.zeros(tree.num_slots)
        shape = (depth(tree) + 1, widest)
        self._tables = Tables(zeros, zeros.copy(), np.zeros(shape), np.zeros(shape))
        self.run(0)  # compiled now, before anyone looks at the clock

    def run(self, iterations: int) -> None:
        """So many iterations more; in each, every role learns once."""
        from veil.equilibrium.sampling_kernels import run_external, run_outcome

        roles = self.form.num_roles
        if self.sampling == "external":
            run_external(self._links, self._tables, self._rng, roles, iterations)
        else:
            run_outcome(self._links, self._tables, self._rng, roles, iterations, self.explore)
        self.iterations += iterations

    def average(self) -> np.ndarray:
        """[S] the average policy."""
        return behaviour(self.form, self._tables.policy_sum)


def link(tree: Tree) -> Links:
    """Children and infosets of every node."""
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
