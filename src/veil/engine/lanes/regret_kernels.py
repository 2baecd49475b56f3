"""Regret matching: a policy in proportion to the positive parts of regrets, uniform where no regret is positive."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes.jit import Int, inlined


@inlined
def match_regrets(regret: np.ndarray, begin: Int, end: Int, policy: np.ndarray, first: Int) -> None:
    """Regrets [begin, end) -> probabilities from policy[first] on (policy changed in place)."""
    total = 0.0
    for slot in range(begin, end):
        total += max(regret[slot], 0.0)
    for slot in range(begin, end):
        policy[first + slot - begin] = max(regret[slot], 0.0) / total if total > 0.0 else 1.0 / (end - begin)


@inlined
def mix_regrets(
    numbers: np.ndarray, column: Int, first: Int, count: Int, even: float, rest: float, policy: np.ndarray
) -> None:
    """policy[:count] = even + rest * regret matching, for regrets in a column of rows [first, first + count).

    `even` is the uniform part of one move; where no regret is positive all is uniform (policy changed in place).
    """
    total = 0.0
    for k in range(count):
        total += max(numbers[first + k, column], 0.0)
    scale = rest / total if total > 0.0 else 0.0
    least = even if total > 0.0 else 1.0 / count
    for k in range(count):
        policy[k] = least + scale * max(numbers[first + k, column], 0.0)
