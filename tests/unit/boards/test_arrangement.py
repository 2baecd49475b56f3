"""From places and keys to grids, tokens, marks, racks, hands and badges."""

from __future__ import annotations

from itertools import product

import pytest

from veil.boards.arrangement import Arrangement, arrange
from veil.boards.fluent_families import FluentFamily, make_family

X, Y = "12345", "12345"
WHO = ("white", "black")


def family_of(*places: tuple[str, ...] | str) -> FluentFamily:
    """A family with every combination of these values."""
    terms = [("f", *values) for values in product(*places)]
    return make_family("f", len(places), terms, range(len(terms)), [])


def arranged(places: list[tuple[str, ...] | str], keys: list[set[int]], wish: str = "") -> Arrangement:
    family = family_of(*places)
    sizes = [len(place.values) for place in family.places]
    return arrange(family, [frozenset(key) for key in keys], WHO, sizes, wish)


@pytest.mark.parametrize(
    ("places", "keys", "kind", "axes", "split", "pieces"),
    [
        ([X, Y, ("x", "o")], [{0, 1}], "grid", (0, 1), (), (2,)),
        ([X, Y, X], [{2}, {0, 1}], "grid", (0, 1), (), (2,)),  # every tile once: still a grid
        (["12", X, Y, ("x", "o")], [{0, 1, 2}], "grid", (1, 2), (0,), (3,)),  # a board each
        ([WHO, ("ship", "boat"), X, Y], [{0, 2, 3}], "grid", (2, 3), (0,), (1,)),
        ([WHO, X, Y], [{0}], "token", (1, 2), (), (0,)),
        ([X, Y], [set()], "token", (0, 1), (), ()),
        ([WHO, X, Y], [{0, 1, 2}], "marks", (1, 2), (), (0,)),
        ([X, Y], [{0, 1}], "marks", (0, 1), (), ()),
    ],
)
def test_two_ordered_places_make_a_grid(places, keys, kind, axes, split, pieces) -> None:
    found = arranged(places, keys)
    assert (found.kind, found.axes, found.split, found.pieces) == (kind, axes, split, pieces)


@pytest.mark.parametrize(
    ("places", "keys", "kind", "axes", "rows", "pieces"),
    [
        (["1234", "123456"], [{0}], "rack", (0,), (), (1,)),  # a code: place, colour
        ([WHO, "123456", "12"], [{0, 1}], "rack", (1,), (0,), (2,)),  # dice: who, face, how many
        ([WHO, "123456789"], [{0, 1}], "rack", (1,), (0,), ()),  # cards in two hands
        ([WHO, ("jack", "king", "queen")], [{0}, {1}], "hand", (), (0,), (1,)),
        ([WHO, ("jack", "king"), ("hearts", "spades")], [{1, 2}], "hand", (), (0,), (1, 2)),
        ([("left", "right")], [{0}], "list", (), (), (0,)),
        ([WHO], [set()], "badge", (), (), (0,)),
        ([tuple(map(str, range(1, 31)))], [{0}], "list", (), (), (0,)),  # a deck is too long for a row
    ],
)
def test_other_families_are_racks_hands_and_badges(places, keys, kind, axes, rows, pieces) -> None:
    found = arranged(places, keys)
    assert (found.kind, found.axes, found.rows, found.pieces) == (kind, axes, rows, pieces)


def test_names_of_roles_are_no_rows_though_they_are_numbered() -> None:
    family = family_of(("p1", "p2"), "12345")
    found = arrange(family, [frozenset({0, 1})], ("p1", "p2"), [2, 5])
    assert (found.kind, found.rows) == ("rack", (0,))


def test_pairs_of_numbers_that_leave_most_cells_out_are_no_grid() -> None:
    terms = [("offered", str(n), str(10 - n)) for n in range(11)]
    family = make_family("offered", 2, terms, range(11), [])
    assert arrange(family, [frozenset()], WHO, [11, 11]).kind == "badge"


def test_numbers_with_gaps_are_no_rows() -> None:
    assert arranged([("0", "5", "12", "40"), ("0", "5", "12", "40")], [set()]).kind == "badge"


def test_colours_are_in_the_cells_and_numbers_tell_the_boards() -> None:
    found = arranged(["12", X, Y, ("amber", "jade")], [{1, 2, 3}])
    assert (found.kind, found.split, found.pieces) == ("grid", (0,), (3,))


@pytest.mark.parametrize("wish", ["badge", "list", "hand"])
def test_a_wish_goes_before_what_would_be_found(wish: str) -> None:
    assert arranged([WHO, X, Y], [{0}], wish).kind == wish
