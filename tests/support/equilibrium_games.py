"""Small games for tests of solvers, and games that are prepared once for all tests of a process."""

from __future__ import annotations

from functools import cache

from tests.support.games import game
from veil.equilibrium.prepared_game import PreparedGame, prepare

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
    return prepare(game(name))
