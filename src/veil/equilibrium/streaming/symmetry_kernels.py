"""Kernels that carry what is known of a slot over to its images under the symmetries of a game.

Of a record and its images, the one whose slots come first *represents* the others. A walk goes depth-first through the
records that represent others, with the places of all images beside it, and notes the first image of every slot.
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
def find_first_images(t: ImageTables, first: np.ndarray) -> None:
    """Write for every slot of the role the first of its images; a slot is its own image, too (first [S] changed)."""
    images = len(t.image_token)
    place = np.zeros((t.depth + 1, images + 1, 2), np.int64)  # class and first slot of a record and of its images
    place[0, :, 1] = t.first_slot
    entry = np.zeros(t.depth + 1, np.int64)
    entry[0] = t.child_start[0]
    level, is_new = 0, True
    while level >= 0:
        own = place[level, 0, 0]
        if is_new and t.moves[own] > 1:
            mark_infoset(t, first, place[level])
        k = entry[level]
        if k == t.child_start[own + 1]:
            level, is_new = level - 1, False
            continue
        entry[level] = k + 1
        is_new = t.slots[t.child[k]] > 0 and find_images(t, k, place[level], place[level + 1])
        if is_new:
            level += 1
            entry[level] = t.child_start[place[level, 0, 0]]


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
def mark_infoset(t: ImageTables, first: np.ndarray, place: np.ndarray) -> None:
    """Do what `find_first_images` does with the images of the slots of one record at `place` [G + 1, 2]."""
    own, slot = place[0, 0], place[0, 1]
    images = len(t.image_token)
    for move in range(t.moves[own]):
        represents = True
        for g in range(images):
            represents &= place[g + 1, 1] + t.image_rank[g, t.legal[own], move] >= slot + move
        if represents:
            for g in range(images):
                first[place[g + 1, 1] + t.image_rank[g, t.legal[own], move]] = slot + move


@kernel
def copy_to_images(first: np.ndarray, begin: Int, end: Int, values: np.ndarray) -> float:
    """Give slots from `begin` to `end` the value of the first of their images (values [S] changed in place).

    Return by how much a slot differed from it before, at most. The first image of a slot is never after it.
    """
    difference = 0.0
    for slot in range(begin, end):
        value = values[first[slot]]
        difference = max(difference, abs(values[slot] - value))
        values[slot] = value
    return difference
