"""Bundled games in POGDDL against the same games in GDL-II: the whole tree where it is small, else random playouts.

The two differ in words, in forced moves, and in who bids first where both bid at once. Trees are compared without
forced moves; in playouts, every choice in one game is translated into the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

import veil
from veil.engine import Game, State
from veil.equilibrium.tree import expand
from veil.games import write_pogddl

TREES = ["simple_poker", "gops(2, 0, early)", "gops(2, 1, early)", "battleship(2, 1)", "racko(2, 7)"]
VALUES = {"simple_poker": 1 / 3, "gops(2, 0, early)": 0.0, "battleship(2, 1)": 0.375, "racko(2, 7)": 8 / 45}


@cache
def both(spec: str) -> tuple[Game, Game]:
    return veil.load(spec), veil.load(write_pogddl(spec), transfer=True)


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize("spec", TREES)
def test_the_whole_tree_is_that_of_the_family(spec: str) -> None:
    counts = [expand(game).counts() for game in both(spec)]
    for what in ("nodes", "terminals", "chance_nodes", "infosets", "slots", "depth"):
        assert counts[0][what] == counts[1][what], what


@pytest.mark.parametrize(("spec", "value"), VALUES.items())
def test_the_value_is_that_of_the_family(spec: str, value: float) -> None:
    for game in both(spec):
        solution = veil.solve(game, method="lp")
        first, second = (role for role in game.roles if role != "random")
        assert solution.value[first] == pytest.approx(value, abs=1e-9)
        assert solution.value[second] == pytest.approx(-value, abs=1e-9)


def test_simple_poker_as_a_transfer_bluffs_once_in_three_and_calls_twice() -> None:
    _, game = both("simple_poker")
    policy = veil.solve(game, method="lp").policy
    start = game.record("first")
    strong, weak = (start.then("noop", [f"(stronger {role})"]) for role in ("first", "second"))
    told = game.record("second").then("noop", ["(stronger unknown)"]).then("noop", ["(first-chose bet)"])
    for record, move, chance in [
        (strong, "(first-choose bet)", 1),
        (weak, "(first-choose bet)", 1 / 3),
        (told, "(second-choose bet)", 2 / 3),
    ]:
        assert policy.at(record)[move] == pytest.approx(chance)


# Random playouts. A translation gives the move of the family for a move in POGDDL, "" where the family has none.


def translate(rules: dict[str, str]) -> Callable[[str], str]:
    def move(text: str) -> str:
        for pattern, result in rules.items():
            if match := re.fullmatch(pattern, text):
                return match.expand(result)
        raise AssertionError(text)

    return move


TRANSLATIONS = {
    "gops": {r"\(deal c(\d+) .*": r"(deal \1)", r"\(lay c(\d+) .*": r"(lay \1)", r"\(show c(\d+) .*": r"(show \1)"}
    | {r"\(bid \w+ c(\d+)\)": r"(bid \1)", r"\(settle .*": ""},
    "racko": {r"\((?:deal|turn-up|give) c(\d+).*": r"(deal \1)", r"\(take \w+ \D+(\d+)\)": r"(take \1)"}
    | {r"\(draw .*": "draw", r"\(put \w+ \D+(\d+)\)": r"(put \1)", r"\(discard .*": "discard"},
    "battleship": {r"\(place \w+ (\w+) i(\d+) i(\d+) (\w+)\)": r"(place \1 \2 \3 \4)"}
    | {r"\(shoot \w+ i(\d+) i(\d+)\)": r"(shoot \1 \2)"},
}
SPECS = [
    "gops(2, 1, early)",
    "gops(3, 2, early)",
    "racko(2, 7)",
    "racko(3, 10)",
    "battleship(4, 2)",
    "battleship(3, 2)",
]


def actor(state: State) -> tuple[str, list[str]]:
    """Who acts in a state of a POGDDL game, and its moves."""
    [(role, moves)] = [(role, moves) for role in state.game.roles if (moves := state.legal(role)) != ["noop"]]
    return role, moves


@pytest.mark.gate_cases(8)
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("seed", range(4))
def test_random_playouts_are_those_of_the_family(spec: str, seed: int) -> None:
    family, game = both(spec)
    in_words = translate(TRANSLATIONS[spec.split("(")[0]])
    rng = np.random.default_rng(seed)
    there, here = family.initial_state(), game.initial_state()
    waiting: dict[str, str] = {}  # bids that the family wants together
    while not here.is_terminal:
        role, moves = actor(here)
        words = {move: in_words(move) for move in moves}
        if "" not in words.values():
            if there.is_terminal:  # the family does not ask for bids with the last cards
                assert len(moves) == 1
            else:
                assert sorted(words.values()) == there.legal(role)
        move = moves[rng.integers(len(moves))]
        here, _ = here.play({role: move})
        if words[move] and not there.is_terminal:
            waiting[role] = words[move]
            open_roles = [name for name in family.roles if there.legal(name) != ["noop"]]
            if set(waiting) == set(open_roles):
                there, waiting = there.play(waiting)[0], {}
    assert there.is_terminal
    goals = np.array([there.goals[role] for role in game.roles if role != "random"])
    assert list(family.utility.of(goals)) == [here.goals[role] for role in game.roles if role != "random"]
