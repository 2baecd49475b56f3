"""Public classes of moves: what they are in known games, and the definition, checked history by history."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from tests.support.games import game
from tests.support.public_games import LOW_OR_HIGH, OPEN_SIDES
from veil.search.walks.public_moves import find_public_classes
from veil.search.walks.tree.search_tree import SearchTree, expand_for_search

MANY = 1_000_000


def tree_of(spec: str) -> SearchTree:
    return expand_for_search(game(spec), MANY, None)


def classes_in_words(spec: str, role: str) -> list[set[str]]:
    """The classes of a role with more than one class between them."""
    tree, of = tree_of(spec), game(spec)
    own = find_public_classes(tree.rounds, tree.role_ids)[of.roles.index(role)]
    names = of.names.moves[of.roles.index(role)]
    return [{names[move] for move in np.flatnonzero(own == number).tolist()} for number in range(int(own.max()) + 1)]


def test_bets_and_bids_are_public_and_deals_are_not() -> None:
    assert {frozenset(entry) for entry in classes_in_words("kuhn_poker", "first")} == {
        *map(frozenset, ({"bet"}, {"pass"}, {"noop"}))
    }
    deals = classes_in_words("kuhn_poker", "random")
    assert {"(deal jack)", "(deal queen)", "(deal king)"} <= deals[0] | deals[-1]
    assert max(map(len, deals)) >= 3


@pytest.mark.compiled("slow as Python")
def test_bids_of_which_only_the_opponent_is_told_are_public() -> None:
    """Percepts that all roles share would find nothing here."""
    classes = classes_in_words("liars_dice", "first")
    assert all(len(entry) == 1 for entry in classes)
    assert len(classes) > 6


def test_classes_can_be_public_where_moves_are_not() -> None:
    assert {frozenset(entry) for entry in classes_in_words(LOW_OR_HIGH, "ann")} >= {
        frozenset({"1", "2"}),
        frozenset({"3", "4"}),
    }


def test_moves_made_at_once_are_public_if_they_are_shown_afterwards() -> None:
    assert {frozenset(entry) for entry in classes_in_words(OPEN_SIDES, "ann")} == {
        frozenset({"left"}),
        frozenset({"right"}),
    }


@pytest.mark.parametrize("spec", ["non_locality", "ii_goofspiel(cards=3)", "matching_pennies"])
def test_some_games_have_no_public_moves(spec: str) -> None:
    """Section 3.2 and 4.3 of the paper say so of Rock, Paper, Scissors and of II Goofspiel."""
    assert tree_of(spec).public is None


GAMES = ["kuhn_poker", "leduc_poker", "liars_dice", OPEN_SIDES, LOW_OR_HIGH]


@pytest.mark.compiled("slow as Python", only=("liars_dice",))
@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.strip()[:20])
def test_every_role_knows_the_public_state_and_knows_it_for_ever(spec: str) -> None:
    """The definition: histories with the same record of a role have the same public state, round by round."""
    tree = tree_of(spec)
    assert tree.public is not None
    for number, played in enumerate(tree.rounds):
        states, before = tree.public.states[number + 1], tree.public.states[number]
        for role in tree.role_ids:
            seen = defaultdict(set)
            for key, state in zip(played.keys[role].tolist(), states.tolist(), strict=True):
                seen[key].add(state)
            assert all(len(entry) == 1 for entry in seen.values())
        parents = defaultdict(set)
        for state, source in zip(states.tolist(), played.source.tolist(), strict=True):
            parents[state].add(int(before[source]))
        assert all(len(entry) == 1 for entry in parents.values())


def test_the_subgame_of_an_infoset_has_all_cards_and_the_same_bets() -> None:
    """Kuhn poker, right side of Figure 2: six deals, wherever the match stands."""
    tree = tree_of("kuhn_poker")
    assert tree.public is not None
    for infoset in range(len(tree.flat.infoset_node)):
        members = tree.members(infoset)
        rounds = int(tree.flat.infoset_round[infoset])
        subgame = tree.public.find_subgame(int(members[0]), rounds, tree.flat.parent)
        assert len(subgame) == 6
        assert set(members.tolist()) <= set(subgame.tolist())


def test_a_subgame_is_found_where_somebody_has_moved_before_in_the_round() -> None:
    tree = tree_of(OPEN_SIDES)
    assert tree.public is not None
    bob = [number for number in range(len(tree.flat.infoset_node)) if tree.role_of(number) == 1]
    later = [number for number in bob if tree.flat.infoset_round[number] == 1]
    assert len(later) == 4
    for infoset in later:
        node = int(tree.members(infoset)[0])
        assert tree.public.find_subgame(node, 1, tree.flat.parent).tolist() == [tree.flat.parent[node]]
