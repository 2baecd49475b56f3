"""Which cases of a long parametrization are in the gate, and which are left to the nightly run.

`make test` leaves out what is marked `nightly`, `make test-all` runs it too. Tests of every bundled family run in the
gate with eight of them, so chosen that between them they have every trait a family can have.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest

from veil.games import FAMILIES, Family

ARCHETYPES = {
    "monty_hall": "one role and chance",
    "banker_and_thief": "general sum; chance and two roles, who move at different times",
    "ii_goofspiel": "simultaneous moves in every round, which stay hidden",
    "leduc_poker": "cards that chance deals at two different times; bets",
    "dark_hex": "a board on which the other's moves are hidden, small enough for a tree",
    "phantom_tictactoe": "too large for a tree at its smallest size",
    "breakthrough": "perfect information; a board of which every size is another game",
    "racko": "has a twin in POGDDL; chance deals, roles hold a hand, three roles with chance",
}
assert set(ARCHETYPES) <= set(FAMILIES)


def nightly_but(kept: Collection[Any], values: Iterable[Any]) -> list[Any]:
    """`values` for a parametrization, in their order; all that are not in `kept` are marked `nightly`.

    A tuple is one value for each of several parameters.
    """
    rows = [(value, value if isinstance(value, tuple) else (value,)) for value in values]
    return [pytest.param(*row, marks=() if value in kept else pytest.mark.nightly) for value, row in rows]


def archetypes_of(values: Iterable[str | Family]) -> list[Any]:
    """Families, names of families or specs of games for a parametrization; all but the archetypes are nightly."""
    listed = list(values)
    return nightly_but([value for value in listed if _find_name(value) in ARCHETYPES], listed)


def _find_name(value: str | Family) -> str:
    return value.partition("(")[0] if isinstance(value, str) else value.name
