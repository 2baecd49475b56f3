"""Moves that are tried ahead: what wins is found, what loses is avoided, and nothing else is touched."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from veil import load
from veil.engine.lanes.block_kernels import judge_block, open_block
from veil.engine.lanes.circuit_kernels import new_values
from veil.engine.lanes.code import LEGAL, MOVES
from veil.engine.lanes.foresight_kernels import find_choices, find_wins, look_ahead, new_foresight, try_next
from veil.engine.lanes.machine import pack
from veil.engine.lanes.playout_kernels import seed_block

LANES = 70  # more than a word, less than two
ALL = np.array([2**64 - 1, 2**6 - 1, 0, 0], np.uint64)
ONE_LEFT = ((1, 1, "x"), (1, 2, "x"), (2, 1, "o"), (2, 2, "o"))  # who moves takes the third of a row


def state_of(marks: tuple[tuple[int, int, str], ...], control: str) -> np.ndarray:
    """[1, words] tic-tac-toe with these marks, all other cells blank."""
    wanted = {f"(cell {row} {column} {mark}player)" for row, column, mark in marks} | {f"(control {control})"}
    holds = [name in wanted for name in load("tic_tac_toe").names.fluents]
    assert sum(holds) == len(wanted)
    return pack(np.array([holds]))


class Block:
    """Tic-tac-toe in LANES lanes, judged, with drawn moves."""

    def __init__(self, marks: tuple[tuple[int, int, str], ...], control: str, depth: int) -> None:
        self.game = load("tic_tac_toe")
        self.machine = self.game.machine
        self.code, width = self.machine.code, self.machine.width
        self.v, self.rng = new_values(self.code, width), np.zeros((4, width), np.uint64)
        start = np.zeros((1 + self.code.num_fluents, width), np.uint64)
        seed_block(np.array([1, 2], np.uint64), 0, self.rng)
        open_block(self.code, self.v, start, state_of(marks, control), np.zeros(LANES, np.int64))
        judge_block(self.code, self.v, self.rng, np.zeros(width, np.uint64))
        self.room = new_foresight(self.code, width, depth, -1)

    def moves(self, role: int) -> list[set[str]]:
        """What the role does in every lane."""
        begin, end = self.code.role_moves[role], self.code.role_moves[role + 1]
        rows = self.v[self.code.areas[MOVES] + begin : self.code.areas[MOVES] + end]
        names = self.game.names.moves[role]
        return [
            {names[move] for move in range(end - begin) if int(rows[move, lane // 64]) >> lane % 64 & 1}
            for lane in range(LANES)
        ]


def test_only_lanes_with_a_choice_are_looked_at() -> None:
    block = Block(ONE_LEFT, "xplayer", 1)
    going = np.array([0b1011, 0, 0, 0], np.uint64)
    assert find_choices(block.code, block.v, 0, going).tolist() == going.tolist()
    assert not find_choices(block.code, block.v, 1, going).any()  # has nothing but noop


def test_moves_are_tried_one_after_the_other_in_all_lanes() -> None:
    block = Block(ONE_LEFT, "xplayer", 1)
    legal = block.code.areas[LEGAL]
    left = block.v[legal : legal + len(block.room.drawn)].copy() & ALL
    tried: list[str] = []
    while try_next(block.code, block.v, left, 0).any():
        (move,) = block.moves(0)[LANES - 1]
        tried.append(move)
    assert sorted(tried) == sorted(f"(mark {r} {c})" for r, c in ((1, 3), (2, 3), (3, 1), (3, 2), (3, 3)))


def test_a_win_is_found_and_counted() -> None:
    block = Block(ONE_LEFT, "xplayer", 1)
    won, tried = find_wins(block.code, block.v, block.room.next, block.room.left[0], 0, ALL, -1)
    assert won.tolist() == ALL.tolist()
    assert tried == LANES  # it is the first that is tried
    assert find_wins(block.code, block.v, block.room.next, block.room.left[0], 1, ALL, -1)[0].any() == np.False_


@pytest.mark.parametrize("depth", [1, 2])
def test_who_can_win_wins(depth: int) -> None:
    block = Block(ONE_LEFT, "xplayer", depth)
    look_ahead(block.code, block.v, block.rng, ALL, block.room)
    assert block.moves(0) == [{"(mark 1 3)"}] * LANES
    assert block.moves(1) == [{"noop"}] * LANES


@pytest.mark.parametrize(("depth", "replies"), [(1, 6), (2, 1)])
def test_who_looks_two_moves_ahead_stops_a_win(depth: int, replies: int) -> None:
    """x has two in a row and o is to move: six cells are free, and one of them is the third of the row."""
    block = Block(((1, 1, "x"), (1, 2, "x"), (2, 1, "o")), "oplayer", depth)
    look_ahead(block.code, block.v, block.rng, ALL, block.room)
    seen: set[Any] = set().union(*block.moves(1))
    assert len(seen) == replies
    assert depth == 1 or seen == {"(mark 1 3)"}


def test_lanes_that_are_not_going_keep_their_moves() -> None:
    block = Block(ONE_LEFT, "xplayer", 2)
    before = block.moves(0)
    assert look_ahead(block.code, block.v, block.rng, np.zeros(4, np.uint64), block.room) == 0
    assert block.moves(0) == before


def test_without_foresight_there_is_no_room() -> None:
    room = new_foresight(load("tic_tac_toe").machine.code, 4, 0, -1)
    assert room.next.size == room.drawn.size == room.left.size == 0
