"""Simulations of HyperPlay-II one round and one role at a time, by the keys of records."""

from __future__ import annotations

import numpy as np

from veil.belief import Bag
from veil.engine import grow_keys, replay_keys
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
