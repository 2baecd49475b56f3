"""The fluents of a game by families, with the values of their arguments in order.

A family is all fluents of one name. Its places are the arguments, with two refinements. A place that always holds the
same function, `(cell (at 1 2) x)`, is replaced by the arguments of that function. A place with names such as `a1`,
`a2`, `b1` is split into a letter and a number.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase

import numpy as np

from veil.boards.orders import Chain, find_chains, order_values
from veil.engine import Game
from veil.vocabulary import Term, Var, arguments, signature

SQUARE_NAME = re.compile(r"([a-z])([0-9]{1,2})")  # a1, h10
LEAST_SQUARES = 4  # such names that a place must have, with two letters and two numbers

Path = tuple[int, ...]  # where a place is in a term: argument, argument of that, ...
LETTER, NUMBER = -1, -2  # last entries of a path: half of a name such as a1


@dataclass(frozen=True, slots=True)
class FamilyPlace:
    """One place of a family. V values."""

    path: Path
    values: tuple[Term, ...]  # [V] in order
    is_ordered: bool


@dataclass(frozen=True, slots=True, eq=False)
class FluentFamily:
    """All fluents of one name, in the order of their values. N fluents, P places."""

    name: str
    arity: int
    places: tuple[FamilyPlace, ...]  # [P]
    fluents: np.ndarray  # [N] their numbers in the ground program
    codes: np.ndarray  # [N, P] which value stands at which place


def find_families(game: Game) -> list[FluentFamily]:
    """Return the families of the ground program, in the order in which its fluents come."""
    chains = find_chains(game.rules)
    members: dict[tuple[str, int], list[int]] = defaultdict(list)
    for number, fluent in enumerate(game.program.fluents):
        members[signature(fluent)].append(number)
    return [
        make_family(name, arity, [game.program.fluents[number] for number in numbers], numbers, chains)
        for (name, arity), numbers in members.items()
    ]


def make_family(
    name: str, arity: int, terms: Sequence[Term], numbers: Sequence[int], chains: Sequence[Chain]
) -> FluentFamily:
    """Return a family of these terms, which have these numbers."""
    places, columns = [], []
    for path in [path for index in range(arity) for path in find_paths(terms, (index,))]:
        found = [take_value(term, path) for term in terms]
        order = order_values(found, chains)
        index = {value: code for code, value in enumerate(order.values)}
        places.append(FamilyPlace(path, order.values, order.is_ordered or path[-1] == LETTER))
        columns.append([index[value] for value in found])
    codes = np.array(columns, np.int64).T.reshape(len(terms), len(columns))
    sorting = np.lexsort(codes.T[::-1]) if columns else np.arange(len(terms))
    return FluentFamily(name, arity, tuple(places), np.array(numbers, np.int64)[sorting], codes[sorting])


def find_paths(terms: Sequence[Term], path: Path) -> list[Path]:
    """Return the places that one argument of some terms consists of."""
    found = [take_value(term, path) for term in terms]
    shapes = {signature(value) for value in found}
    if len(shapes) == 1 and next(iter(shapes))[1] > 0:
        arity = next(iter(shapes))[1]
        return [deeper for index in range(arity) for deeper in find_paths(terms, (*path, index))]
    names = [SQUARE_NAME.fullmatch(value) if isinstance(value, str) else None for value in set(found)]
    if len(names) >= LEAST_SQUARES and all(names):
        letters, numbers = ({name[half] for name in names if name is not None} for half in (1, 2))
        is_run = "".join(sorted(letters)) in ascii_lowercase  # a, b, c, and not p and n
        if min(len(letters), len(numbers)) > 1 and is_run:
            return [(*path, LETTER), (*path, NUMBER)]
    return [path]


def take_value(term: Term, path: Path) -> Term:
    """Return the value at a place of a term, which must have that place."""
    for index in path:
        if index in (LETTER, NUMBER):
            name = SQUARE_NAME.fullmatch(str(term))
            assert name is not None
            return name[-index]
        assert not isinstance(term, Var)
        term = arguments(term)[index]
    return term
