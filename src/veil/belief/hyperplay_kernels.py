"""Kernels of HyperPlay: many HyperGames at once, each a depth-first search with its own stack.

A stack entry is a move that agreed when its step was tested and has not been played yet: to backtrack is to take the
next one. The bad moves of a step need no memory, only their number: the article counts a state for each of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.engine import judge_rows, kernel, list_joint_moves, split_mix, step_rows

DONE, FULL, NOTHING = 0, 1, 2  # how a search ends


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


class Told(NamedTuple):
    """What the role was told. T rounds."""

    role: np.int64
    own_move: np.ndarray  # [T]
    percepts: np.ndarray  # [T, words]
    over: np.bool_  # the game has ended with the last round


class Shape(NamedTuple):
    """How packed rows are laid out. R roles."""

    width: np.int64  # words of a block
    legal: np.ndarray  # [R + 1] columns of the roles' moves
    percepts: np.ndarray  # [R + 1] columns of the roles' percepts
    limit: np.int64  # joint moves of a step beyond which they are drawn lazily


@kernel
def search(code, shape, told, paths, stacks, rng, complete, visited, idle, budget, tally):
    """Forward and back, all models that are behind at once, until each explains the record or has used its budget.

    Changed in place: rng [M], complete [M] (the stack holds all that is left of the tree), visited [M] states, idle [M]
    (not to be searched), tally [5] (passes; of the first step of the newest round: models, tested, agreed; most rounds
    ever explained). A model that is not complete and finds nothing is reset and becomes idle. Returns FULL when a stack
    has no room, NOTHING when a complete model has searched everything, else DONE.
    """
    rounds, models = len(told.own_move), np.empty(64 * shape.width, np.int64)
    while True:
        count = 0
        for model in range(len(rng)):
            if paths.round[model] < rounds and visited[model] < budget and not idle[model] and count < len(models):
                models[count] = model
                count += 1
        if count == 0:
            return DONE
        some = models[:count]
        tested, row, rank, joint, state, log_prob, drawn = agreeing(code, shape, told, paths, some, rng)
        tally[0] += 3
        first = np.searchsorted(row, np.arange(count + 1))
        for at in range(count):
            if stacks.top[some[at]] + first[at + 1] - first[at] + 1 > stacks.round.shape[1]:
                return FULL
        rng[some] = drawn
        for at in range(count):
            model = some[at]
            complete[model] &= tested[at] < shape.limit
            if visited[model] == 0 and paths.round[model] == rounds - 1:
                tally[1] += 1
                tally[2] += tested[at]
                tally[3] += first[at + 1] - first[at]
        push(stacks, paths, rng, some, first, tested, rank, joint, state, log_prob)
        found = pop(stacks, paths, some, visited)
        for at in range(count):
            tally[4] = max(tally[4], paths.round[some[at]])
            if not found[at]:
                model = some[at]
                if complete[model]:
                    return NOTHING
                paths.round[model], complete[model], idle[model] = 0, True, True


@kernel
def agreeing(code, shape, told, paths, models, rng):
    """Test all joint moves of the steps of models [L]; those that agree, by model:

    (tested [L], row [N], rank [N], joint [N, R], state [N, words], log_prob [N], rng of the models [L] afterwards).
    """
    count, roles, words = len(models), len(shape.legal) - 1, paths.state.shape[2]
    states, own = np.empty((count, words), np.uint64), np.empty(count, np.int64)
    for at in range(count):
        step = paths.round[models[at]]
        states[at], own[at] = paths.state[models[at], step], told.own_move[step]
    drawn, index = rng[models], np.arange(count)
    legal, ended = np.zeros((count, shape.legal[roles]), np.uint64), np.zeros(count, np.bool_)
    goals = np.zeros((count, roles), np.int64)
    judge_rows(code, shape.width, states, index, legal, shape.legal[:-1], ended, goals)
    rows, joints, counts = list_joint_moves(legal, shape.legal, ~ended, told.role, own, shape.limit, drawn)
    following = np.zeros((len(rows), words), np.uint64)
    percepts = np.zeros((len(rows), shape.percepts[roles]), np.uint64)
    step_rows(code, shape.width, states, rows, joints, following, percepts, shape.percepts[:-1])
    good, tested, rank = np.empty(len(rows), np.int64), np.zeros(count, np.int64), np.empty(len(rows), np.int64)
    found, begin = 0, shape.percepts[told.role]
    for candidate in range(len(rows)):
        step = paths.round[models[rows[candidate]]]
        agrees = True
        for word in range(told.percepts.shape[1]):
            agrees &= percepts[candidate, begin + word] == told.percepts[step, word]
        if agrees:
            good[found], rank[found] = candidate, tested[rows[candidate]]
            found += 1
        tested[rows[candidate]] += 1
    good, rank = good[:found], rank[:found]
    goes_on = whether_it_goes_on(code, shape, told, paths, models, following, rows, good)
    good, rank = good[goes_on], rank[goes_on]
    row = rows[good]
    log_prob = np.zeros(len(good))
    for at in range(len(good)):
        for role in range(roles):
            if role != told.role:
                log_prob[at] -= np.log(counts[row[at], role])
    return tested, row, rank, joints[good], following[good], log_prob, drawn


@kernel
def whether_it_goes_on(code, shape, told, paths, models, following, rows, good):
    """Everybody knows whether the game goes on after a round: which of the good candidates lead to where it is so."""
    roles = len(shape.legal) - 1
    legal, ended = np.zeros((len(good), shape.legal[roles]), np.uint64), np.zeros(len(good), np.bool_)
    goals = np.zeros((len(good), roles), np.int64)
    judge_rows(code, shape.width, following, good, legal, shape.legal[:-1], ended, goals)
    keep = np.zeros(len(good), np.bool_)
    for at in range(len(good)):
        last = paths.round[models[rows[good[at]]]] + 1 == len(told.own_move)
        keep[at] = ended[at] == (told.over and last)
    return keep


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
