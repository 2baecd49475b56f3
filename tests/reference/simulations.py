"""Simulations of HyperPlay-II one round and one role at a time, by the keys of records."""

from __future__ import annotations

import numpy as np

from veil.belief import Bag, HyperPlayBelief
from veil.engine import Machine, grow_keys, observe_history, replay_keys
from veil.engine.lanes import unpack
from veil.search.hyperplay2.nested import NestedPlayers


def simulate_slowly(
    players: NestedPlayers, role: int, bag: Bag, world: int, move: int, rng: np.random.Generator
) -> tuple[int, int]:
    """(own goal, rounds) of one simulation from a world of the bag, which begins with an own move.

    Records of these worlds must have been told to the players before; those that follow are told here.
    """
    machine, chance = players.machine, players.machine.program.chance
    state, keys = bag.states[world : world + 1], replay_keys(machine, bag.histories[world : world + 1])
    rounds = 0
    while True:
        judged = machine.judge(state)
        if judged.terminal[0]:
            return int(judged.goals[0, role]), rounds
        joint = np.zeros((1, len(judged.legal)), np.int64)
        for each, legal in enumerate(judged.legal):
            choices = np.flatnonzero(unpack(legal, len(machine.program.moves[each]))[0])
            if each == role and rounds == 0:
                choices = np.array([move])
            elif each != chance and len(choices) > 1:
                (values,) = players.values(each, [int(keys[0, each])])
                choices = choices if values is None else values.best()
            joint[0, each] = rng.choice(choices)
        stepped = machine.step(state, joint)
        grown = grow_keys(keys, np.zeros(1, np.int64), joint, stepped.percepts)
        for each, seen in enumerate(stepped.percepts):
            if each != chance:
                players.observe(each, keys[:, each], joint[:, each], seen, grown[:, each])
        state, keys, rounds = stepped.states, grown, rounds + 1


def simulate_as_printed(
    machine: Machine, role: int, bag: Bag, world: int, move: int, budget: tuple[int, int], rng: np.random.Generator
) -> tuple[int, int]:
    """(own goal, rounds) of one simulation in which every role is a HyperPlayer of its own, (models, playouts).

    Each follows the history of the world from the start with HyperGames, without a remedy, and goes on with them.
    """
    chance, (models, playouts) = machine.program.chance, budget
    seats = [each for each in range(len(machine.program.roles)) if each != chance]
    beliefs = {
        each: HyperPlayBelief(machine, each, models=models, seed=int(rng.integers(2**31)), remedy="none", reseed=False)
        for each in seats
    }
    history = bag.histories[world]
    for each in seats:
        for own_move, percepts, over in observe_history(machine, history, each):
            beliefs[each].observe(own_move, percepts, over)
    state, rounds = bag.states[world : world + 1], 0
    while True:
        judged = machine.judge(state)
        if judged.terminal[0]:
            return int(judged.goals[0, role]), rounds
        joint = np.zeros((1, len(judged.legal)), np.int64)
        for each, legal in enumerate(judged.legal):
            choices = np.flatnonzero(unpack(legal, len(machine.program.moves[each]))[0])
            if each == role and rounds == 0:
                choices = np.array([move])
            elif each != chance and len(choices) > 1:
                choices = choose_slowly(machine, each, beliefs[each], playouts, rng)
            joint[0, each] = rng.choice(choices)
        stepped = machine.step(state, joint)
        over = bool(machine.terminal(stepped.states)[0])
        for each in seats:
            beliefs[each].observe(int(joint[0, each]), stepped.percepts[each][0], over)
        state, rounds = stepped.states, rounds + 1


def choose_slowly(
    machine: Machine, role: int, belief: HyperPlayBelief, playouts: int, rng: np.random.Generator
) -> np.ndarray:
    """The best moves by equations (12) to (14): `playouts` playouts per model and move, the others at random."""
    bag, (_, times) = belief.worlds(None, rng), belief.counts()
    values: dict[int, float] = {}
    for state, weight, count in zip(bag.states, bag.weights.tolist(), times.tolist(), strict=True):
        legal = [np.flatnonzero(bits[0]) for bits in machine.legal_bits(machine.judge(state[None, :]))]
        for move in legal[role].tolist():
            first = np.stack([rng.choice(moves, count * playouts) for moves in legal], axis=1)
            first[:, role] = move
            states = np.repeat(state[None, :], len(first), axis=0)
            played = machine.playouts(states, 1, int(rng.integers(2**31)), first_moves=first)
            values[move] = values.get(move, 0.0) + weight * float(played.goal_sum[:, role].mean())
    best = max(values.values())
    return np.array([move for move, value in values.items() if value >= best - 1e-9])
