"""Turn markers that restrict nobody."""

import veil
from veil.review.turn_markers import IdleMarker, find_idle_markers

GAME = """(role a) (role b)
(init (control a)) (init (step 1))
(succ 1 2) (succ 2 3) (succ 3 4)
(other a b) (other b a)
(<= (legal ?r (take ?n)) (succ ?n ?m) {asks})
(<= (legal ?r noop) (other ?r ?q) (true (control ?q)))
(<= (next (control ?q)) (true (control ?r)) (other ?r ?q))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= terminal (true (step 4)))
(goal a 50) (goal b 50)
"""


def test_a_rule_for_legal_that_forgot_whose_turn_it_is():
    markers = find_idle_markers(veil.load(GAME.format(asks="(role ?r)")), 16, 0, 10)
    assert markers == [IdleMarker("control", "a", 16, 16), IdleMarker("control", "b", 32, 32)]


def test_a_marker_that_works_is_no_finding():
    assert find_idle_markers(veil.load(GAME.format(asks="(true (control ?r))")), 16, 0, 10) == []


def test_fluents_that_speak_of_several_roles_are_no_markers():
    for name in ("kuhn_poker", "matching_pennies", "krieg_tictactoe"):
        assert find_idle_markers(veil.load(name), 16, 0, 50) == []
