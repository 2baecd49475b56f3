"""Kernels of the vector environment: whole steps of many games, 256 to a block, without Python in between.

A step of a block:

1. The roles' moves are put into the lanes; chance draws its own.
2. The round is played. Then, as long as there are lanes in which nobody has a choice, these go on by themselves.
3. Where a game ends (or a role is stuck, or it has had `max_rounds` rounds), its reward is noted and a new one begins,
   whose forced rounds are played as well. If that one is over before anybody could choose, it waits, and the next step
   says so, whatever is played in it.

Chance draws once for all lanes of a block and round; so the same seed and the same moves give the same games.
"""

from __future__ import annotations

import numpy as np

from veil.engine import LANES, Int, address, call_address, kernel, lowest_bit
from veil.interop.lane_kernels import (
    WIDTH,
    add_rows,
    blend_rows,
    copy_row,
    copy_rows,
    count_rows,
    is_any,
    keep_row,
    row_at,
    transpose_rows,
)
from veil.interop.vector_layout import (
    END_GOAL,
    FIRST_GOAL,
    LEGAL_ROW,
    MOVES_ROW,
    NOWHERE,
    NUM_MOVES,
    NUM_PERCEPTS,
    PERCEPTS_ROW,
    RECORD_AT,
    RECORD_WORDS,
    SHOW_LEGAL,
    SHOW_SEEN,
    SHOW_TOLD,
    StepOutcome,
    VectorLanes,
    VectorPlan,
)

ZERO, ONE, ONES = np.uint64(0), np.uint64(1), ~np.uint64(0)
DIGITS = 16  # of an action
IN_A_WORD = 64 // DIGITS  # actions
MOVING, ENDING, DONE, CHOICE, STUCK, CUT, SOME, SEVERAL, KEEP, ALL, NONE = range(11)  # rows of `marks`
NUM_MARKS = 11


@kernel
def step_blocks(
    plan: VectorPlan, lanes: VectorLanes, actions: np.ndarray, outcome: StepOutcome, begins: bool
) -> np.int64:
    """Play actions [N, R] in every game, -1 for an only legal move; or begin a new game everywhere.

    Returns -1, or the number of the first game with a move that is not legal; nothing was played then.
    """
    marks, square = np.zeros((NUM_MARKS, WIDTH), np.uint64), np.zeros((64, WIDTH), np.uint64)
    for w in range(WIDTH):
        marks[ALL, w] = ONES
    if not begins:
        for block in range(len(lanes.values)):
            bad = put_actions(plan, lanes, block, actions, marks, square)
            if bad >= 0:
                return np.int64(bad)
    for block in range(len(lanes.values)):
        for w in range(WIDTH):
            marks[DONE, w] = ZERO
            marks[ENDING, w] = lanes.active[block, w] if begins else lanes.over[block, w]
            marks[MOVING, w] = ZERO if begins else lanes.active[block, w] & ~lanes.over[block, w]
        note_moves(plan, lanes, block, marks)
        settle_block(plan, lanes, block, marks, square, outcome)
        show_legal(plan, lanes, block, marks)
    return np.int64(-1)


@kernel
def put_actions(
    plan: VectorPlan, lanes: VectorLanes, block: Int, actions: np.ndarray, marks: np.ndarray, square: np.ndarray
) -> np.int64:
    """The moves of a round into the lanes of a block, of chance at random; -1, or the game with one that is not legal.

    The numbers of the moves, turned round, are rows of digits; the lanes of a move are those with its digits.
    """
    v, first = address(lanes.values[block]), block * LANES
    games = min(LANES, len(actions) - first)
    if plan.chance_moves:
        call_address(plan.choose, v, address(lanes.chance_rng[block]), plan.image)
    for number in range(len(plan.roles)):
        part = number % IN_A_WORD
        if part == 0:
            beyond = turn_actions(actions, first, games, number, square)
            if beyond >= 0:
                return np.int64(beyond)
        role, digits = plan.roles[number], row_at(address(square), DIGITS * part)
        legal, count = row_at(v, role[LEGAL_ROW]), role[NUM_MOVES]
        played = address(marks[KEEP])
        for w in range(WIDTH):
            only = ONES
            for digit in range(DIGITS):
                only &= square[DIGITS * part + digit, w]
            marks[CUT, w], marks[KEEP, w] = only, ZERO
        decode_moves(row_at(v, role[MOVES_ROW]), count, digits, marks)
        for move in range(count):
            add_rows(played, row_at(v, role[MOVES_ROW] + move), np.int64(1), row_at(legal, move))
        if is_any(marks[CUT]):
            for w in range(WIDTH):
                marks[SOME, w], marks[SEVERAL, w] = ZERO, ZERO
            count_rows(legal, count, address(marks[SOME]), address(marks[SEVERAL]))
            for w in range(WIDTH):
                marks[CUT, w] &= marks[SOME, w] & ~marks[SEVERAL, w]
                marks[KEEP, w] |= marks[CUT, w]
            add_rows(row_at(v, role[MOVES_ROW]), legal, count, address(marks[CUT]))
        for w in range(WIDTH):
            bad = lanes.active[block, w] & ~marks[KEEP, w]
            if bad:
                return np.int64(first + 64 * w + lowest_bit(bad))
    return np.int64(-1)


@kernel
def turn_actions(actions: np.ndarray, first: Int, games: Int, number: Int, square: np.ndarray) -> np.int64:
    """The actions of up to four roles from `number` on as rows of digits, square [64, W] (changed in place).

    Returns -1, or the game with a number that is none of a move.
    """
    end = min(number + IN_A_WORD, actions.shape[1])
    for w in range(WIDTH):
        for i in range(64):
            word, lane = ZERO, 64 * w + i
            if lane < games:
                for role in range(number, end):
                    action = actions[first + lane, role]
                    if (action + 1) >> DIGITS:
                        return np.int64(first + lane)
                    digits = np.uint64(action) & np.uint64((1 << DIGITS) - 1)
                    word |= digits << np.uint64(DIGITS * (role - number))
            square[i, w] = word
    transpose_rows(square)
    return np.int64(-1)


@kernel
def decode_moves(moves: np.uint64, count: Int, digits: np.uint64, marks: np.ndarray) -> None:
    """The rows of `count` moves from the digits of their numbers, both by address."""
    ones, zeros, low = address(marks[NONE]), address(marks[ALL]), address(marks[SOME])
    used = 0  # digits of the highest number
    while (count - 1) >> used:
        used += 1
    copy_row(low, zeros, zeros)
    for digit in range(used, DIGITS):  # lanes without any higher digit
        keep_row(low, row_at(digits, digit), zeros)
    for move in range(count):
        target = row_at(moves, move)
        copy_row(target, low, low)
        for digit in range(used):
            keep_row(target, row_at(digits, digit), ones if (move >> digit) & 1 else zeros)


@kernel
def note_moves(plan: VectorPlan, lanes: VectorLanes, block: Int, marks: np.ndarray) -> None:
    """What a role is told of this step begins with its own move (shown changed in place)."""
    v, shown, moving = address(lanes.values[block]), address(lanes.shown[block]), address(marks[MOVING])
    for number in range(len(plan.roles)):
        role = plan.roles[number]
        told, moves, count = row_at(shown, role[SHOW_TOLD]), row_at(v, role[MOVES_ROW]), role[NUM_MOVES]
        copy_rows(told, moves, count, moving)
        copy_rows(row_at(told, count), moves, role[NUM_PERCEPTS], address(marks[NONE]))


@kernel
def settle_block(
    plan: VectorPlan, lanes: VectorLanes, block: Int, marks: np.ndarray, square: np.ndarray, outcome: StepOutcome
) -> None:
    """Play the round of the lanes that move, end the games of those that end, and go on until every game waits for a
    choice."""
    v, over, terminal = lanes.values[block], lanes.over[block], plan.terminal_row
    for w in range(WIDTH):
        over[w] = ZERO
    going = True
    while going:
        if is_any(marks[MOVING]):
            play_round(plan, lanes, block, marks, square)
            look(plan, v, marks)
            for w in range(WIDTH):
                marks[ENDING, w] |= marks[MOVING, w] & (v[terminal, w] | marks[STUCK, w] | marks[CUT, w])
        for w in range(WIDTH):
            over[w] |= marks[ENDING, w] & marks[DONE, w]
            marks[ENDING, w] &= ~marks[DONE, w]
            marks[DONE, w] |= marks[ENDING, w]
            marks[KEEP, w] = ~marks[ENDING, w]
        if is_any(marks[ENDING]):
            report(plan, v, block, marks, outcome)
            restart(plan, lanes, block, marks)
            look(plan, v, marks)
            for w in range(WIDTH):
                over[w] |= marks[ENDING, w] & (v[terminal, w] | marks[STUCK, w])
        for w in range(WIDTH):
            marks[MOVING, w] = lanes.active[block, w] & ~over[w] & ~marks[CHOICE, w]
            marks[ENDING, w] = ZERO
        going = plan.skip_forced and is_any(marks[MOVING])
        if going:
            call_address(plan.choose, address(v), address(lanes.chance_rng[block]), plan.image)


@kernel
def play_round(plan: VectorPlan, lanes: VectorLanes, block: Int, marks: np.ndarray, square: np.ndarray) -> None:
    """One round in the lanes that move; the others stay as they are. CUT: had all the rounds they may have."""
    v, shown, moving = address(lanes.values[block]), address(lanes.shown[block]), address(marks[MOVING])
    call_address(plan.dynamic, v, ZERO, plan.image)
    call_address(plan.percepts, v, ZERO, plan.image)
    for number in range(len(plan.roles)):
        role = plan.roles[number]
        percepts, count = row_at(v, role[PERCEPTS_ROW]), role[NUM_PERCEPTS]
        add_rows(row_at(shown, role[SHOW_TOLD] + role[NUM_MOVES]), percepts, count, moving)
        if role[SHOW_SEEN] != NOWHERE:
            add_rows(row_at(shown, role[SHOW_SEEN]), row_at(v, role[MOVES_ROW]), role[NUM_MOVES], moving)
            add_rows(row_at(shown, role[SHOW_SEEN] + role[NUM_MOVES]), percepts, count, moving)
        if plan.record_rounds:
            record_round(plan, lanes, block, role, marks, square)
    blend_rows(row_at(v, plan.fluents_row), row_at(v, plan.next_row), plan.num_fluents, moving)
    rounds = lanes.rounds[block]
    for w in range(WIDTH):
        carry, at_end = marks[MOVING, w], marks[MOVING, w]
        for digit in range(len(rounds)):
            rounds[digit, w], carry = rounds[digit, w] ^ carry, rounds[digit, w] & carry
            at_end &= rounds[digit, w] if (plan.max_rounds >> digit) & 1 else ~rounds[digit, w]
        marks[CUT, w] = at_end


@kernel
def record_round(
    plan: VectorPlan, lanes: VectorLanes, block: Int, role: np.ndarray, marks: np.ndarray, square: np.ndarray
) -> None:
    """The own moves and percepts of a role become the newest round of its record, in the lanes that move."""
    v, record, first = lanes.values[block], lanes.record, block * LANES
    words, begin, num_moves = role[RECORD_WORDS], role[RECORD_AT], role[NUM_MOVES]
    games = min(LANES, len(record) - first)
    for lane in range(games):
        if (marks[MOVING, lane // 64] >> np.uint64(lane % 64)) & ONE:
            for column in range(begin + plan.record_rounds * words - 1, begin + words - 1, -1):
                record[first + lane, column] = record[first + lane, column - words]
    for chunk in range(words):
        for i in range(64):
            bit = 64 * chunk + i
            row = role[MOVES_ROW] + bit if bit < num_moves else role[PERCEPTS_ROW] + bit - num_moves
            for w in range(WIDTH):
                square[i, w] = v[row, w] if bit < num_moves + role[NUM_PERCEPTS] else ZERO
        transpose_rows(square)
        for lane in range(games):
            if (marks[MOVING, lane // 64] >> np.uint64(lane % 64)) & ONE:
                record[first + lane, begin + chunk] = square[lane % 64, lane // 64]


@kernel
def look(plan: VectorPlan, v: np.ndarray, marks: np.ndarray) -> None:
    """Judge all lanes. CHOICE: some player has two legal moves or more; STUCK: some role has none."""
    base, some, several = address(v), address(marks[SOME]), address(marks[SEVERAL])
    call_address(plan.static, base, ZERO, plan.image)
    for w in range(WIDTH):
        marks[CHOICE, w], marks[STUCK, w] = ZERO, ZERO
    for number in range(len(plan.roles) + 1):  # the last is chance, which has no choice
        for w in range(WIDTH):
            marks[SOME, w], marks[SEVERAL, w] = ZERO, ZERO
        if number < len(plan.roles):
            count_rows(row_at(base, plan.roles[number, LEGAL_ROW]), plan.roles[number, NUM_MOVES], some, several)
        elif plan.chance_moves:
            count_rows(row_at(base, plan.chance_row), plan.chance_moves, some, several)
        else:
            break
        for w in range(WIDTH):
            marks[STUCK, w] |= ~marks[SOME, w]
            if number < len(plan.roles):
                marks[CHOICE, w] |= marks[SEVERAL, w]


@kernel
def report(plan: VectorPlan, v: np.ndarray, block: Int, marks: np.ndarray, outcome: StepOutcome) -> None:
    """The utilities of the games that end (outcome changed in place)."""
    for w in range(WIDTH):
        first, ending = block * LANES + 64 * w, marks[ENDING, w]
        while ending:
            bit = lowest_bit(ending)
            lane, here = first + bit, np.uint64(bit)
            ending &= ending - ONE
            outcome.done[lane] = True
            outcome.truncated[lane] = not (v[plan.terminal_row, w] >> here) & ONE
            for number in range(len(plan.roles)):
                goal = len(plan.utility) - 1
                for candidate in range(plan.roles[number, FIRST_GOAL], plan.roles[number, END_GOAL]):
                    if (v[plan.goals_row + candidate, w] >> here) & ONE:  # ascending: the highest counts
                        goal = candidate
                outcome.reward[lane, number] = plan.utility[goal]


@kernel
def restart(plan: VectorPlan, lanes: VectorLanes, block: Int, marks: np.ndarray) -> None:
    """A new game in the lanes that end, of which nobody has been told anything."""
    v, rounds, shown = address(lanes.values[block]), address(lanes.rounds[block]), address(lanes.shown[block])
    record, keep = lanes.record, address(marks[KEEP])
    blend_rows(row_at(v, plan.fluents_row), address(plan.initial), plan.num_fluents, address(marks[ENDING]))
    copy_rows(rounds, rounds, lanes.rounds.shape[1], keep)
    for number in range(len(plan.roles)):
        role = plan.roles[number]
        size = role[NUM_MOVES] + role[NUM_PERCEPTS]
        told = row_at(shown, role[SHOW_TOLD])
        copy_rows(told, told, size if role[SHOW_SEEN] == NOWHERE else 2 * size, keep)
    if plan.record_rounds:
        for lane in range(min(LANES, len(record) - block * LANES)):
            if (marks[ENDING, lane // 64] >> np.uint64(lane % 64)) & ONE:
                for column in range(record.shape[1]):
                    record[block * LANES + lane, column] = ZERO


@kernel
def show_legal(plan: VectorPlan, lanes: VectorLanes, block: Int, marks: np.ndarray) -> None:
    """The legal moves of every role; where the game is over, the first move alone (shown and values changed)."""
    v, shown, everywhere = address(lanes.values[block]), address(lanes.shown[block]), address(marks[ALL])
    waiting = is_any(lanes.over[block])
    for w in range(WIDTH):
        marks[KEEP, w] = ~lanes.over[block, w]
    for number in range(len(plan.roles)):
        role = plan.roles[number]
        legal, count = row_at(v, role[LEGAL_ROW]), role[NUM_MOVES]
        if waiting:
            copy_rows(legal, legal, count, address(marks[KEEP]))
            add_rows(legal, address(lanes.over[block]), np.int64(1), everywhere)
        copy_rows(row_at(shown, role[SHOW_LEGAL]), legal, count, everywhere)


@kernel
def draw_actions(plan: VectorPlan, lanes: VectorLanes, actions: np.ndarray) -> None:
    """A legal move of every role in every game, uniformly: actions [N, R] (changed in place)."""
    square, everywhere = np.zeros((64, WIDTH), np.uint64), np.full(WIDTH, ONES)
    for block in range(len(lanes.values)):
        v, first = address(lanes.values[block]), block * LANES
        call_address(plan.choose, v, address(lanes.sample_rng[block]), plan.image)
        for number in range(len(plan.roles)):
            part, role = number % IN_A_WORD, plan.roles[number]
            if part == 0:
                square[:, :] = ZERO
            for move in range(role[NUM_MOVES]):
                for digit in range(DIGITS):
                    if (move >> digit) & 1:
                        target = row_at(address(square), DIGITS * part + digit)
                        add_rows(target, row_at(v, role[MOVES_ROW] + move), np.int64(1), address(everywhere))
            if part == IN_A_WORD - 1 or number == len(plan.roles) - 1:
                transpose_rows(square)
                for lane in range(min(LANES, len(actions) - first)):
                    word = square[lane % 64, lane // 64]
                    for i in range(part + 1):
                        digits = (word >> np.uint64(DIGITS * i)) & np.uint64((1 << DIGITS) - 1)
                        actions[first + lane, number - part + i] = np.int64(digits)
