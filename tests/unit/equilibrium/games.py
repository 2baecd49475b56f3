"""Small games for the tests of this room, and what several of them need."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from veil import load
from veil.equilibrium.prepared import PreparedGame, prepare
from veil.errors import VeilError

# random tosses a coin, nobody looks. Then ann guesses it.
GUESS = """
(role random) (role ann) (init (round 1)) (side heads) (side tails)
(<= (next (round 2)) (true (round 1))) (<= (next (round 3)) (true (round 2)))
(<= (legal random ?s) (side ?s) (true (round 1)))
(<= (legal random noop) (true (round 2)))
(<= (legal ann noop) (true (round 1)))
(<= (legal ann ?s) (side ?s) (true (round 2)))
(<= (next (coin ?s)) (does random ?s) (side ?s))
(<= (next (coin ?s)) (true (coin ?s)))
(<= (next (guess ?s)) (does ann ?s) (side ?s))
(<= terminal (true (round 3)))
(<= right (true (coin ?s)) (true (guess ?s)))
(<= (goal ann 100) right)
(<= (goal ann 10) (not right))
"""
# After heads, which ann does not see, she may also guess that the coin stands on its edge.
EDGE_AFTER_HEADS = GUESS + "(<= (legal ann edge) (true (round 2)) (true (coin heads)))"
# After heads, which ann does not see, she must pass.
PASS_AFTER_HEADS = GUESS.replace(
    "(<= (legal ann ?s) (side ?s) (true (round 2)))",
    "(<= (legal ann ?s) (side ?s) (true (round 2)) (true (coin tails)))"
    "(<= (legal ann heads) (true (round 2)) (true (coin heads)))",
)
FORCED_BY_THE_COIN = GUESS.replace(
    "(<= (legal ann ?s) (side ?s) (true (round 2)))", "(<= (legal ann ?s) (true (round 2)) (true (coin ?s)))"
)
STUCK_AFTER_HEADS = GUESS.replace("(<= (legal ann ?s) (side ?s) (true (round 2)))", "").replace(
    "(<= (legal ann noop) (true (round 1)))",
    "(<= (legal ann noop) (true (round 1))) (<= (legal ann noop) (true (coin tails)))",
)
OVER_AT_THE_START = """
(role ann) (role bob) (init over)
(<= terminal (true over)) (<= (legal ?p noop) (role ?p)) (<= (next over) (true over))
(<= (goal ann 30) (true over)) (<= (goal bob 70) (true over))
"""
NO_PLAYERS = """
(role random) (init start) (side heads) (side tails)
(<= (legal random ?s) (side ?s) (true start))
(<= (next (coin ?s)) (does random ?s))
(<= terminal (not (true start)))
(<= (goal random 0) (true (coin ?s)))
"""
# Three roles vote at once; who is in the minority of one loses.
THREE_VOTE = """
(role ann) (role bob) (role cid) (init start) (side left) (side right)
(<= (legal ?p ?s) (role ?p) (side ?s) (true start))
(<= (next (voted ?p ?s)) (does ?p ?s))
(<= terminal (not (true start)))
(<= (with_others ?p) (true (voted ?p ?s)) (true (voted ?q ?s)) (distinct ?p ?q))
(<= (goal ?p 100) (with_others ?p))
(<= (goal ?p 0) (role ?p) (not (with_others ?p)))
"""


@cache
def prepared(name: str) -> PreparedGame:
    """A game, expanded and folded, once for all tests of a process."""
    return prepare(load(name))


def refused(code: str, call: Callable[[], object]) -> str:
    """Check that the call ends with one problem of this code; return what is said."""
    with pytest.raises(VeilError) as caught:
        call()
    assert [entry.code for entry in caught.value.problems] == [code]
    return str(caught.value)
