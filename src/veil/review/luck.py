"""Luck under random play, for games that are too large to be solved.

The result of a game is a sum of steps; the step of a round is the change of the expected result that its moves make.
The expected result of a state is estimated twice, by independent random playouts. The product of both estimates of a
step has the squared step as its expectation, so the noise of the playouts does not bias the sums.

A round in which only `random` has a choice is a step of chance, a round in which it has none is one of the players. A
round in which both choose belongs to nobody; its share is reported beside that of chance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veil.engine import Game, draw_rows_uniformly
from veil.intervals import find_half_width_of_ratio
from veil.signals import check_signals
from veil.vocabulary import RANDOM

GAMES, PLAYOUTS = 256, 16  # games, and playouts per estimate
CHANCE, PLAYERS, BOTH = 0, 1, 2  # who chooses in a round
MAX_PLAYOUTS = 2_000_000


@dataclass(frozen=True, slots=True)
class LuckTally:
    """Shares of the variance of the result in random games."""

    games: int
    chance: float | None  # share of the rounds in which only chance chooses; None if all games end alike
    half: float | None
    both: float  # share of the rounds in which chance and players choose together
    decided: list[tuple[float, float]]  # (round, share that is decided after it)


def measure_luck(game: Game, seed: int, max_rounds: int) -> LuckTally:
    """Return how much of the result of random games chance decides, and when it is decided."""
    rng, machine = np.random.default_rng(seed), game.machine
    chance = game.roles.index(RANDOM) if RANDOM in game.roles else -1
    players = [number for number, role in enumerate(game.roles) if role != RANDOM]
    states, rows = machine.initial_states(GAMES), np.arange(GAMES)
    value = np.repeat(_estimate(game, states[:1], (seed, 0), max_rounds), GAMES, axis=1)
    by_kind, by_round, spent = np.zeros((3, GAMES)), list[float](), 0
    for number in range(1, max_rounds + 1):
        check_signals()
        judged = machine.judge(states)
        legal = machine.legal_bits(judged)
        going = np.flatnonzero(~judged.terminal & np.all([part.any(axis=1) for part in legal], axis=0))
        spent += 2 * PLAYOUTS * len(going)
        if not len(going) or spent > MAX_PLAYOUTS:
            break
        rows, legal = rows[going], [part[going] for part in legal]
        joint = np.stack([draw_rows_uniformly(part, rng) for part in legal], axis=1)
        states = machine.step(states[going], joint).states
        after = _estimate(game, states, (seed, number), max_rounds)
        step = (after - value[:, going])[:, :, players].prod(axis=0).sum(axis=1)
        by_kind[_who_chooses(legal, chance), rows] += step
        by_round.append(float(step.sum()))
        value = after
    return _sum_up(by_kind, by_round)


def _estimate(game: Game, states: np.ndarray, seed: tuple[int, int], max_rounds: int) -> np.ndarray:
    """Return two independent estimates [2, B, R] of the expected goals from every state."""
    played = [
        game.machine.playouts(states, PLAYOUTS, (*seed, number), max_rounds=max_rounds).goal_sum for number in (0, 1)
    ]
    return np.stack(played) / PLAYOUTS


def _who_chooses(legal: list[np.ndarray], chance: int) -> np.ndarray:
    """Return [B] who has a choice in a round: chance, players or both."""
    choices = np.stack([part.sum(axis=1) > 1 for part in legal])
    by_chance = choices[chance] if chance >= 0 else np.zeros(choices.shape[1], np.bool_)
    by_players = np.delete(choices, chance, axis=0).any(axis=0) if chance >= 0 else choices.any(axis=0)
    return np.where(by_chance & by_players, BOTH, np.where(by_chance, CHANCE, PLAYERS))


def _sum_up(by_kind: np.ndarray, by_round: list[float]) -> LuckTally:
    """Return the shares."""
    per_game = by_kind.sum(axis=0)
    total, games = float(per_game.sum()), by_kind.shape[1]
    if total <= 1e-6:
        return LuckTally(games, None, None, 0.0, [])
    share = float(by_kind[CHANCE].sum()) / total
    half = find_half_width_of_ratio(by_kind[CHANCE], per_game)
    decided = np.clip(np.cumsum(by_round) / total, 0.0, 1.0)
    points = [(0.0, 0.0), *((float(number), float(part)) for number, part in enumerate(decided, 1))]
    return LuckTally(games, min(1.0, max(0.0, share)), half, float(by_kind[BOTH].sum()) / total, points)
