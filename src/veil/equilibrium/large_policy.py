"""Policies of millions of infosets: probabilities as one array per role, in memory or in a file.

`ArrayTable` is a table role -> record -> move -> probability like that of a small policy, but a record is looked up in
an index (`record_index`). A file is an array file: the rules' fingerprint, the index and the probabilities, as numbers
of four bytes. It is mapped into memory, so that opening it takes no time, and a player reads only what it needs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
import numpy as np

from veil.equilibrium.array_file import ArrayFile, Refuse, write_arrays
from veil.equilibrium.record_index import ROUNDS, IndexLevel, RecordIndex
from veil.errors import fail

FORMAT = "veil policy arrays 1"
ARRAYS = ("legal", "child_start", "token", "child", "offset")  # of a level
NOT_A_POLICY = "it is no policy: its arrays are not those of one"
SUM_TOLERANCE = 1e-4
MAX_SLOTS = 1 << 31  # of a role; places of records have four bytes


class RoleArrays(NamedTuple):
    """The policy of one role."""

    records: RecordIndex
    probabilities: np.ndarray  # [S] of the role
    infosets: int


class ArrayRows(Mapping[str, Mapping[str, float]]):
    """The rows of one role: record -> move -> probability."""

    def __init__(self, arrays: RoleArrays) -> None:
        self.arrays = arrays

    def __getitem__(self, record: str) -> Mapping[str, float]:
        found = self.arrays.records.find(record)
        if found is None:
            raise KeyError(record)
        return self._row(found.slot, found.moves)

    def __iter__(self) -> Iterator[str]:
        return (record.text for record in self.arrays.records.list_records())

    def __len__(self) -> int:
        return self.arrays.infosets

    def _row(self, slot: int, moves: tuple[str, ...]) -> dict[str, float]:
        chances = self.arrays.probabilities[slot : slot + len(moves)].astype(np.float64)
        total = chances.sum()
        if abs(total - 1) > SUM_TOLERANCE:
            raise fail("bad-policy", name="the policy", what=f"the probabilities of a record add up to {total:.6g}")
        return dict(zip(moves, (chances / total).tolist(), strict=True))


class ArrayTable(Mapping[str, Mapping[str, Mapping[str, float]]]):
    """The table of a policy, role by role."""

    def __init__(self, roles: Mapping[str, RoleArrays]) -> None:
        self.roles = dict(roles)

    def __getitem__(self, role: str) -> ArrayRows:
        return ArrayRows(self.roles[role])

    def __iter__(self) -> Iterator[str]:
        return iter(self.roles)

    def __len__(self) -> int:
        return len(self.roles)


def write_table(name: str | os.PathLike[str], about: Mapping[str, Any], table: ArrayTable) -> None:
    """Write a policy; `about` says for which game it is, and how it was made."""
    roles, arrays = list[dict[str, Any]](), dict[str, np.ndarray]()
    for place, (role, own) in enumerate(table.roles.items()):
        levels = own.records.levels
        words = [{"words": level.words, "moves": level.moves} for level in levels]
        roles.append({"name": role, "infosets": own.infosets, "levels": words})
        arrays[f"{place} probabilities"] = own.probabilities.astype(np.float32)
        for depth, level in enumerate(levels):
            for what in ARRAYS:
                arrays[f"{place} {depth} {what}"] = getattr(level, what).astype(np.int32)
    write_arrays(name, {"format": FORMAT, **about, "roles": roles}, arrays)


class _LevelWords(msgspec.Struct, frozen=True):
    """The words of a level in a file."""

    words: tuple[str, ...]
    moves: tuple[tuple[str, ...], ...]


class _RoleWords(msgspec.Struct, frozen=True):
    """The words of a role in a file."""

    name: str
    infosets: int
    levels: list[_LevelWords]


class _PolicyWords(msgspec.Struct, frozen=True):
    """What the header of a file says."""

    format: str
    game: str
    rules: str
    roles: list[_RoleWords]


def read_table(content: ArrayFile, name: str, refuse: Refuse) -> ArrayTable:
    """Return the table of a policy. `refuse(name, what)` makes the error for a file that holds no policy."""
    try:
        header = msgspec.convert(content.about, _PolicyWords)
        if header.format != FORMAT or len({role.name for role in header.roles}) < len(header.roles):
            raise ValueError("another format, or a role twice")
        roles = {role.name: _read_role(place, role, content.arrays) for place, role in enumerate(header.roles)}
    except (KeyError, TypeError, ValueError, IndexError):
        raise refuse(name, NOT_A_POLICY) from None
    return ArrayTable(roles)


def _read_role(place: int, role: _RoleWords, arrays: Mapping[str, np.ndarray]) -> RoleArrays:
    """Return the policy of one role. Raises ValueError for numbers that cannot be right."""
    levels = []
    for depth, words in enumerate(role.levels):
        legal, child_start, token, child, offset = (_find_numbers(arrays, f"{place} {depth} {what}") for what in ARRAYS)
        levels.append(IndexLevel(legal, child_start, token, child, offset, words.words, words.moves))
    probabilities = arrays[f"{place} probabilities"]
    slots, infosets = _check_levels(levels)
    if probabilities.shape != (slots,) or probabilities.dtype.kind != "f":
        raise ValueError(f"{probabilities.shape} probabilities for {slots} slots")
    if infosets != role.infosets:
        raise ValueError(f"{role.infosets} infosets are told where there are {infosets}")
    if not (probabilities >= 0).all() or not (probabilities <= 1 + SUM_TOLERANCE).all():  # NaN fails too
        raise ValueError("numbers that are no probabilities")
    return RoleArrays(RecordIndex(tuple(levels)), probabilities, infosets)


def _find_numbers(arrays: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    """Return an array of whole numbers. Raises KeyError if there is none, and ValueError if it is another one."""
    array = arrays[name]
    if array.ndim != 1 or array.dtype.kind != "i":
        raise ValueError("an array of another kind")
    return array


def _check_levels(levels: list[IndexLevel]) -> tuple[int, int]:
    """Return the slots and the infosets of a role. Raises ValueError if a level leads to places that are not there."""
    below = np.zeros((2, 1), np.int64)  # slots, and infosets, of the records of every class of the next level
    for level in reversed(levels):
        legal, start, token, child, offset, words, moves = level
        sizes = np.array([len(entry) for entry in moves], np.int64)
        if not (_is_below(legal, len(moves)) and _is_below(token, len(words)) and _is_below(child, below.shape[1])):
            raise ValueError("numbers beyond their tables")
        if start[0] != 0 or start[-1] != len(child) or (np.diff(start) < 0).any() or len(start) != len(legal) + 1:
            raise ValueError("classes that are not one after the other")
        if not len(token) == len(child) == len(offset) or not _are_distinct(level):
            raise ValueError("ways to go on that are not told apart")
        own = np.where(sizes[legal] > 1, [sizes[legal], np.ones_like(legal)], 0)
        ends = np.concatenate((np.zeros((2, 1), np.int64), np.cumsum(below[:, child], axis=1)), axis=1)
        if not np.array_equal(offset, ends[0, :-1] + np.repeat(own[0] - ends[0, start[:-1]], np.diff(start))):
            raise ValueError("records that are not one after the other")
        below = own + ends[:, start[1:]] - ends[:, start[:-1]]
        if below.max(initial=0) >= MAX_SLOTS:  # sums of such numbers cannot overflow
            raise ValueError("more slots than a file can hold")
    return int(below[0, 0]), int(below[1, 0])


def _are_distinct(level: IndexLevel) -> bool:
    """Return whether words, moves of a set and tokens of a class are told apart, and words are found in a record."""
    if len(set(level.words)) < len(level.words) or any(ROUNDS in word for word in level.words):
        return False
    if any(len(set(entry)) < len(entry) for entry in level.moves):
        return False
    is_first = np.zeros(len(level.token) + 1, np.bool_)
    is_first[level.child_start] = True
    return bool((is_first[1:-1] | (np.diff(level.token) > 0)).all())


def _is_below(numbers: np.ndarray, limit: int) -> bool:
    """Return whether all numbers are from 0 to below a limit."""
    return not len(numbers) or (int(numbers.min()) >= 0 and int(numbers.max()) < limit)
