"""`mmd`: a mixed HyperPlay, by one step of magnetic mirror descent over its values (Sokota et al. 2023).

1. q(a) = HyperPlay's values of the own moves, equations (12) and (13), scaled so that the lowest goal of the role is
   -1 and the highest 1.
2. pi(a) is proportional to (pi0(a) * rho(a)^(alpha * eta) * exp(eta * q(a)))^(1 / (1 + alpha * eta)), with step size
   eta, temperature alpha, the policy before the step pi0 and the magnet rho, both uniform here.
3. Repeat step 2 with pi for pi0 (`steps`). The fixed point is rho * exp(q / alpha), normalised: near-equal moves stay
   mixed, however often they are valued, and better ones are played more often the lower alpha is.

HyperPlay treats every world as the truth and plays the best move; an opponent that knows this can rely on it. Mixing
costs little if values are close, and it makes the move less predictable.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from veil.registry import option
from veil.search.contract import Answer, SearchBudget, SearchQuestion, SearchTask
from veil.search.playouts.montecarlo import ModelsConfig, MonteCarloSearch


@dataclass(frozen=True, slots=True, kw_only=True)
class MmdConfig(ModelsConfig):
    """HyperPlay's options, and those of the step."""

    alpha: float = option(0.2, "temperature: the pull to uniform play", limit="temperature")
    eta: float = option(20.0, "step size: the pull to the best values", limit="temperature")
    steps: int = option(1, "of mirror descent with these values", limit="iterations")

    def searcher(self, task: SearchTask) -> MmdSearch:
        """Return a searcher for one role of one match."""
        return MmdSearch(task, self)


class MmdSearch:
    """A search by HyperPlay's values, with mirror descent instead of the best move."""

    def __init__(self, task: SearchTask, config: MmdConfig) -> None:
        self.config = config
        goals = task.game.machine.program.goals[task.role_id]
        self.low, self.high = min(goals, default=0), max(goals, default=0)
        self._values = MonteCarloSearch(task, config)

    def search(self, question: SearchQuestion, budget: SearchBudget, rng: np.random.Generator) -> Answer:
        """Return a mixed strategy after this record."""
        answer = self._values.search(question, budget, rng)
        span = max(1, self.high - self.low)
        quality = 2.0 * (answer.values - self.low) / span - 1.0
        uniform = np.full(len(quality), 1.0 / len(quality))
        policy = uniform
        for _ in range(self.config.steps):
            policy = descend(policy, uniform, quality, self.config.alpha, self.config.eta)
        return replace(answer, strategy=policy)


def descend(prior: np.ndarray, magnet: np.ndarray, quality: np.ndarray, alpha: float, eta: float) -> np.ndarray:
    """Return the policy [K] after a step of magnetic mirror descent from `prior` [K]; unplayed moves stay out."""
    with np.errstate(divide="ignore"):
        logs = (np.log(prior) + alpha * eta * np.log(magnet) + eta * quality) / (1.0 + alpha * eta)
    policy: np.ndarray = np.exp(logs - logs.max())
    policy /= policy.sum()
    return policy
