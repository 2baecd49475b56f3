"""A particle filter with one step of foresight: unbiased, where HyperPlay is biased by construction.

1. Every particle tests all joint moves of its step in lanes, and keeps those that agree with what the role was told.
2. It goes on with one of them, drawn by the others' policy; its weight is multiplied by the probability of all of them
   together. (That is the proposal of least variance, and the weight is the target over the proposal.)
3. When the weights have become uneven, effective sample size below half, particles are drawn anew by weight.

A particle whose moves all disagree has weight 0 and is dropped. When no particle is left, the filter cannot go on.
"""

from __future__ import annotations

from copy import copy, deepcopy
from dataclasses import dataclass
from typing import Self

import numpy as np

from veil.belief.bag import Bag, Lineage, draw_systematic, history_keys, normalise
from veil.belief.branches import Branches, branch, join_branches, policy_log_probs
from veil.belief.contract import (
    Cost,
    NoConsistentHistory,
    Opponents,
    SamplerContext,
    ZeroLikelihood,
    tell_opponents,
)
from veil.clock import split_portions
from veil.engine import Judged, Machine, grow_keys, replay_histories, root_keys
from veil.limits import check_limit
from veil.registry import check_options, option

PARTICLES = 1000
CHUNK = 1 << 15  # particles that are branched at a time
MAX_CANDIDATES = 4096  # joint moves of a step; more are drawn at random, which keeps the filter unbiased


@dataclass(frozen=True, slots=True, kw_only=True)
class ParticleConfig:
    """The size of the filter."""

    particles: int | None = option(
        None, "how many; as many as worlds are asked for where none is given", limit="worlds"
    )

    def __post_init__(self) -> None:
        check_options(self)


def make_particles(config: ParticleConfig, setting: SamplerContext) -> ParticleBelief:
    """Return the sampler of a row of `SAMPLERS`."""
    particles = config.particles or max(setting.min_particles, setting.count)
    return ParticleBelief(
        setting.machine, setting.role_id, particles=particles, seed=setting.seed, opponents=setting.opponents
    )


class ParticleBelief:
    """Weighted particles of a role."""

    def __init__(
        self,
        machine: Machine,
        role: int,
        *,
        particles: int = PARTICLES,
        seed: int = 0,
        opponents: Opponents | None = None,
    ) -> None:
        check_limit("worlds", particles, "particles")
        self.machine, self.role, self.opponents, self.particles = machine, role, opponents, particles
        self.rounds = self.states_visited = self.passes = 0
        self.log_evidence = 0.0  # log of the estimated probability of the record
        self._rng = np.random.default_rng(seed)
        self.lineage = Lineage(len(machine.program.roles))
        self.states = machine.initial_states(particles)
        self.log_weight = np.full(particles, -np.log(particles))
        self._keys = root_keys(machine, particles)
        self._over = False
        self._judged: Judged | None = None

    @property
    def effective(self) -> float:
        """The effective sample size."""
        weights = normalise(self.log_weight)
        return float(1.0 / (weights**2).sum())

    @property
    def size(self) -> int:
        """The number of particles that are left."""
        self.drop_ended()
        return len(self.states)

    @property
    def cost(self) -> Cost:
        """The cost so far."""
        return Cost(self.states_visited, self.passes)

    def copy(self) -> Self:
        """Return an independent sampler with the same knowledge."""
        twin = copy(self)
        twin.lineage = self.lineage.copy()
        twin._rng = deepcopy(self._rng)
        return twin

    def observe(self, own_move: int, percepts: np.ndarray, over: bool = False, deadline: float | None = None) -> None:
        """Observe one more round. Raises `NoConsistentHistory` if no particle goes on; the filter is then useless.

        Particles for which there is no time are dropped; the remaining particles are a smaller sample.
        """
        judged = self._settle()
        if self.effective < len(self.states) / 2 or len(self.states) < self.particles:
            judged = self._resample(judged)
        if deadline is not None:  # any particle may be dropped
            judged = self._keep(self._rng.permutation(len(self.states)), judged)
        branches = self._branch(judged, own_move, percepts, deadline)
        rows = len(branches.tested)
        if rows < len(self.states):
            judged = self._keep(np.arange(rows), judged)
        if not len(branches.row):
            raise NoConsistentHistory(self.rounds + 1, proved=False)
        chance = self._chances(judged, branches.joint, branches.row, branches.log_prob, branches.tested)
        total = np.bincount(branches.row, chance, minlength=rows)
        alive = np.flatnonzero(total > 0)
        if not len(alive):
            raise ZeroLikelihood(self.rounds + 1, proved=False)
        pick = self._pick(branches.row, chance, total)[alive]
        weight = self.log_weight[alive] + np.log(total[alive])
        top = weight.max()
        scale = float(top + np.log(np.exp(weight - top).sum()))
        self.log_evidence += scale
        if self.opponents is not None:
            seen_by = tuple(part[pick] for part in branches.percepts)
            before, joint = self._keys[branches.row[pick]], branches.joint[pick]
            self._keys = grow_keys(before, np.arange(len(pick)), joint, seen_by)
            tell_opponents(self.opponents, before, joint, seen_by, self._keys)
        self.lineage.grow(branches.row[pick], branches.joint[pick])
        self.states, self.log_weight = branches.states[pick], weight - scale
        self.rounds += 1
        self._judged, self._over = None, over

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        """Return the distinct histories of the particles, each with the weight of all particles that share it."""
        self._settle()
        weights = normalise(self.log_weight)
        histories = self.lineage.histories(np.arange(len(weights)))
        _, first, which = np.unique(history_keys(histories), return_index=True, return_inverse=True)
        weights = np.bincount(which, weights)
        if count is not None and count < len(first):
            some, times = np.unique(draw_systematic(weights, count, rng), return_counts=True)
            first, weights = first[some], times / count
        return Bag(
            histories=histories[first],
            states=self.states[first],
            weights=weights,
            sampler="particle",
            states_visited=self.states_visited,
            passes=self.passes,
        )

    def take_over(self, bag: Bag, rng: np.random.Generator) -> None:
        """Begin with particles drawn from the bag of another sampler."""
        index = draw_systematic(bag.weights, self.particles, rng)
        self.rounds = bag.histories.shape[1]
        self.states = bag.states[index]
        self.log_weight = np.full(len(index), -np.log(len(index)))
        for round_index in range(self.rounds):
            self.lineage.grow(np.arange(len(index)), bag.histories[index, round_index])
        if self.opponents is not None:
            self._keys = self._replay(bag.histories[index])
        self._judged = None

    def _replay(self, histories: np.ndarray) -> np.ndarray:
        """Return the keys [N, R] of all roles' records after these histories, and tell the opponents about them."""
        keys = root_keys(self.machine, len(histories))
        for played in replay_histories(self.machine, histories):
            tell_opponents(self.opponents, played.keys, played.joint, played.percepts, played.next_keys)
            keys = played.next_keys
        return keys

    def _branch(self, judged: Judged, own_move: int, percepts: np.ndarray, deadline: float | None) -> Branches:
        """Do step 1 for as many particles as there is time for."""
        words = self._rng.integers(0, 2**64, len(self.states), np.uint64, endpoint=False)
        parts = []
        for part in split_portions(len(self.states), CHUNK, deadline):
            rows = part.stop - part.start
            own_moves, seen = np.full(rows, own_move), np.repeat(percepts[None, :], rows, axis=0)
            states = self.states[part]
            parts.append(
                branch(self.machine, self.role, states, judged.rows(part), own_moves, seen, MAX_CANDIDATES, words[part])
            )
            self.passes += 2
        branches = join_branches(parts)
        self.states_visited += int(branches.tested.sum())
        return branches

    def _keep(self, index: np.ndarray, judged: Judged) -> Judged:
        """Keep only these particles, in this order."""
        self.lineage.keep(index)
        self.states, self._keys, self.log_weight = self.states[index], self._keys[index], self.log_weight[index]
        self._judged = judged.rows(index)
        return self._judged

    def _chances(
        self, judged: Judged, joint: np.ndarray, row: np.ndarray, log_prob: np.ndarray, tested: np.ndarray
    ) -> np.ndarray:
        """Return the probability [N] of each agreeing candidate among all candidates of its particle."""
        if self.opponents is None:
            even: np.ndarray = 1.0 / tested[row]
            return even
        moves = [len(own) for own in self.machine.program.moves]
        chance: np.ndarray = np.exp(policy_log_probs(self.role, judged, joint, row, self._keys, moves, self.opponents))
        whole = np.exp(log_prob) * tested[row]  # below 1 if only some of the joint moves were drawn
        chance /= np.where(whole < 1.0 - 1e-9, whole, 1.0)
        return chance

    def _pick(self, row: np.ndarray, chance: np.ndarray, total: np.ndarray) -> np.ndarray:
        """Draw one candidate per particle [B] by chance; rows are sorted."""
        edges = np.cumsum(chance)
        before = np.concatenate(([0.0], np.cumsum(total)[:-1]))
        points = before + self._rng.random(len(total)) * total
        last = np.searchsorted(row, np.arange(len(total)), side="right") - 1
        first = np.searchsorted(row, np.arange(len(total)), side="left")
        picked: np.ndarray = np.clip(np.searchsorted(edges, points, side="right"), first, np.maximum(last, first))
        return picked

    def _resample(self, judged: Judged) -> Judged:
        index = draw_systematic(normalise(self.log_weight), self.particles, self._rng)
        judged = self._keep(index, judged)
        self.log_weight = np.full(len(index), -np.log(len(index)))
        return judged

    def drop_ended(self) -> None:
        """Drop the particles that contradict whether the game has ended."""
        self._settle()

    def _settle(self) -> Judged:
        """Drop these particles, and return what holds in the states of those that are left."""
        if self._judged is not None:
            return self._judged
        judged = self.machine.judge(self.states)
        self.passes += 1
        index = np.flatnonzero(judged.terminal == self._over)
        if not len(index):
            raise NoConsistentHistory(self.rounds, proved=False)
        if len(index) < len(self.states):
            lost = np.log(np.exp(self.log_weight[index]).sum())
            judged = self._keep(index, judged)
            self.log_weight = self.log_weight - lost
            self.log_evidence += float(lost)
        self._judged = judged
        return judged
