"""Families of fluents: places inside functions, names of squares, values in order."""

from __future__ import annotations

from veil.boards.fluent_families import LETTER, NUMBER, make_family, take_value


def test_a_function_that_is_always_there_is_taken_apart() -> None:
    terms = [("cell", ("at", "2", "1"), "x"), ("cell", ("at", "1", "2"), "o")]
    family = make_family("cell", 2, terms, [7, 9], [])
    assert [place.path for place in family.places] == [(0, 0), (0, 1), (1,)]
    assert [place.values for place in family.places] == [("1", "2"), ("1", "2"), ("o", "x")]
    assert family.fluents.tolist() == [9, 7]  # in the order of their values
    assert family.codes.tolist() == [[0, 1, 0], [1, 0, 1]]


def test_a_function_that_is_only_sometimes_there_is_a_value() -> None:
    family = make_family("cell", 1, [("cell", ("man", "white")), ("cell", "b")], [0, 1], [])
    assert [place.path for place in family.places] == [(0,)]


def test_names_of_squares_are_a_letter_and_a_number() -> None:
    terms = [("cell", name) for name in ("a1", "a2", "b1", "b10")]
    family = make_family("cell", 1, terms, range(4), [])
    assert [place.path for place in family.places] == [(0, LETTER), (0, NUMBER)]
    assert [place.values for place in family.places] == [("a", "b"), ("1", "2", "10")]
    assert take_value(("cell", "b10"), (0, NUMBER)) == "10"


def test_names_with_one_letter_are_no_squares() -> None:
    family = make_family("at", 1, [("at", f"r{n}") for n in range(5)], range(5), [])
    assert [(place.path, place.is_ordered) for place in family.places] == [((0,), True)]


def test_a_fluent_without_arguments_is_a_family_of_one() -> None:
    family = make_family("over", 0, ["over"], [3], [])
    assert (family.places, family.codes.shape) == ((), (1, 0))
