"""Dominated moves, against known ones and against all pure strategies of small games."""

import pytest

import veil
from veil.equilibrium import expand, slot_moves
from veil.review.dominated_moves import find_dominators


def dominated(name):
    """Return (role, move) of all dominated slots."""
    tree = expand(veil.load(name))
    words, better = slot_moves(tree), find_dominators(tree)
    owner = [
        role for role in range(len(tree.roles)) for infoset in tree.infosets_of(role) for _ in tree.slots_in(infoset)
    ]
    return [
        (tree.roles[owner[slot]], words[slot], words[better[slot]]) for slot in range(len(words)) if better[slot] >= 0
    ]


@pytest.mark.compiled("slow as Python")
def test_both_prisoners_should_defect_whoever_moves_first():
    assert dominated("prisoners_dilemma") == [("first", "cooperate", "defect"), ("second", "cooperate", "defect")]


@pytest.mark.compiled("slow as Python")
def test_in_kuhn_poker_calling_with_the_jack_and_folding_the_king_are_dominated():
    assert sorted(dominated("kuhn_poker")) == [
        ("first", "bet", "pass"),
        ("first", "pass", "bet"),
        ("second", "bet", "pass"),
        ("second", "pass", "bet"),
        ("second", "pass", "bet"),  # the king: folding, and passing after a pass
    ]


@pytest.mark.compiled("slow as Python")
def test_nothing_is_dominated_in_matching_pennies():
    assert dominated("matching_pennies") == []
