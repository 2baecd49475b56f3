"""Kernels that carry what is known of a record over to its images under the symmetries of a game.

Of a record and its images, the one whose slots come first *represents* the others. The walk goes depth-first through
the records that represent others, with the places of all images beside it: nothing is kept per record.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.engine.lanes import Int, kernel


class ImageTables(NamedTuple):
    """The records of one role under G symmetries, without the identity. C classes, K ways to go on, T tokens."""

    moves: np.ndarray  # [C] legal moves
    slots: np.ndarray  # [C] slots of a record and of all that go on from it
    legal: np.ndarray  # [C] which set of legal moves, of all levels
    child_start: np.ndarray  # [C + 1]
    child: np.ndarray  # [K] class
    token: np.ndarray  # [K] of all levels
    offset: np.ndarray  # [K]
    row: np.ndarray  # [C] where the tokens of a class begin in `entry`
    entry: np.ndarray  # way to go on of a class and a token of its level
    image_token: np.ndarray  # [G, T] counted in its own level
    image_rank: np.ndarray  # [G, sets of legal moves, moves] which legal move of the image
    first_slot: int  # of the role
    depth: int  # levels


@kernel
def spread(t: ImageTables, values: np.ndarray, first_level: Int) -> float:
    """Copy what the slots of records hold to the slots of their images, from a level on (values [S] changed in place).

    Return by how much a slot differed from that of its image before, at most.
    """
    images = len(t.image_token)
    place = np.zeros((t.depth + 1, images + 1, 2), np.int64)  # class and first slot of a record and of its images
    place[0, :, 1] = t.first_slot
    entry = np.zeros(t.depth + 1, np.int64)
    entry[0] = t.child_start[0]
    difference, level, is_new = 0.0, 0, True
    while level >= 0:
        own = place[level, 0, 0]
        if is_new and level >= first_level and t.moves[own] > 1:
            difference = max(difference, spread_infoset(t, values, place[level]))
        k = entry[level]
        if k == t.child_start[own + 1]:
            level, is_new = level - 1, False
            continue
        entry[level] = k + 1
        is_new = t.slots[t.child[k]] > 0 and find_images(t, k, place[level], place[level + 1])
        if is_new:
            level += 1
            entry[level] = t.child_start[place[level, 0, 0]]
    return difference


@kernel
def find_images(t: ImageTables, k: Int, place: np.ndarray, following: np.ndarray) -> bool:
    """Write the places of the record after way k from `place`, and of its images (following [G + 1, 2] changed).

    Return whether the record represents its images.
    """
    first = place[0, 1] + t.offset[k]
    following[0, 0], following[0, 1] = t.child[k], first
    for g in range(len(t.image_token)):
        there = t.entry[t.row[place[g + 1, 0]] + t.image_token[g, t.token[k]]]
        slot = place[g + 1, 1] + t.offset[there]
        if slot < first:
            return False
        following[g + 1, 0], following[g + 1, 1] = t.child[there], slot
    return True


@kernel
def spread_infoset(t: ImageTables, values: np.ndarray, place: np.ndarray) -> float:
    """Do what `spread` does with the slots of one record at `place` [G + 1, 2]."""
    own, slot = place[0, 0], place[0, 1]
    images, difference = len(t.image_token), 0.0
    for move in range(t.moves[own]):
        represents = True
        for g in range(images):
            represents &= place[g + 1, 1] + t.image_rank[g, t.legal[own], move] >= slot + move
        if represents:
            value = values[slot + move]
            for g in range(images):
                there = place[g + 1, 1] + t.image_rank[g, t.legal[own], move]
                difference = max(difference, abs(values[there] - value))
                values[there] = value
    return difference


@kernel
def list_images(t: ImageTables, level: Int) -> np.ndarray:
    """Return [N, G + 1] the first slots of all records of a level that represent others, and of their images."""
    images = len(t.image_token)
    found, count = np.empty((16, images + 1), np.int64), 0
    place = np.zeros((level + 1, images + 1, 2), np.int64)
    place[0, :, 1] = t.first_slot
    entry = np.zeros(level + 1, np.int64)
    entry[0] = t.child_start[0]
    at = 0
    while at >= 0:
        own = place[at, 0, 0]
        if at == level:
            if count == len(found):
                found = np.concatenate((found, found))
            found[count] = place[at, :, 1]
            count, at = count + 1, at - 1
            continue
        k = entry[at]
        if k == t.child_start[own + 1]:
            at -= 1
            continue
        entry[at] = k + 1
        if t.slots[t.child[k]] > 0 and find_images(t, k, place[at], place[at + 1]):
            at += 1
            entry[at] = t.child_start[place[at, 0, 0]]
    return found[:count].copy()
