"""Relations: rows without repetition, and indexes that stay right while rows are added."""

from __future__ import annotations

from veil.engine.datalog.relation import Access, Relation, term_at
from veil.vocabulary import Term

EDGES = [("a", "b"), ("a", "c"), ("b", "c")]
FIRST = Access((), ((0,),))


def test_rows_keep_their_order_and_come_once() -> None:
    relation = Relation([*EDGES, EDGES[0]])
    assert list(relation.rows) == EDGES
    assert not relation.add(("b", "c"))
    assert relation.add(("c", "a"))
    assert list(relation.rows) == [*EDGES, ("c", "a")]


def test_an_index_finds_rows_by_the_values_at_its_places() -> None:
    relation = Relation(EDGES)
    assert relation.index(FIRST) == {("a",): EDGES[:2], ("b",): EDGES[2:]}
    both = {("b", "a"): EDGES[:1], ("c", "a"): EDGES[1:2], ("c", "b"): EDGES[2:]}
    assert relation.index(Access((), ((1,), (0,)))) == both
    assert relation.index(Access((), ())) == {(): EDGES}


def test_an_index_learns_of_rows_that_are_added_later() -> None:
    relation = Relation(EDGES)
    index = relation.index(FIRST)
    relation.add(("a", "d"))
    relation.add(("a", "d"))
    assert index["a",] == [*EDGES[:2], ("a", "d")]
    assert relation.index(FIRST) is index


def test_an_index_holds_only_rows_of_its_shape() -> None:
    """Shapes are (path, functor, length of the term with its functor)."""
    rows: list[tuple[Term, ...]] = [
        (("f", "a", "b"),),
        (("f", "a"),),
        (("g", "a", "b"),),
        ("f",),
        (("f", "c", ("h", "d")),),
    ]
    inside = Access((((0,), "f", 3),), ((0, 1),))
    assert Relation(rows).index(inside) == {("a",): rows[:1], ("c",): rows[4:]}
    deeper = Access((((0,), "f", 3), ((0, 2), "h", 2)), ((0, 2, 1),))
    assert Relation(rows).index(deeper) == {("d",): rows[4:]}


def test_a_path_leads_to_a_term_inside_a_row() -> None:
    row = ("x", ("f", "a", ("g", "b")))
    assert [term_at(row, path) for path in [(0,), (1,), (1, 1), (1, 2, 1)]] == ["x", row[1], "a", "b"]
