"""A relation in memory: rows of ground terms, with an index for every way in which rows are looked up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from veil.vocabulary import Term

Row = tuple[Term, ...]
Path = tuple[int, ...]  # (0,) the first argument of a row, (0, 2) the second argument of that term, ...


class Access(NamedTuple):
    """A way to look up rows: terms of certain shapes, and certain values at certain places."""

    shapes: tuple[tuple[Path, str, int], ...]  # at this path stands a term with this functor and tuple length
    keys: tuple[Path, ...]  # the places whose values are known when asking


class Relation:
    """Rows in the order in which they came, with indexes that are made at their first use and kept up to date."""

    __slots__ = ("_indexes", "rows")

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.rows: dict[Row, None] = dict.fromkeys(rows)
        self._indexes: dict[Access, dict[Row, list[Row]]] = {}

    def add(self, row: Row) -> bool:
        """Add a row. Return False if the relation had it already."""
        if row in self.rows:
            return False
        self.rows[row] = None
        for access, index in self._indexes.items():
            _insert(index, access, row)
        return True

    def index(self, access: Access) -> dict[Row, list[Row]]:
        """Return the rows of the right shape by the values at the key places."""
        index = self._indexes.get(access)
        if index is None:
            index = self._indexes[access] = {}
            for row in self.rows:
                _insert(index, access, row)
        return index


def term_at(row: Row, path: Path) -> Term:
    """Return the term at a place of a row."""
    term: Term = row
    for step in path:
        term = term[step]
    return term


def _insert(index: dict[Row, list[Row]], access: Access, row: Row) -> None:
    """Put a row into an index if it has the right shape (`index` is changed in place)."""
    for path, functor, length in access.shapes:
        term = term_at(row, path)
        if isinstance(term, str) or len(term) != length or term[0] != functor:
            return
    key = tuple(term_at(row, path) for path in access.keys)
    index.setdefault(key, []).append(row)
