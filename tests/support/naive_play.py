"""Bundled rules played by the naive evaluator: what the tests of single families share."""

import random
from typing import NamedTuple

import numpy as np

from tests.reference.naive import NaiveGame
from tests.support.games import naive
from veil.games import instantiate, parse_spec

MAX_ROUNDS = 2000  # longer than any game of the catalogue at a size that the naive evaluator can play

Joint = dict[str, str]
State = frozenset[str]


class Round(NamedTuple):
    state: State
    legal: dict[str, set[str]]
    joint: Joint
    percepts: dict[str, set[str]]
    after: State


def play_at_random(spec: str, seed: int, most_rounds: int = MAX_ROUNDS) -> list[Round]:
    """The rounds of one game, every move drawn uniformly. No role gets stuck, and the game ends in time."""
    game, rng, rounds = naive(spec), random.Random(seed), []
    state = game.initial()
    while not game.terminal(state):
        legal = game.legal(state)
        assert all(legal.values())
        joint = {role: rng.choice(sorted(moves)) for role, moves in legal.items()}
        rounds.append(Round(state, legal, joint, game.sees(state, joint), game.next(state, joint)))
        assert len(rounds) <= most_rounds
        state = rounds[-1].after
    return rounds


def play(game: NaiveGame, *joints: Joint) -> list[Round]:
    """The rounds of these joint moves from the start; a role that is left out plays noop."""
    rounds, state = [], game.initial()
    for moves in joints:
        joint = {role: moves.get(role, "noop") for role in game.roles}
        legal = game.legal(state)
        assert not game.terminal(state)
        assert all(joint[role] in legal[role] for role in game.roles), (joint, legal)
        rounds.append(Round(state, legal, joint, game.sees(state, joint), game.next(state, joint)))
        state = rounds[-1].after
    return rounds


def record(rounds: list[Round], role: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """What the role was told: its own moves and percepts."""
    return tuple((entry.joint[role], frozenset(entry.percepts[role])) for entry in rounds)


def told(rounds: list[Round], role: str) -> list[str]:
    """The percepts of a role, each round's as one text."""
    return [" ".join(sorted(entry.percepts[role])) for entry in rounds]


def numbers_of(spec: str) -> tuple[str, dict[str, int]]:
    """The name of a family and its parameters, all of which must be numbers but `turns`."""
    name, values = parse_spec(spec)
    numbers = {key: value for key, value in values.items() if isinstance(value, int)}
    assert values.keys() - numbers.keys() <= {"turns"}
    return name, numbers


def utility_of(spec: str, goal: int) -> float:
    """What a goal is worth in a bundled game."""
    return float(instantiate(spec).family.utility.of(np.array(goal)))
