"""Kernels of simulations: many games side by side, a nested player in every role."""

from __future__ import annotations

import numpy as np

from veil.belief.many_records import NUM_QUESTIONS, UNKNOWN, RecordTable, grow_record
from veil.engine.lanes import Code, Int, RowLayout, count_ones, judge_rows, kernel, split_mix, step_rows
from veil.search.contract import TIE
from veil.search.hyperplay2.records import SimulatedGames, ValuePool
from veil.search.hyperplay2.value_kernels import ONLY, draw_legal


@kernel
def replay_records(
    code: Code, layout: RowLayout, table: RecordTable, chance: Int, start: np.ndarray, histories: np.ndarray,
    record: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Return every role's record [N, R] after histories [N, T, R] from the start state [1, words].

    `record` [N, R] are the records at the start, and changed in place; that of `chance` stays the same. The table is
    changed in place, and must have room for all of them.
    """
    count, rounds, roles = histories.shape
    states = np.empty((count, start.shape[1]), np.uint64)
    for row in range(count):
        states[row] = start[0]
    joint = np.empty((count, roles), np.int64)
    for round_index in range(rounds):
        for row in range(count):
            for role in range(roles):
                joint[row, role] = histories[row, round_index, role]
        states = step_games(code, layout, table, chance, states, joint, record)
    return record


@kernel
def step_games(
    code: Code,
    layout: RowLayout,
    table: RecordTable,
    chance: Int,
    states: np.ndarray,
    joint: np.ndarray,
    record: np.ndarray,
) -> np.ndarray:
    """Return the states [B, words] after joint moves [B, R]; record [B, R] grows by the round (table changed)."""
    count, roles = joint.shape
    following = np.zeros((count, states.shape[1]), np.uint64)
    seen = np.zeros((count, layout.percepts[roles]), np.uint64)
    step_rows(code, layout.width, states, np.arange(count), joint, following, seen, layout.percepts[:-1])
    for row in range(count):
        for role in range(roles):
            if role != chance:
                record[row, role] = grow_record(table, layout, record[row, role], joint[row, role], seen, row)
    return following


@kernel
def open_round(code: Code, layout: RowLayout, role: Int, games: SimulatedGames, round_index: Int) -> Int:
    """Judge the games: those that are over or cut end, the others move to the front. Returns how many were cut.

    `role` is the role whose goals count. Games are changed in place; a game is cut in round `last`.
    """
    count, roles = games.alive[0], games.record.shape[1]
    legal, over = np.zeros((count, layout.legal[roles]), np.uint64), np.zeros(count, np.bool_)
    goals = np.zeros((count, roles), np.int64)
    judge_rows(code, layout.width, games.state, np.arange(count), legal, layout.legal[:-1], over, goals)
    kept = cut = 0
    for row in range(count):
        number = games.number[row]
        games.rounds[number] = round_index
        if over[row]:
            games.goals[number] = goals[row, role]
        elif round_index >= games.last[number]:
            cut += 1
        else:
            games.number[kept], games.legal[kept] = number, legal[row]
            games.state[kept], games.record[kept] = games.state[row], games.record[row]
            kept += 1
    games.alive[0] = kept
    return cut


@kernel
def list_undecided(table: RecordTable, layout: RowLayout, games: SimulatedGames, role: Int) -> np.ndarray:
    """Return the records [U] of a role that has a choice in some game and no values yet (asked, used changed)."""
    table.used[NUM_QUESTIONS] += 1
    found, count = np.empty(games.alive[0], np.int64), 0
    for row in range(games.alive[0]):
        record = games.record[row, role]
        if table.num_values[record] != UNKNOWN or table.asked[record] == table.used[NUM_QUESTIONS]:
            continue
        if count_ones(games.legal, row, layout.legal[role], layout.legal[role + 1]) > 1:
            table.asked[record] = table.used[NUM_QUESTIONS]
            found[count] = record
            count += 1
    return found[:count]


@kernel
def close_round(
    code: Code,
    layout: RowLayout,
    table: RecordTable,
    values: ValuePool,
    games: SimulatedGames,
    chance: Int,
    beginner: Int,
) -> None:
    """Draw a move of every role in every game, and grow all records (games and table changed; it must have room).

    `beginner` is the role that plays its first move; -1 in later rounds.
    """
    count, roles = games.alive[0], games.record.shape[1]
    joint = np.empty((count, roles), np.int64)
    for row in range(count):
        for role in range(roles):
            if role == beginner:
                joint[row, role] = games.first_move[games.number[row]]
            else:
                joint[row, role] = draw_choice(table, values, layout, games, row, role)
    states, record = games.state[:count], games.record[:count]
    games.state[:count] = step_games(code, layout, table, chance, states, joint, record)


@kernel
def draw_choice(
    table: RecordTable, values: ValuePool, layout: RowLayout, games: SimulatedGames, row: Int, role: Int
) -> np.int64:
    """Draw a role's move in a game: its only move, one of the best of its record, or any if none is known."""
    size = count_ones(games.legal, row, layout.legal[role], layout.legal[role + 1])
    record = games.record[row, role]
    if size <= 1 or table.num_values[record] <= 0:  # `random` has no values; nor has a record that nothing explains
        return draw_legal(games.legal, row, layout.legal[role], layout.legal[role + 1], games.rng)
    return draw_best(values, table.first_value[record], table.num_values[record], games.rng)


@kernel
def draw_best(values: ValuePool, first: Int, count: Int, rng: np.ndarray) -> np.int64:
    """Draw one of the moves of the highest value (14), each equally likely (rng [1] changed in place)."""
    top = values.value[first]
    for place in range(first, first + count):
        top = max(top, values.value[place])
    least, best = top - TIE * max(1.0, abs(top)), np.int64(0)
    for place in range(first, first + count):
        best += values.value[place] >= least
    skip = np.int64(split_mix(rng, ONLY) % np.uint64(best))
    for place in range(first, first + count):
        if values.value[place] >= least:
            if skip == 0:
                return np.int64(values.move[place])
            skip -= 1
    return np.int64(values.move[first])
