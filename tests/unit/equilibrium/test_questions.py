"""Trees, best responses and values of information by name, against plain recursion and brute force."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import prod

import pytest

import veil
from veil.vocabulary import RANDOM

SMALL_TREES = ["kuhn_poker", "monty_hall", "exploding_bomb", "ii_goofspiel(cards=3)", "matching_pennies"]

Decision = tuple[str, str, tuple[str, ...]]  # role, record in words, moves


def count_decisions(game: veil.Game) -> Counter[Decision]:
    """Every decision of a game and the number of its histories, by playing all of them."""
    counts: Counter[Decision] = Counter()

    def visit(state: veil.State, records: dict[str, veil.Record]) -> None:
        if state.is_terminal:
            return
        legal = {role: state.legal(role) for role in game.roles}
        for place, role in enumerate(order(game)):
            if role != RANDOM and len(legal[role]) > 1:
                before = prod(len(legal[other]) for other in order(game)[:place])
                counts[role, str(records[role]), tuple(legal[role])] += before
        for joint in product(*legal.values()):
            named = dict(zip(legal, joint, strict=True))
            following, sees = state.play(named)
            visit(following, {role: records[role].then(named[role], sees[role]) for role in game.roles})

    visit(game.initial_state(), {role: veil.Record(role) for role in game.roles})
    return counts


def order(game: veil.Game) -> list[str]:
    """Who moves first when a round is written as one move after the other: chance, then the roles of the rules."""
    return sorted(game.roles, key=lambda role: role != RANDOM)


@pytest.mark.parametrize("name", SMALL_TREES)
def test_the_infosets_of_a_tree_are_those_of_all_histories(name: str) -> None:
    game = veil.load(name)
    ours = {
        (role, record, tuple(sorted(infoset.moves))): infoset.histories
        for role, rows in veil.tree(game).infosets().items()
        for record, infoset in rows.items()
    }
    assert ours == count_decisions(game)


def test_an_infoset_is_found_by_its_record() -> None:
    tree = veil.tree("kuhn_poker")
    infoset = tree.infoset(tree.game.record("first", "noop: (card king); noop"))
    assert (infoset.role, infoset.moves, infoset.histories) == ("first", ("bet", "pass"), 2)


@pytest.mark.parametrize("role", ["first", "second"])
def test_no_pure_plan_is_better_than_the_best_response(role: str) -> None:
    tree = veil.tree("kuhn_poker")
    game = tree.game
    policy = {other: {k: {"bet": 0.3, "pass": 0.7} for k in rows} for other, rows in tree.infosets().items()}
    response = veil.best_response(game, policy, role)
    records = list(tree.infosets()[role])
    values = []
    for plan in product(("bet", "pass"), repeat=len(records)):
        mine = {record: {move: 1.0} for record, move in zip(records, plan, strict=True)}
        values.append(veil.evaluate(game, policy | {role: mine}).value[role])
    assert response.value == pytest.approx(max(values))
    assert veil.evaluate(game, response.policy).value[role] == pytest.approx(max(values))
    assert response.gain == pytest.approx(max(values) - veil.evaluate(game, policy).value[role])
    other = "second" if role == "first" else "first"
    assert response.policy.table[other] == policy[other]


def test_a_game_of_one_role_needs_no_role() -> None:
    response = veil.best_response("monty_hall", {})
    assert (response.role, response.value) == ("contestant", pytest.approx(200 / 3))


def test_looking_is_worth_what_it_saves() -> None:
    """Exploding Bomb: with the answer the agent is sure (90), without it guesses one of two wires (half of 90)."""
    values = veil.information_values("exploding_bomb", veil.load("exploding_bomb").record("agent", "noop"))
    assert values["ask"].with_percepts == pytest.approx(90)
    assert values["ask"].value == pytest.approx(45)
    assert values["wait"].value == pytest.approx(0)
