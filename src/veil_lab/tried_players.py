"""Players with options that were tried without lasting gain, for experiments; entry points of `veil.players` name them.

`hyperplay_mixed` is HyperPlay that plays near-equal moves equally often.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from veil.limits import Limit
from veil.players import PACKAGE
from veil.registry import Row, option
from veil.search import Answer, HyperPlayConfig, MonteCarloSearch, SearchBudget, SearchQuestion, SearchTask

MIXED = Row(
    "veil.players",
    "veil_lab.tried_players:MixedConfig",
    "SearchPlayer",
    "of the laboratory: HyperPlay that mixes near-equal moves",
    frozenset({PACKAGE}),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MixedConfig(HyperPlayConfig):
    """The options of HyperPlay, and which moves count as equal."""

    mix: float = option(
        0.1, "moves are equal that differ by at most this share of the span of goals", limit=Limit(0, 1)
    )

    def searcher(self, task: SearchTask) -> MixedSearch:
        """Return a searcher for one role of one match."""
        return MixedSearch(task, self)


class MixedSearch(MonteCarloSearch):
    """A search whose answer plays all moves within a margin of the best equally often."""

    def __init__(self, task: SearchTask, config: MixedConfig) -> None:
        super().__init__(task, config)
        goals = task.game.machine.program.goals[task.role_id]
        self.margin = config.mix * (max(goals, default=0) - min(goals, default=0))

    def search(self, question: SearchQuestion, budget: SearchBudget, rng: np.random.Generator) -> Answer:
        """Return the moves within the margin of the best after this record."""
        return mix_moves(super().search(question, budget, rng), self.margin)


def mix_moves(answer: Answer, margin: float) -> Answer:
    """Return the answer that plays the best moves, and those that differ from them by at most the margin."""
    best = (answer.strategy > 0.0) | (answer.values >= answer.values.max() - margin)
    return replace(answer, strategy=best / best.sum())
