"""Kernels of HyperPlay: many HyperGames at once, each a depth-first search with its own stack.

A stack entry is a move that agreed when its step was tested and has not been played yet. Backtracking plays the next
entry. The bad moves of a step are not stored, only their number: the article counts a state for each of them.
"""

from __future__ import annotations

import numpy as np

from veil.belief.hyperplay.records import (
    DONE,
    FULL,
    NOTHING,
    PAUSE_AFTER,
    PAUSED,
    EncodedRecords,
    Models,
    NextSteps,
    Paths,
    Stacks,
)
from veil.engine.lanes import Code, RowLayout, judge_rows, kernel, list_joint_moves, split_mix, step_rows


@kernel
def search(
    code: Code, layout: RowLayout, records: EncodedRecords, models: Models, budget: int, tally: np.ndarray
) -> int:
    """Search with all models that are behind, forward and back, until each explains its record or has used its budget.

    Changed in place: models, and tally [5] (passes; of the first step of the newest round: models, tested, agreed;
    most rounds ever explained). A model that is not complete and finds nothing is reset and becomes idle. Returns FULL
    when a stack has no room, NOTHING when a complete model has searched everything, PAUSED when it has worked for a
    while and can be called again to go on with the same result, else DONE.
    """
    paths, stacks, complete, idle, visited = models.paths, models.stacks, models.complete, models.idle, models.visited
    rounds, behind, work = records.own_move.shape[1], np.empty(64 * layout.width, np.int64), 0
    while True:
        if work >= PAUSE_AFTER:
            return PAUSED
        count = 0
        for model in range(len(visited)):
            if paths.round[model] < rounds and visited[model] < budget and not idle[model] and count < len(behind):
                behind[count] = model
                count += 1
        if count == 0:
            return DONE
        some = behind[:count]
        drawn = models.rng[some]  # stored only if there is room for what is drawn
        steps = try_steps(code, layout, records, paths, some, drawn)
        tally[0] += 3
        work += steps.tested.sum() + len(visited) // 64
        for i in range(count):
            if stacks.top[some[i]] + steps.first[i + 1] - steps.first[i] + 1 > stacks.round.shape[1]:
                return FULL
        for i in range(count):
            model = some[i]
            models.rng[model] = drawn[i]
            complete[model] &= steps.tested[i] < layout.limit
            if visited[model] == 0 and paths.round[model] == rounds - 1:
                tally[1] += 1
                tally[2] += steps.tested[i]
                tally[3] += steps.first[i + 1] - steps.first[i]
        push(stacks, paths, models.rng, some, steps)
        moved = pop(stacks, paths, some, visited)
        for i in range(count):
            model = some[i]
            tally[4] = max(tally[4], paths.round[model])
            if not moved[i]:
                if complete[model]:
                    return NOTHING
                paths.round[model], complete[model], idle[model] = 0, True, True


@kernel
def try_steps(
    code: Code, layout: RowLayout, records: EncodedRecords, paths: Paths, models: np.ndarray, rng: np.ndarray
) -> NextSteps:
    """Test all joint moves of the next steps of models [L]; rng [L] is changed in place."""
    count, roles, words = len(models), len(layout.legal) - 1, paths.state.shape[2]
    states, own_move = np.empty((count, words), np.uint64), np.empty(count, np.int64)
    for i in range(count):
        step = paths.round[models[i]]
        own_move[i] = records.own_move[records.of_model[models[i]], step]
        for word in range(words):
            states[i, word] = paths.state[models[i], step, word]
    legal, ended = judge_some(code, layout, states, np.arange(count))
    rows, joints, counts = list_joint_moves(legal, layout.legal, ~ended, records.role, own_move, layout.limit, rng)
    following = np.zeros((len(rows), words), np.uint64)
    percepts = np.zeros((len(rows), layout.percepts[roles]), np.uint64)
    step_rows(code, layout.width, states, rows, joints, following, percepts, layout.percepts[:-1])
    good, rank = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
    tested, num_good, begin = np.zeros(count, np.int64), 0, layout.percepts[records.role]
    for candidate in range(len(rows)):
        row = rows[candidate]
        step, told = paths.round[models[row]], records.of_model[models[row]]
        agrees = True
        for word in range(records.percepts.shape[2]):
            agrees &= percepts[candidate, begin + word] == records.percepts[told, step, word]
        if agrees:
            good[num_good], rank[num_good] = candidate, tested[row]
            num_good += 1
        tested[row] += 1
    # All roles know whether the game goes on after a round.
    _, over = judge_some(code, layout, following, good[:num_good])
    first, num_kept = np.zeros(count + 1, np.int64), 0
    for i in range(num_good):
        row = rows[good[i]]
        if over[i] == (records.over and paths.round[models[row]] + 1 == records.own_move.shape[1]):
            good[num_kept], rank[num_kept] = good[i], rank[i]
            num_kept += 1
            first[row + 1] = num_kept
    for i in range(count):
        first[i + 1] = max(first[i], first[i + 1])
    joint, state = np.empty((num_kept, roles), np.int64), np.empty((num_kept, words), np.uint64)
    log_prob = np.zeros(num_kept)
    for i in range(num_kept):
        candidate = good[i]
        for word in range(words):
            state[i, word] = following[candidate, word]
        for role in range(roles):
            joint[i, role] = joints[candidate, role]
            if role != records.role:
                log_prob[i] -= np.log(counts[rows[candidate], role])
    return NextSteps(tested, first, rank, joint, state, log_prob)


@kernel
def judge_some(code: Code, layout: RowLayout, states: np.ndarray, index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (legal moves [B, words], whether the game is over [B]) in states[index]."""
    roles = len(layout.legal) - 1
    legal, ended = np.zeros((len(index), layout.legal[roles]), np.uint64), np.zeros(len(index), np.bool_)
    judge_rows(
        code, layout.width, states, index, legal, layout.legal[:-1], ended, np.zeros((len(index), roles), np.int64)
    )
    return legal, ended


@kernel
def push(stacks: Stacks, paths: Paths, rng: np.ndarray, models: np.ndarray, steps: NextSteps) -> None:
    """Push tested steps of models [L] on their stacks, the agreeing moves in random order (stacks, rng [M] changed).

    The cost of a move counts the move and the bad moves before it. The bad moves after the last good one are an entry
    of their own, which is counted after all moves of the step.
    """
    longest = 0
    for i in range(len(models)):
        longest = max(longest, steps.tested[i])
    order, agrees = np.empty(longest, np.int64), np.empty(longest, np.int64)
    good, costs = np.empty(longest, np.int64), np.empty(longest, np.int64)
    for i in range(len(models)):
        model, tested = models[i], steps.tested[i]
        depth = paths.round[model]
        agrees[:tested] = -1
        for candidate in range(steps.first[i], steps.first[i + 1]):
            agrees[steps.rank[candidate]] = candidate
        shuffle(order, tested, rng, model)
        num_good = bad = 0
        for j in range(tested):
            if agrees[order[j]] < 0:
                bad += 1
            else:
                good[num_good], costs[num_good] = agrees[order[j]], bad + 1
                num_good, bad = num_good + 1, 0
        top = stacks.top[model]
        if bad > 0:
            stacks.round[model, top], stacks.cost[model, top] = 0, bad
            top += 1
        for j in range(num_good - 1, -1, -1):  # from the last to the first, so that the first one is on top
            candidate = good[j]
            stacks.round[model, top], stacks.cost[model, top] = depth + 1, costs[j]
            stacks.log_weight[model, top] = paths.log_weight[model, depth] + steps.log_prob[candidate]
            for role in range(steps.joint.shape[1]):
                stacks.joint[model, top, role] = steps.joint[candidate, role]
            for word in range(steps.state.shape[1]):
                stacks.state[model, top, word] = steps.state[candidate, word]
            top += 1
        stacks.top[model] = top


@kernel
def shuffle(order: np.ndarray, count: int, rng: np.ndarray, model: int) -> None:
    """Fill `order` with 0 to count - 1 in random order (order and rng changed; Fisher and Yates)."""
    for i in range(count):
        order[i] = i
    for i in range(count - 1, 0, -1):
        j = split_mix(rng, model) % np.uint64(i + 1)
        order[i], order[j] = order[j], order[i]


@kernel
def pop(stacks: Stacks, paths: Paths, models: np.ndarray, spent: np.ndarray) -> np.ndarray:
    """Play the next move of the stacks of models [L], however far back; spent [M] grows by its cost (all changed).

    Returns [L] whether there was one: a model without a move has searched everything.
    """
    moved = np.zeros(len(models), np.bool_)
    for i in range(len(models)):
        model = models[i]
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
            moved[i] = True
            break
    return moved
