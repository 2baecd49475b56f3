"""Kernels of HyperPlay: many HyperGames at once, each a depth-first search with its own stack.

A stack entry is a move that agreed when its step was tested and has not been played yet: to backtrack is to take the
next one. The bad moves of a step need no memory, only their number: the article counts a state for each of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.engine._kernels import split_mix
from veil.engine.jit import kernel


class Stacks(NamedTuple):
    """M models with room for C entries each. R roles."""

    top: np.ndarray  # [M] entries in use
    round: np.ndarray  # [M, C] rounds played once the move is made; 0: only a cost
    cost: np.ndarray  # [M, C] states visited before it, itself included
    joint: np.ndarray  # [M, C, R]
    state: np.ndarray  # [M, C, words]
    log_weight: np.ndarray  # [M, C]


class Paths(NamedTuple):
    """Where M models are. T rounds at most."""

    round: np.ndarray  # [M] rounds played
    joint: np.ndarray  # [M, T, R]
    state: np.ndarray  # [M, T + 1, words]
    log_weight: np.ndarray  # [M, T + 1]


@kernel
def push(stacks, paths, rng, models, first, tested, rank, joint, state, log_prob):
    """Tested steps of models [L] go on their stacks, the agreeing moves in random order (stacks, rng changed).

    Model l has agreeing candidates [first[l], first[l + 1]), at places `rank` among its tested[l]. A move costs itself
    and the bad ones before it; the bad ones after the last good one are paid when nothing else is left of the step.
    """
    longest = tested.max() if len(tested) else 0
    order, agrees = np.empty(longest, np.int64), np.empty(longest, np.int64)
    good, costs = np.empty(longest, np.int64), np.empty(longest, np.int64)
    for at in range(len(models)):
        model = models[at]
        depth = paths.round[model]
        agrees[: tested[at]] = -1
        for candidate in range(first[at], first[at + 1]):
            agrees[rank[candidate]] = candidate
        shuffle(order, tested[at], rng, model)
        found = bad = 0
        for i in range(tested[at]):
            if agrees[order[i]] < 0:
                bad += 1
            else:
                good[found], costs[found] = agrees[order[i]], bad + 1
                found, bad = found + 1, 0
        top = stacks.top[model]
        if bad > 0:
            stacks.round[model, top], stacks.cost[model, top] = 0, bad
            top += 1
        for i in range(found - 1, -1, -1):  # the last one first, so that the first one is on top
            candidate = good[i]
            stacks.round[model, top], stacks.cost[model, top] = depth + 1, costs[i]
            stacks.log_weight[model, top] = paths.log_weight[model, depth] + log_prob[candidate]
            for role in range(joint.shape[1]):
                stacks.joint[model, top, role] = joint[candidate, role]
            for word in range(state.shape[1]):
                stacks.state[model, top, word] = state[candidate, word]
            top += 1
        stacks.top[model] = top


@kernel
def shuffle(order, count, rng, model):
    """0 to count - 1 in random order (order and rng changed; Fisher and Yates)."""
    for i in range(count):
        order[i] = i
    for i in range(count - 1, 0, -1):
        j = split_mix(rng, model) % np.uint64(i + 1)
        order[i], order[j] = order[j], order[i]


@kernel
def pop(stacks, paths, models, spent):
    """Models [L] play the next move of their stacks, however far back; spent [M] grows by its cost (all changed).

    Returns [L] whether there was one: a model without a move has searched everything.
    """
    found = np.zeros(len(models), np.bool_)
    for at in range(len(models)):
        model = models[at]
        while stacks.top[model] > 0:
            stacks.top[model] -= 1
            entry = stacks.top[model]
            spent[model] += stacks.cost[model, entry]
            depth = stacks.round[model, entry]
            if depth == 0:
                continue
            paths.round[model] = depth
            paths.log_weight[model, depth] = stacks.log_weight[model, entry]
            for role in range(paths.joint.shape[2]):
                paths.joint[model, depth - 1, role] = stacks.joint[model, entry, role]
            for word in range(paths.state.shape[2]):
                paths.state[model, depth, word] = stacks.state[model, entry, word]
            found[at] = True
            break
    return found
