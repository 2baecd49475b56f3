"""Which axis is which: letters and numbers, r and c, names of variables, x before y."""

from __future__ import annotations

from itertools import product

import pytest

from veil.boards.fluent_families import make_family
from veil.boards.orientation import Orientation, orient
from veil.lang import read_rules

RULES = """(role a) (init (cell 1 1 x)) (legal a go) (goal a 0) (<= terminal (true (cell 9 9 x)))
(<= (next (cell {0} {1} ?p)) (true (cell {0} {1} ?p)))"""


@pytest.mark.parametrize(
    ("first", "second", "names", "wanted"),
    [
        ("abc", "123", ("?x", "?y"), Orientation(True, True)),
        ("123", "abc", ("?x", "?y"), Orientation(False, True)),
        (("r1", "r2"), ("c1", "c2"), ("?x", "?y"), Orientation(False, False)),
        (("c1", "c2"), ("r1", "r2"), ("?x", "?y"), Orientation(True, False)),
        ("123", "123", ("?x", "?y"), Orientation(True, True)),
        ("123", "123", ("?m", "?n"), Orientation(False, False)),
        ("123", "123", ("?row", "?col"), Orientation(False, False)),
    ],
)
def test_axes_lie_as_their_names_say(first, second, names, wanted) -> None:
    terms = [("cell", *values) for values in product(first, second, "xo")]
    family = make_family("cell", 3, terms, range(len(terms)), [])
    assert orient(read_rules(RULES.format(*names)), family, (0, 1)) == wanted
