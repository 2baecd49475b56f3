"""Kernels of the vector environment: whole steps of many games, 256 to a block, without Python in between.

A step of a block:

1. The roles' moves are put into the lanes; chance draws its own.
2. The round is played. Then, while there are lanes in which no role has a choice, these lanes play on by themselves.
3. If a game ends (or a role is stuck, or it has had `max_rounds` rounds), its reward is stored and a new one starts,
   whose forced rounds are played as well. If the new one is over before any role could choose, it waits, and the next
   step reports it, whatever the actions are.

Chance draws once for all lanes of a block and round; so equal seeds and equal moves give equal games.
"""

from __future__ import annotations

import numpy as np

from veil.engine.lanes import LANES, Int, address, call_address, kernel, lowest_bit
from veil.environments.held_records import borrow, hold, recall_lanes, recall_plan
from veil.environments.lane_kernels import (
    WIDTH,
    add_row,
    add_rows,
    blend_rows,
    block_at,
    copy_rows,
    count_rows,
    is_any,
    row_at,
    transpose_rows,
)
from veil.environments.number_kernels import fill_row, match_row, read_actions, write_actions
from veil.environments.vector_layout import (
    END_GOAL,
    FIRST_GOAL,
    LEGAL_ROW,
    MOVES_ROW,
    NOWHERE,
    NUM_MARKS,
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
MOVING, ENDING, DONE, CHOICE, STUCK, CUT, SOME, SEVERAL, KEEP, ALL, NONE = range(NUM_MARKS)  # rows of `marks`


@kernel
def hold_games(plan: VectorPlan, lanes: VectorLanes, held: np.ndarray) -> None:
    """Write both records to held [HELD_WORDS], for the kernels below; the caller keeps their arrays alive."""
    hold(plan, address(held))
    hold(lanes, address(held))


@kernel
def step_games(
    held: np.ndarray, actions: np.ndarray, reward: np.ndarray, done: np.ndarray, truncated: np.ndarray, begins: bool
) -> np.int64:
    """Play actions [N R] in every game, -1 for an only legal move; or start a new game everywhere.

    Returns -1, or the number of the first game with a move that is not legal; nothing was played then.
    """
    place = address(held)
    lanes = recall_lanes(place)
    outcome = StepOutcome(borrow(reward), borrow(done), borrow(truncated))
    marks = lanes.marks
    for w in range(WIDTH):
        marks[ALL, w], marks[NONE, w] = ONES, ZERO
    if not begins:
        for block in range(len(lanes.values)):
            games = min(LANES, len(done) - block * LANES)
            bad = read_actions(borrow(actions), block * LANES, games, lanes.mixed, lanes.entries)
            if bad < 0:
                bad = put_actions(place, block)
            if bad >= 0:
                return np.int64(bad)
    for block in range(len(lanes.values)):
        for w in range(WIDTH):
            marks[DONE, w] = ZERO
            marks[ENDING, w] = lanes.active[block, w] if begins else lanes.over[block, w]
            marks[MOVING, w] = ZERO if begins else lanes.active[block, w] & ~lanes.over[block, w]
        note_moves(place, block)
        settle_block(place, block, outcome)
        show_legal(place, block)
    return np.int64(-1)


@kernel
def put_actions(held: np.uint64, block: Int) -> np.int64:
    """Put the moves of a round, their numbers in entries [R, 256], into the lanes of a block; chance moves at random.

    Returns -1, or the number of the first game with a move that is not legal.
    """
    plan, lanes = recall_plan(held), recall_lanes(held)
    entries, marks = lanes.entries, lanes.marks
    v = block_at(lanes.values, block)
    played, only = row_at(address(marks), KEEP), row_at(address(marks), CUT)
    if plan.chance_moves:
        call_address(plan.choose, v, block_at(lanes.chance_rng, block), plan.image)
    for number in range(len(plan.roles)):
        moves, legal = row_at(v, plan.roles[number, MOVES_ROW]), row_at(v, plan.roles[number, LEGAL_ROW])
        count, own = plan.roles[number, NUM_MOVES], entry_at(entries, number)
        for w in range(WIDTH):
            marks[KEEP, w] = ZERO
        for move in range(count):
            match_row(row_at(moves, move), own, move)
            add_row(played, row_at(moves, move), row_at(legal, move))
        match_row(only, own, -1)
        if is_any(marks, CUT):
            for w in range(WIDTH):
                marks[SOME, w], marks[SEVERAL, w] = ZERO, ZERO
            count_rows(legal, count, row_at(address(marks), SOME), row_at(address(marks), SEVERAL))
            for w in range(WIDTH):
                marks[CUT, w] &= marks[SOME, w] & ~marks[SEVERAL, w]
                marks[KEEP, w] |= marks[CUT, w]
            add_rows(moves, legal, count, only)
        for w in range(WIDTH):
            bad = lanes.active[block, w] & ~marks[KEEP, w]
            if bad:
                return np.int64(block * LANES + 64 * w + lowest_bit(bad))
    return np.int64(-1)


@kernel
def note_moves(held: np.uint64, block: Int) -> None:
    """Write each role's own move as the beginning of what it is told in this step (shown changed in place)."""
    plan, lanes = recall_plan(held), recall_lanes(held)
    marks = lanes.marks
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
def settle_block(held: np.uint64, block: Int, outcome: StepOutcome) -> None:
    """Play the round of the lanes that move, end the games that end, and go on until every game waits for a choice."""
    plan, lanes = recall_plan(held), recall_lanes(held)
    v, over, marks, terminal = lanes.values, lanes.over, lanes.marks, plan.terminal_row
    for w in range(WIDTH):
        over[block, w] = ZERO
    going = True
    while going:
        if is_any(marks, MOVING):
            play_round(held, block)
            look(held, block)
            for w in range(WIDTH):
                marks[ENDING, w] |= marks[MOVING, w] & (v[block, terminal, w] | marks[STUCK, w] | marks[CUT, w])
        for w in range(WIDTH):
            over[block, w] |= marks[ENDING, w] & marks[DONE, w]
            marks[ENDING, w] &= ~marks[DONE, w]
            marks[DONE, w] |= marks[ENDING, w]
            marks[KEEP, w] = ~marks[ENDING, w]
        if is_any(marks, ENDING):
            report(held, block, outcome)
            restart(held, block)
            look(held, block)
            for w in range(WIDTH):
                over[block, w] |= marks[ENDING, w] & (v[block, terminal, w] | marks[STUCK, w])
        for w in range(WIDTH):
            marks[MOVING, w] = lanes.active[block, w] & ~over[block, w] & ~marks[CHOICE, w]
            marks[ENDING, w] = ZERO
        going = plan.skip_forced and is_any(marks, MOVING)
        if going:
            call_address(plan.choose, block_at(v, block), block_at(lanes.chance_rng, block), plan.image)


@kernel
def play_round(held: np.uint64, block: Int) -> None:
    """Play one round in the lanes that move; the others stay as they are. CUT: lanes that have had all their rounds."""
    plan, lanes = recall_plan(held), recall_lanes(held)
    v, shown, moving = block_at(lanes.values, block), block_at(lanes.shown, block), row_at(address(lanes.marks), MOVING)
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
            record_round(held, block, plan.roles[number])
    blend_rows(row_at(v, plan.fluents_row), row_at(v, plan.next_row), plan.num_fluents, moving)
    count_round(held, block)


@kernel
def count_round(held: np.uint64, block: Int) -> None:
    """Count one more round in the lanes that move. CUT: lanes that have had all their rounds."""
    plan, lanes = recall_plan(held), recall_lanes(held)
    marks = lanes.marks
    rounds, last = lanes.rounds, lanes.rounds.shape[1] - 1  # of max_rounds, the last digit is 1
    for w in range(WIDTH):
        carry, digit = marks[MOVING, w], 0
        while carry and digit <= last:
            rounds[block, digit, w], carry = rounds[block, digit, w] ^ carry, rounds[block, digit, w] & carry
            digit += 1
        at_end = marks[MOVING, w] & rounds[block, last, w]
        if at_end:
            for digit in range(last):
                at_end &= rounds[block, digit, w] if (plan.max_rounds >> digit) & 1 else ~rounds[block, digit, w]
        marks[CUT, w] = at_end


@kernel
def record_round(held: np.uint64, block: Int, role: np.ndarray) -> None:
    """Make the own moves and percepts of a role the newest round of its record, in the lanes that move."""
    plan, lanes = recall_plan(held), recall_lanes(held)
    marks, square = lanes.marks, lanes.square
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
def look(held: np.uint64, block: Int) -> None:
    """Judge all lanes. CHOICE: some player has two legal moves or more; STUCK: some role has none."""
    plan, lanes = recall_plan(held), recall_lanes(held)
    marks = lanes.marks
    base, some, several = block_at(lanes.values, block), row_at(address(marks), SOME), row_at(address(marks), SEVERAL)
    call_address(plan.static, base, ZERO, plan.image)
    for w in range(WIDTH):
        marks[CHOICE, w], marks[STUCK, w] = ZERO, ZERO
    for number in range(len(plan.roles) + 1):  # the last one is chance, which has no choice
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
def report(held: np.uint64, block: Int, outcome: StepOutcome) -> None:
    """Write the utilities of the games that end (outcome changed in place); entries [R, 256] get numbers of goals."""
    plan, lanes = recall_plan(held), recall_lanes(held)
    marks, entries = lanes.marks, lanes.entries
    for number in range(len(plan.roles)):
        own = entry_at(entries, number)
        fill_row(own, row_at(address(marks), ALL), len(plan.utility) - 1)
        for goal in range(plan.roles[number, FIRST_GOAL], plan.roles[number, END_GOAL]):  # the highest, last, counts
            fill_row(own, row_at(block_at(lanes.values, block), plan.goals_row + goal), goal)
    for w in range(WIDTH):
        ending, terminal = marks[ENDING, w], lanes.values[block, plan.terminal_row, w]
        while ending:
            bit = lowest_bit(ending)
            game = block * LANES + 64 * w + bit
            outcome.done[game] = True
            outcome.truncated[game] = not (terminal >> np.uint64(bit)) & ONE
            for number in range(len(plan.roles)):
                outcome.reward[game, number] = plan.utility[entries[number, 64 * w + bit]]
            ending &= ending - ONE


@kernel
def restart(held: np.uint64, block: Int) -> None:
    """Start a new game in the lanes that end; its roles have been told nothing."""
    plan, lanes = recall_plan(held), recall_lanes(held)
    marks = lanes.marks
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
def show_legal(held: np.uint64, block: Int) -> None:
    """Write the legal moves of every role; if the game is over, only the first move (shown and values changed)."""
    plan, lanes = recall_plan(held), recall_lanes(held)
    marks = lanes.marks
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
def entry_at(entries: np.ndarray, number: Int) -> np.uint64:
    """Return the address of the entries of one role."""
    return address(entries) + np.uint64(2 * LANES) * np.uint64(number)


@kernel
def draw_actions(held: np.ndarray, actions: np.ndarray) -> None:
    """Draw a legal move of every role in every game, uniformly: actions [N R] (changed in place)."""
    place = address(held)
    plan, lanes = recall_plan(place), recall_lanes(place)
    entries, count = lanes.entries, len(actions) // len(plan.roles)
    for block in range(len(lanes.values)):
        v, games = block_at(lanes.values, block), min(LANES, count - block * LANES)
        call_address(plan.choose, v, block_at(lanes.sample_rng, block), plan.image)
        for number in range(len(plan.roles)):
            own = entry_at(entries, number)
            for move in range(plan.roles[number, NUM_MOVES]):
                fill_row(own, row_at(v, plan.roles[number, MOVES_ROW] + move), move)
        write_actions(borrow(actions), block * LANES, games, lanes.mixed, entries)
