"""Rules that never fire: those that cannot, and no others."""

import veil
from veil.review.silent_rules import find_silent_rules, place_of_rule

GAME = """(role a)
(role b)
(init (step 1))
(succ 1 2) (succ 2 3)
(legal a left) (legal a right)
(legal b noop)
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (went ?d)) (does a ?d))
(<= (next (went up)) (does a up))
(<= terminal (true (step 3)))
(<= (goal a 100) (true (went left)))
(<= (goal a 50) (true (step 3)) (not (true (went left))) (not (true (went right))))
(<= (goal a 0) (true (went right)))
(goal b 50)
(<= (sees b (at ?n)) (true (step ?n)) (or (does a left) (does a right)))
"""


def test_the_rules_that_cannot_fire_are_found_with_their_lines():
    places = find_silent_rules(veil.load(GAME), 64, 0, 10)
    assert places is not None
    # nobody moves up; after two rounds somebody has gone left or right. The rule with `or` fires in parts.
    assert [place.line for place in places] == [9, 12]


def test_rules_of_the_last_state_count_and_those_that_ask_for_moves_do_not():
    text = GAME.replace("(<= terminal (true (step 3)))", "(<= terminal (true (step 2)))")
    text += "(<= (next (late ?n)) (true (step 2)) (true (step ?n)) (does a left))"
    places = find_silent_rules(veil.load(text), 64, 0, 10)
    assert places is not None
    assert [place.line for place in places] == [9, 12, 16]


def test_all_rules_of_a_bundled_game_fire():
    assert find_silent_rules(veil.load("kuhn_poker"), 256, 0, 50) == []


def test_the_name_of_the_fluents_is_free():
    assert find_silent_rules(veil.load(GAME.replace("went", "fires")), 64, 0, 10) is not None


def test_the_place_of_a_rule_is_the_first_that_fits():
    game = veil.load(GAME)
    places = [
        place_of_rule(game, "legal", "b"),
        place_of_rule(game, "goal", "a", "50"),
        place_of_rule(game, "sees", "b", "(at 1)"),
    ]
    assert [place and place.line for place in places] == [6, 12, 15]
    assert place_of_rule(game, "sees", "a") is None


POGDDL = """(define (domain walk)
  (:types role)
  (:constants a b - role)
  (:predicates (whoseturn ?r - role) (done))
  (:action walk :precondition (whoseturn a)
    :effect (and (not (whoseturn a)) (done) (observe (all walked))))
  (:action rest :precondition (and (whoseturn a) (done))
    :effect (not (whoseturn a)))
  (:gain a 1 (done)))
(define (problem p) (:domain walk) (:init (whoseturn a)))
"""


def test_an_action_that_is_never_possible_is_found_at_its_line():
    places = find_silent_rules(veil.load(POGDDL), 16, 0, 10)
    assert places is not None
    assert {place.line for place in places} == {7, 8}  # the action, and what it would change
