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
    GROUP,
    WIDTH,
    add_row,
    add_rows,
    blend_rows,
    block_at,
    copy_row,
    copy_rows,
    count_rows,
    is_any,
    match_row,
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
    v, first = block_at(lanes.values, block), block * LANES
    games = min(LANES, len(actions) - first)
    if plan.chance_moves:
        call_address(plan.choose, v, block_at(lanes.chance_rng, block), plan.image)
    for number in range(len(plan.roles)):
        part = number % IN_A_WORD
        if part == 0:
            beyond = turn_actions(actions, first, games, number, square)
            if beyond >= 0:
                return np.int64(beyond)
        digits = row_at(address(square), DIGITS * part)
        legal, count = row_at(v, plan.roles[number, LEGAL_ROW]), plan.roles[number, NUM_MOVES]
        played = row_at(address(marks), KEEP)
        for w in range(WIDTH):
            only = ONES
            for digit in range(DIGITS):
                only &= square[DIGITS * part + digit, w]
            marks[CUT, w], marks[KEEP, w] = only, ZERO
        decode_moves(row_at(v, plan.roles[number, MOVES_ROW]), count, digits, marks)
        for move in range(count):
            add_row(played, row_at(v, plan.roles[number, MOVES_ROW] + move), row_at(legal, move))
        if is_any(marks, CUT):
            for w in range(WIDTH):
                marks[SOME, w], marks[SEVERAL, w] = ZERO, ZERO
            count_rows(legal, count, row_at(address(marks), SOME), row_at(address(marks), SEVERAL))
            for w in range(WIDTH):
                marks[CUT, w] &= marks[SOME, w] & ~marks[SEVERAL, w]
                marks[KEEP, w] |= marks[CUT, w]
            add_rows(row_at(v, plan.roles[number, MOVES_ROW]), legal, count, row_at(address(marks), CUT))
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
    end, beyond = min(number + IN_A_WORD, actions.shape[1]), 0
    for w in range(WIDTH):
        lanes = max(0, min(64, games - 64 * w))
        for i in range(lanes):
            word = ZERO
            for role in range(number, end):
                action = actions[first + 64 * w + i, role]
                beyond |= (action + 1) >> DIGITS
                digits = np.uint64(action) & np.uint64((1 << DIGITS) - 1)
                word |= digits << np.uint64(DIGITS * (role - number))
            square[i, w] = word
        for i in range(lanes, 64):
            square[i, w] = ZERO
    transpose_rows(square)
    if beyond:
        for lane in range(games):
            for role in range(number, end):
                if (actions[first + lane, role] + 1) >> DIGITS:
                    return np.int64(first + lane)
    return np.int64(-1)


@kernel
def decode_moves(moves: np.uint64, count: Int, digits: np.uint64, marks: np.ndarray) -> None:
    """The rows of `count` moves from the digits of their numbers, both by address."""
    everywhere, low = row_at(address(marks), ALL), row_at(address(marks), SOME)
    used = GROUP  # digits of the highest number, in whole groups
    while (count - 1) >> used:
        used += GROUP
    copy_row(low, everywhere, everywhere)
    for digit in range(used, DIGITS, GROUP):  # lanes without any higher digit
        match_row(low, low, row_at(digits, digit), ZERO)
    for move in range(count):
        target, source = row_at(moves, move), low
        for digit in range(0, used, GROUP):
            match_row(target, source, row_at(digits, digit), np.uint64(move >> digit))
            source = target


@kernel
def note_moves(plan: VectorPlan, lanes: VectorLanes, block: Int, marks: np.ndarray) -> None:
    """What a role is told of this step begins with its own move (shown changed in place)."""
    v, shown, moving = block_at(lanes.values, block), block_at(lanes.shown, block), row_at(address(marks), MOVING)
    for number in range(len(plan.roles)):
        told, moves, count = (
            row_at(shown, plan.roles[number, SHOW_TOLD]),
            row_at(v, plan.roles[number, MOVES_ROW]),
            plan.roles[number, NUM_MOVES],
        )
        copy_rows(told, moves, count, moving)
        copy_rows(row_at(told, count), moves, plan.roles[number, NUM_PERCEPTS], row_at(address(marks), NONE))


@kernel
def settle_block(
    plan: VectorPlan, lanes: VectorLanes, block: Int, marks: np.ndarray, square: np.ndarray, outcome: StepOutcome
) -> None:
    """Play the round of the lanes that move, end the games of those that end, and go on until every game waits for a
    choice."""
    v, over, terminal = lanes.values, lanes.over, plan.terminal_row
    for w in range(WIDTH):
        over[block, w] = ZERO
    going = True
    while going:
        if is_any(marks, MOVING):
            play_round(plan, lanes, block, marks, square)
            look(plan, lanes, block, marks)
            for w in range(WIDTH):
                marks[ENDING, w] |= marks[MOVING, w] & (v[block, terminal, w] | marks[STUCK, w] | marks[CUT, w])
        for w in range(WIDTH):
            over[block, w] |= marks[ENDING, w] & marks[DONE, w]
            marks[ENDING, w] &= ~marks[DONE, w]
            marks[DONE, w] |= marks[ENDING, w]
            marks[KEEP, w] = ~marks[ENDING, w]
        if is_any(marks, ENDING):
            report(plan, lanes, block, marks, outcome)
            restart(plan, lanes, block, marks)
            look(plan, lanes, block, marks)
            for w in range(WIDTH):
                over[block, w] |= marks[ENDING, w] & (v[block, terminal, w] | marks[STUCK, w])
        for w in range(WIDTH):
            marks[MOVING, w] = lanes.active[block, w] & ~over[block, w] & ~marks[CHOICE, w]
            marks[ENDING, w] = ZERO
        going = plan.skip_forced and is_any(marks, MOVING)
        if going:
            call_address(plan.choose, block_at(v, block), block_at(lanes.chance_rng, block), plan.image)


@kernel
def play_round(plan: VectorPlan, lanes: VectorLanes, block: Int, marks: np.ndarray, square: np.ndarray) -> None:
    """One round in the lanes that move; the others stay as they are. CUT: had all the rounds they may have."""
    v, shown, moving = block_at(lanes.values, block), block_at(lanes.shown, block), row_at(address(marks), MOVING)
    call_address(plan.dynamic, v, ZERO, plan.image)
    call_address(plan.percepts, v, ZERO, plan.image)
    for number in range(len(plan.roles)):
        percepts, count = row_at(v, plan.roles[number, PERCEPTS_ROW]), plan.roles[number, NUM_PERCEPTS]
        add_rows(row_at(shown, plan.roles[number, SHOW_TOLD] + plan.roles[number, NUM_MOVES]), percepts, count, moving)
        if plan.roles[number, SHOW_SEEN] != NOWHERE:
            add_rows(
                row_at(shown, plan.roles[number, SHOW_SEEN]),
                row_at(v, plan.roles[number, MOVES_ROW]),
                plan.roles[number, NUM_MOVES],
                moving,
            )
            add_rows(
                row_at(shown, plan.roles[number, SHOW_SEEN] + plan.roles[number, NUM_MOVES]), percepts, count, moving
            )
        if plan.record_rounds:
            record_round(plan, lanes, block, plan.roles[number], marks, square)
    blend_rows(row_at(v, plan.fluents_row), row_at(v, plan.next_row), plan.num_fluents, moving)
    rounds = lanes.rounds
    for w in range(WIDTH):
        carry, at_end = marks[MOVING, w], marks[MOVING, w]
        for digit in range(rounds.shape[1]):
            rounds[block, digit, w], carry = rounds[block, digit, w] ^ carry, rounds[block, digit, w] & carry
            at_end &= rounds[block, digit, w] if (plan.max_rounds >> digit) & 1 else ~rounds[block, digit, w]
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
def look(plan: VectorPlan, lanes: VectorLanes, block: Int, marks: np.ndarray) -> None:
    """Judge all lanes. CHOICE: some player has two legal moves or more; STUCK: some role has none."""
    base, some, several = block_at(lanes.values, block), row_at(address(marks), SOME), row_at(address(marks), SEVERAL)
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
def report(plan: VectorPlan, lanes: VectorLanes, block: Int, marks: np.ndarray, outcome: StepOutcome) -> None:
    """The utilities of the games that end (outcome changed in place)."""
    v = lanes.values
    for w in range(WIDTH):
        first, ending = block * LANES + 64 * w, marks[ENDING, w]
        cut = ending & ~v[block, plan.terminal_row, w]
        while ending:
            outcome.done[first + lowest_bit(ending)] = True
            ending &= ending - ONE
        while cut:
            outcome.truncated[first + lowest_bit(cut)] = True
            cut &= cut - ONE
        for number in range(len(plan.roles)):
            left = marks[ENDING, w]
            for goal in range(plan.roles[number, END_GOAL] - 1, plan.roles[number, FIRST_GOAL] - 1, -1):
                won = left & v[block, plan.goals_row + goal, w]  # from the highest, which counts
                left &= ~won
                pay(outcome.reward, won, first, number, plan.utility[goal])
            pay(outcome.reward, left, first, number, plan.utility[-1])


@kernel
def pay(reward: np.ndarray, lanes: np.uint64, first: Int, number: Int, utility: np.float32) -> None:
    """The reward of one role in the lanes of a word (changed in place)."""
    while lanes:
        reward[first + lowest_bit(lanes), number] = utility
        lanes &= lanes - ONE


@kernel
def restart(plan: VectorPlan, lanes: VectorLanes, block: Int, marks: np.ndarray) -> None:
    """A new game in the lanes that end, of which nobody has been told anything."""
    v, rounds, shown = block_at(lanes.values, block), block_at(lanes.rounds, block), block_at(lanes.shown, block)
    record, keep = lanes.record, row_at(address(marks), KEEP)
    blend_rows(row_at(v, plan.fluents_row), address(plan.initial), plan.num_fluents, row_at(address(marks), ENDING))
    copy_rows(rounds, rounds, lanes.rounds.shape[1], keep)
    for number in range(len(plan.roles)):
        size = plan.roles[number, NUM_MOVES] + plan.roles[number, NUM_PERCEPTS]
        told = row_at(shown, plan.roles[number, SHOW_TOLD])
        copy_rows(told, told, size if plan.roles[number, SHOW_SEEN] == NOWHERE else 2 * size, keep)
    if plan.record_rounds:
        for lane in range(min(LANES, len(record) - block * LANES)):
            if (marks[ENDING, lane // 64] >> np.uint64(lane % 64)) & ONE:
                for column in range(record.shape[1]):
                    record[block * LANES + lane, column] = ZERO


@kernel
def show_legal(plan: VectorPlan, lanes: VectorLanes, block: Int, marks: np.ndarray) -> None:
    """The legal moves of every role; where the game is over, the first move alone (shown and values changed)."""
    v, shown, everywhere = block_at(lanes.values, block), block_at(lanes.shown, block), row_at(address(marks), ALL)
    waiting = is_any(lanes.over, block)
    for w in range(WIDTH):
        marks[KEEP, w] = ~lanes.over[block, w]
    for number in range(len(plan.roles)):
        legal, count = row_at(v, plan.roles[number, LEGAL_ROW]), plan.roles[number, NUM_MOVES]
        if waiting:
            copy_rows(legal, legal, count, row_at(address(marks), KEEP))
            add_row(legal, row_at(address(lanes.over), block), everywhere)
        copy_rows(row_at(shown, plan.roles[number, SHOW_LEGAL]), legal, count, everywhere)


@kernel
def draw_actions(plan: VectorPlan, lanes: VectorLanes, actions: np.ndarray) -> None:
    """A legal move of every role in every game, uniformly: actions [N, R] (changed in place)."""
    square, everywhere = np.zeros((64, WIDTH), np.uint64), np.full(WIDTH, ONES)
    for block in range(len(lanes.values)):
        v, first = block_at(lanes.values, block), block * LANES
        call_address(plan.choose, v, block_at(lanes.sample_rng, block), plan.image)
        for number in range(len(plan.roles)):
            part = number % IN_A_WORD
            if part == 0:
                square[:, :] = ZERO
            for move in range(plan.roles[number, NUM_MOVES]):
                source, digit = row_at(v, plan.roles[number, MOVES_ROW] + move), 0
                while move >> digit:
                    if (move >> digit) & 1:
                        add_row(row_at(address(square), DIGITS * part + digit), source, address(everywhere))
                    digit += 1
            if part == IN_A_WORD - 1 or number == len(plan.roles) - 1:
                transpose_rows(square)
                for lane in range(min(LANES, len(actions) - first)):
                    word = square[lane % 64, lane // 64]
                    for i in range(part + 1):
                        digits = (word >> np.uint64(DIGITS * i)) & np.uint64((1 << DIGITS) - 1)
                        actions[first + lane, number - part + i] = np.int64(digits)
