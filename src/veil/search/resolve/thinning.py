"""Parts of weighted worlds that speak for all of them: weights stay right in expectation."""

from __future__ import annotations

import numpy as np

UNIT = 2.0**-53  # of a random number that a 64-bit name gives


def draw_part(weights: np.ndarray, count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw at most `count` of these positive weights [W]; return their places, ascending, and their new weights.

    Each is drawn with a probability p in proportion to its weight, or surely, and gets its weight divided by p.
    """
    if len(weights) <= count:
        return np.arange(len(weights)), weights
    order = np.argsort(-weights, kind="stable")
    rest = np.cumsum(weights[order][::-1])[::-1]  # of a weight and all smaller ones
    is_sure = weights[order] * (count - np.arange(len(order))) >= rest
    sure = int(np.argmin(is_sure))  # the first that is not sure
    chance = np.ones(len(weights))
    small = order[sure:]
    chance[small] = weights[small] * (count - sure) / rest[sure]
    ticks = np.cumsum(np.concatenate(([rng.random()], chance[small])))
    drawn = np.sort(np.concatenate((order[:sure], small[np.diff(np.floor(ticks)) >= 1.0])))
    return drawn, weights[drawn] / chance[drawn]


def draw_per_group(
    weights: np.ndarray, which: np.ndarray, names: np.ndarray, is_sure: np.ndarray, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Draw from each group at most `count` of these weights [W], and all that are sure; return places and new weights.

    `which` [W] is the group, from 0 on. Priority sampling (Duffield, Lund & Thorup 2007): of weights divided by random
    numbers the largest stay, and become at least as large as the first that does not. A number is made from the 64-bit
    name [W]: where the same names are in several groups, the same ones stay.
    """
    priority = np.where(is_sure, np.inf, weights / (((names >> np.uint64(11)) + np.uint64(1)) * UNIT))
    order, size = np.lexsort((-priority, which)), np.bincount(which)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order)) - np.repeat(np.cumsum(size) - size, size)
    limit = (np.bincount(which, is_sure).astype(int) + count)[which]
    first_out, kept = np.flatnonzero(rank == limit), np.flatnonzero(rank < limit)
    least = np.zeros(len(size))
    least[which[first_out]] = priority[first_out]
    raised = np.where(is_sure, weights, np.maximum(weights, least[which]))
    return kept, raised[kept]
