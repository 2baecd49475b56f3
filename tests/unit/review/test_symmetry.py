"""Roles that can be exchanged."""

import veil
from veil.review.symmetry import find_symmetric_roles

SAME = """
(role a) (role b) (init go)
(<= (legal ?p (take ?n)) (role ?p) (number ?n))
(number 1) (number 2)
(<= (goal a 100) (does a (take ?x)) (does b (take ?y)) (less ?y ?x))
(<= (goal b 100) (does a (take ?n)) (does b (take ?m)) (less ?n ?m))
(less 1 2)
(<= terminal (not (true go)))
"""


def test_roles_with_the_same_rules_are_symmetric_whatever_their_variables_are_called():
    assert find_symmetric_roles(veil.load(SAME.replace("(goal", "(score"))) == [("a", "b")]


def test_a_rule_for_one_role_alone_breaks_the_symmetry():
    assert find_symmetric_roles(veil.load(SAME.replace("(goal", "(score") + "(<= (legal a wait) (true go))")) == []
