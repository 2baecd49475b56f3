"""TermMemory and relations in numbers, as machine code reads them.

A ground term is a number: its place in one memory of terms. Constants come first, one word each. A compound term is a
tag, which says functor and number of arguments, followed by the numbers of its arguments.

Rows are looked up by the values of some columns through an `Index`: the numbers in a column are mapped to small ones,
and these together make the number of a group of rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from veil.vocabulary import Signature, Term, Var, signature

MAX_GROUPS = 1 << 21  # of an index; columns beyond that are compared row by row
CONSTANT = -1  # the word of a constant


class TermMemory:
    """All ground terms that are known before the game is played."""

    def __init__(self, terms: Iterable[Term]) -> None:
        """Number the terms and everything inside them."""
        self.tags: dict[Signature, int] = {}
        self.words: list[int] = []
        self._ids: dict[Term, int] = {}
        self.terms: dict[int, Term] = {}
        inside: dict[Term, None] = {}
        waiting = list(terms)
        while waiting:
            term = waiting.pop()
            if term not in inside:
                inside[term] = None
                if not isinstance(term, str):
                    waiting.extend(term[1:])
        for term in sorted(term for term in inside if isinstance(term, str)):
            self._keep(term, [CONSTANT])
        self.num_constants = len(self.words)
        for term in inside:
            self._add(term)

    def tag(self, shape: Signature) -> int:
        """Return the tag of a functor with a number of arguments."""
        return self.tags.setdefault(shape, len(self.tags))

    def id(self, term: Term) -> int:
        """Return the number of a known term."""
        return self._ids[term]

    def find(self, term: Term) -> int | None:
        """Return the number of a term; None if it is not known."""
        return self._ids.get(term)

    def _add(self, term: Term) -> int:
        known = self._ids.get(term)
        if known is not None:
            return known
        assert not isinstance(term, str | Var)
        parts = [self._add(part) for part in term[1:]]
        return self._keep(term, [self.tag(signature(term)), *parts])

    def _keep(self, term: Term, words: list[int]) -> int:
        number = len(self.words)
        self._ids[term] = number
        self.terms[number] = term
        self.words += words
        return number


class Index(NamedTuple):
    """Groups of rows by the values of some columns. G groups, N rows."""

    columns: tuple[int, ...]  # those that make the group; the others have to be compared
    maps: tuple[np.ndarray, ...]  # per column [ids] int32: the small number of a term; -1 if it stands in no row
    strides: tuple[int, ...]  # per column
    group: np.ndarray  # [N] int32: the group of a row
    num_groups: int


def make_index(rows: np.ndarray, columns: Sequence[int]) -> Index:
    """Return an index of rows [N, K] by some columns; those with most values come first."""
    values = {column: np.unique(rows[:, column]) for column in columns}
    kept, maps, strides, groups = list[int](), list[np.ndarray](), list[int](), 1
    group = np.zeros(len(rows), np.int64)
    for column in sorted(columns, key=lambda column: -len(values[column])):
        known = values[column]
        if groups * max(1, len(known)) > MAX_GROUPS:
            continue
        table = np.full(int(known.max(initial=-1)) + 2, -1, np.int32)
        table[known] = np.arange(len(known))
        kept.append(column)
        maps.append(table)
        strides.append(groups)
        group += table[rows[:, column]].astype(np.int64) * groups
        groups *= max(1, len(known))
    return Index(tuple(kept), tuple(maps), tuple(strides), group.astype(np.int32), groups)


class FixedRows:
    """Rows of a relation that never changes, with the indexes by which they are looked up."""

    def __init__(self, rows: np.ndarray) -> None:
        """Take rows [N, K] of numbers of terms, int32."""
        self.rows = rows
        self._indexes: dict[tuple[int, ...], tuple[Index, np.ndarray, np.ndarray]] = {}
        self._groups: dict[tuple[int, ...], float] = {}

    def lookup(self, columns: tuple[int, ...]) -> tuple[Index, np.ndarray, np.ndarray]:
        """Return (index, first row of each group [G + 1], the rows in the order of their groups)."""
        if columns not in self._indexes:
            index = make_index(self.rows, columns)
            order = np.argsort(index.group, kind="stable")
            start = np.zeros(index.num_groups + 1, np.int32)
            np.cumsum(np.bincount(index.group, minlength=index.num_groups), out=start[1:])
            self._indexes[columns] = index, start, np.ascontiguousarray(self.rows[order])
        return self._indexes[columns]

    def rows_per_key(self, columns: tuple[int, ...]) -> float:
        """Return the mean number of rows that agree in these columns."""
        if columns not in self._groups:
            keys = np.unique(self.rows[:, list(columns)], axis=0) if columns and len(self.rows) else self.rows[:1]
            self._groups[columns] = len(self.rows) / max(1, len(keys))
        return self._groups[columns]
