"""Rules that are odd as environments: endless, stuck, over before anybody can choose, with many roles or none."""

from __future__ import annotations

ENDLESS = """
(role ann) (role bob) (init (at 0)) (succ 0 1) (succ 1 0)
(<= (legal ?p stay) (role ?p)) (<= (legal ?p go) (role ?p))
(<= (next (at ?y)) (does ann go) (true (at ?x)) (succ ?x ?y))
(<= (next (at ?x)) (does ann stay) (true (at ?x)))
(<= (sees bob (now ?x)) (true (at ?x)))
(<= terminal (true never)) (<= (next never) (true never))
(<= (goal ann 30) (true (at 0))) (<= (goal ann 60) (true (at 1))) (goal bob 10)
"""
# Whoever takes the left door cannot move any more; the right one ends the game.
STUCK = """
(role ann) (init start)
(<= (legal ann left) (true start)) (<= (legal ann right) (true start))
(<= (next trapped) (does ann left)) (<= (next out) (does ann right))
(<= terminal (true out)) (<= (goal ann 100) (true out)) (<= (goal ann 20) (true trapped))
"""
# Chance ends half of the games before ann can choose, and one after it.
SOON_OVER = """
(role random) (role ann) (init start)
(<= (legal random heads) (true start)) (<= (legal random tails) (true start))
(<= (legal random noop) (not (true start)))
(<= (legal ann noop) (true start)) (<= (legal ann left) (true open)) (<= (legal ann right) (true open))
(<= (legal ann noop) (true over))
(<= (sees ann (fell ?x)) (does random ?x) (true start))
(<= (next over) (does random heads)) (<= (next lost) (does random heads))
(<= (next open) (does random tails))
(<= (next over) (true open)) (<= (next won) (does ann left))
(<= terminal (true over))
(<= (goal ann 0) (true lost)) (<= (goal ann 100) (true won)) (<= (goal ann 50) (not (true won)) (not (true lost)))
"""
# Five roles name a number each; one of them is out on its own. More roles than actions in a word.
FIVE_ROLES = """
(role ann) (role bob) (role cat) (role dan) (role eve) (number 0) (number 1) (number 2) (init (turn 1))
(<= (legal ?p ?n) (role ?p) (number ?n))
(<= (next (said ?p ?n)) (does ?p ?n)) (<= (next over) (true (turn 1)))
(<= (sees ?p (said ?q ?n)) (role ?p) (does ?q ?n))
(<= (next (turn 2)) (true (turn 1)))
(<= terminal (true over))
(<= (shared ?p) (true (said ?p ?n)) (true (said ?q ?n)) (distinct ?p ?q))
(<= (goal ?p 100) (role ?p) (not (shared ?p))) (<= (goal ?p 0) (shared ?p))
"""
CHANCE_ALONE = """
(role random) (init start) (<= (legal random heads) (true start)) (<= (legal random tails) (true start))
(<= (next over) (true start)) (<= terminal (true over)) (goal random 0)
"""
