"""Keys of fluent families: sets of places such that no reachable state has two fluents that agree on them.

1. Guess: the smallest sets of places that no state of some random games contradicts.
2. Confirm: play many more games in lanes; a guess that fails is replaced by the sets that have one place more.

A guess that was never contradicted may still be wrong in states that random play does not reach. Then the board shows
two pieces in a cell, and no other harm is done.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from veil.boards import watch_exclusion
from veil.boards.fluent_families import FluentFamily
from veil.engine import Game, draw_rows_uniformly
from veil.engine.lanes import unpack

Key = frozenset[int]  # places of a family

MAX_PLACES = 8  # of a family whose keys are searched; beyond, all places are the key
GAMES, MAX_ROUNDS = 48, 200  # of random play, for the guess; games in lanes confirm it
MAX_BITS = 40_000_000  # limit of states times fluents


@dataclass(frozen=True, slots=True, eq=False)
class StateSample:
    """States of random games. S states, F fluents."""

    state: np.ndarray  # [T] the states ...
    fluent: np.ndarray  # [T] ... and the fluents that hold in them, as pairs
    states: int  # S
    held: np.ndarray  # [F] bool: in some state


def sample_states(game: Game, seed: int, games: int = GAMES, max_rounds: int = MAX_ROUNDS) -> StateSample:
    """Return every state of `games` random games; fewer games if a state has very many fluents."""
    fluents = len(game.program.fluents)
    games = max(4, min(games, MAX_BITS // max(1, fluents * max_rounds)))
    states: list[np.ndarray] = []
    fluent: list[np.ndarray] = []
    count = 0
    for rows in play_randomly(game, games, seed, max_rounds):
        state, number = np.nonzero(unpack(rows, fluents))
        states.append(state + count)
        fluent.append(number)
        count += len(rows)
    held = np.zeros(fluents, np.bool_)
    numbers = np.concatenate([np.zeros(0, np.int64), *fluent])
    held[numbers] = True
    return StateSample(np.concatenate([np.zeros(0, np.int64), *states]), numbers, count, held)


def play_randomly(game: Game, games: int, seed: int, max_rounds: int) -> Iterator[np.ndarray]:
    """Yield [B, words] the states of random games, round by round, as long as games go on."""
    machine, rng = game.machine, np.random.default_rng(seed)
    states = machine.initial_states(games)
    for _ in range(max_rounds):
        yield states
        judged = machine.judge(states)
        legal = machine.legal_bits(judged)
        going = ~judged.terminal & np.all([bits.any(axis=1) for bits in legal], axis=0)
        if not going.any():
            return
        joint = np.stack([draw_rows_uniformly(bits[going], rng) for bits in legal], axis=1)
        states = machine.step(states[going], joint).states


def guess_keys(family: FluentFamily, sample: StateSample, refuted: Collection[Key] = ()) -> list[Key]:
    """Return the smallest keys that the sample does not contradict, by size; at the latest all places.

    Sets in `refuted`, and their subsets, are no keys.
    """
    inside = np.full(len(sample.held), -1, np.int64)
    inside[family.fluents] = np.arange(len(family.fluents))
    index = inside[sample.fluent]
    states, members = sample.state[index >= 0], index[index >= 0]
    every = frozenset(range(len(family.places)))
    if len(every) > MAX_PLACES:
        return [every]
    found: list[Key] = []
    for size in range(len(every) + 1):
        for key in map(frozenset, combinations(sorted(every), size)):
            if any(key >= known for known in found) or any(key <= wrong for wrong in refuted):
                continue
            if key == every or is_unique(family, key, states, members):
                found.append(key)
    return found


def confirm_keys(
    game: Game,
    families: Sequence[FluentFamily],
    guesses: Sequence[list[Key]],
    sample: StateSample,
    *,
    games: int,
    seed: int,
    deadline: float | None = None,
) -> list[list[Key]]:
    """Return the keys that `games` random games in lanes, or those until the deadline, do not contradict either.

    A contradicted key is replaced by the smallest sets of places that contain it and hold in the sample; these are
    watched in turn.
    """
    refuted: list[set[Key]] = [set() for _ in families]
    confirmed: list[set[Key]] = [set() for _ in families]
    found = [list(keys) for keys in guesses]
    while True:
        waiting = [
            (number, key)
            for number, keys in enumerate(found)
            for key in keys
            if key not in confirmed[number] and len(key) < len(families[number].places)
        ]
        if not waiting:
            return found
        broken = _watch(game, [(families[number], key) for number, key in waiting], games, seed, deadline)
        for (number, key), is_broken in zip(waiting, broken, strict=True):
            (refuted if is_broken else confirmed)[number].add(key)
        for number in {number for (number, _), is_broken in zip(waiting, broken, strict=True) if is_broken}:
            found[number] = guess_keys(families[number], sample, refuted[number])


def _watch(
    game: Game, keys: Sequence[tuple[FluentFamily, Key]], games: int, seed: int, deadline: float | None
) -> list[bool]:
    """Return which of these keys are contradicted by random games."""
    groups: list[np.ndarray] = []
    owners: list[int] = []
    for number, (family, key) in enumerate(keys):
        index, count = group_by_key(family, key)
        order = np.argsort(index, kind="stable")
        parts = np.split(family.fluents[order], np.searchsorted(index[order], np.arange(1, count)))
        several = [part for part in parts if len(part) > 1]
        groups += several
        owners += [number] * len(several)
    broken = watch_exclusion(game.machine, groups, games, seed, deadline).broken
    return [
        bool(broken[[group for group, owner in enumerate(owners) if owner == number]].any())
        for number in range(len(keys))
    ]


def is_unique(family: FluentFamily, key: Key, states: np.ndarray, members: np.ndarray) -> bool:
    """Return whether no state [T] holds two members [T] of the family that agree on the places of a key."""
    groups, count = group_by_key(family, key)
    seen = states * count + groups[members]
    return len(np.unique(seen)) == len(seen)


def group_by_key(family: FluentFamily, key: Sequence[int] | Key) -> tuple[np.ndarray, int]:
    """Return [N] a number for every fluent of a family, equal if they agree on these places, and how many there are."""
    if not key:
        return np.zeros(len(family.fluents), np.int64), 1
    _, groups = np.unique(family.codes[:, sorted(key)], axis=0, return_inverse=True)
    groups = groups.reshape(-1)
    return groups, int(groups.max()) + 1
