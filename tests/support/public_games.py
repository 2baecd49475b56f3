"""Games in which some moves are public, and classes of moves beside the trees of the oracles."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tests.reference.gametree import Decision, Node, Tree, nodes
from veil.engine import Game

# Both show a side at once, and see it afterwards, three times.
OPEN_SIDES = """
(role ann) (role bob) (side left) (side right) (init (round 0))
(<= (legal ?p ?s) (role ?p) (side ?s))
(<= (sees ?q (showed ?p ?s)) (does ?p ?s) (role ?q) (distinct ?p ?q))
(<= (next (round 1)) (true (round 0))) (<= (next (round 2)) (true (round 1)))
(<= (next (alike ?s)) (does ann ?s) (does bob ?s))
(<= terminal (true (round 2)))
(<= same (true (alike ?s)))
(<= (goal ann 100) same) (<= (goal ann 0) (not same)) (<= (goal bob 0) same) (<= (goal bob 100) (not same))
"""
# Ann names a number; bob is told whether it is above two.
LOW_OR_HIGH = """
(role ann) (role bob) (init start) (number 1) (number 2) (number 3) (number 4) (big 3) (big 4)
(<= (legal ann ?n) (number ?n) (true start)) (<= (legal ann noop) (not (true start)))
(<= (legal bob noop) (true start)) (<= (legal bob ?n) (number ?n) (not (true start)))
(<= (sees bob big) (does ann ?n) (big ?n))
(<= (next (named ?n)) (does ann ?n) (number ?n)) (<= (next (named ?n)) (true (named ?n)))
(<= (next (guessed ?n)) (does bob ?n) (number ?n))
(<= over (true (guessed ?n))) (<= terminal over)
(<= hit (true (named ?n)) (true (guessed ?n)))
(<= (goal bob 100) hit) (<= (goal bob 0) (not hit)) (<= (goal ann 0) hit) (<= (goal ann 100) (not hit))
"""
# Ann sees a coin; with heads she may raise, with tails call, and always fold. Bob hears it, and says which it was.
HEADS_MAY_RAISE = """
(role random) (role ann) (role bob) (init start) (side heads) (side tails)
(word yes) (word no) (bid raise) (bid call) (bid fold)
(<= (legal random ?c) (side ?c) (true start)) (<= (legal random noop) (not (true start)))
(<= said (true (done ?m)))
(<= (legal ann noop) (true start)) (<= (legal ann noop) said)
(<= (legal ann fold) (true (coin ?c)) (not said))
(<= (legal ann raise) (true (coin heads)) (not said)) (<= (legal ann call) (true (coin tails)) (not said))
(<= (legal bob noop) (not said)) (<= (legal bob ?w) (word ?w) said)
(<= (sees ann ?c) (does random ?c) (side ?c)) (<= (sees bob ?m) (does ann ?m) (bid ?m))
(<= (next (coin ?c)) (does random ?c) (side ?c)) (<= (next (coin ?c)) (true (coin ?c)))
(<= (next (done ?m)) (does ann ?m) (bid ?m)) (<= (next (done ?m)) (true (done ?m)))
(<= (next (answer ?w)) (does bob ?w) (word ?w))
(<= over (true (answer ?w))) (<= terminal over)
(<= right (true (answer yes)) (true (coin heads))) (<= right (true (answer no)) (true (coin tails)))
(<= (goal bob 100) right) (<= (goal bob 0) (not right)) (<= (goal ann 0) right) (<= (goal ann 100) (not right))
"""


def class_of_edges(tree: Tree, of: Game, classes: Sequence[np.ndarray]) -> Callable[[Node], tuple[str, int]]:
    """Of every node, the role and the class of the move that led to it."""
    edges = {}
    for node in nodes(tree):
        for move, child in node.children.items():
            role = node.infoset[0] if isinstance(node, Decision) else "random"
            role_id = of.roles.index(role)
            edges[child] = role, int(classes[role_id][of.names.moves[role_id].index(move)])
    return edges.__getitem__
