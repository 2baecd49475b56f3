"""Games between weak players, for variety: one move ahead, a few random playouts each, on the true state.

The HyperPlay article lets its players be "well below the optimal level" so that the records differ; so do we. These
players only make records; no belief of theirs is measured.
"""

from __future__ import annotations

import numpy as np

from veil.engine import Game
from veil.vocabulary import RANDOM

PLAYOUTS = 2


def weak_game(game: Game, seed: int, playouts: int = PLAYOUTS, max_rounds: int = 10_000) -> np.ndarray:
    """Return [T, R] the joint moves of one game, as numbers; without playouts all move at random."""
    machine, rng = game.machine, np.random.default_rng(seed)
    state = machine.initial_states()
    joints: list[np.ndarray] = []
    while len(joints) < max_rounds:
        judged = machine.judge(state)
        if judged.terminal[0]:
            break
        legal = [np.flatnonzero(bits[0]) for bits in machine.legal_bits(judged)]
        joint = np.array([rng.choice(moves) for moves in legal])
        for role, moves in enumerate(legal):
            if playouts and game.roles[role] != RANDOM and len(moves) > 1:
                joint[role] = _best(game, state, legal, role, playouts, rng)
        joints.append(joint)
        state = machine.step(state, joint[None, :]).states
    return np.array(joints)


def _best(
    game: Game, state: np.ndarray, legal: list[np.ndarray], role: int, playouts: int, rng: np.random.Generator
) -> int:
    """Return the move of a role with the best playouts, while the others move at random."""
    moves = legal[role]
    first = np.stack([rng.choice(own, len(moves)) for own in legal], axis=1)
    first[:, role] = moves
    played = game.machine.playouts(
        np.repeat(state, len(moves), axis=0), playouts, int(rng.integers(2**31)), first_moves=first
    )
    values = played.goal_sum[:, role] + rng.random(len(moves))  # ties at random
    return int(moves[int(values.argmax())])
