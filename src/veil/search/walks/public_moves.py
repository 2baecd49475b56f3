"""Public classes of moves on an explicit tree, and the public states that they make (section 3.2 of the paper on OOS).

A class of moves of a role is *public* if the record of every other role tells whether a move of the class was played.
The finest such classes are found in two steps:

1. Two moves of a role look alike if another role can have the same record after either of them.
2. Moves that are connected by looking alike are one class. Classes are found over all rounds of the game.

The *public state* after a round is the sequence of the classes of all moves so far. All roles know it: their records
tell the classes of the others' moves, and they know their own. If all histories of a round always have the same public
state, nothing is public.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from veil.equilibrium import ExpandedRound


class PublicStates(NamedTuple):
    """The public state of every history after every round. A_t histories after round t."""

    classes: tuple[np.ndarray, ...]  # [roles][moves] class of every move
    nodes: tuple[np.ndarray, ...]  # [rounds + 1][A_t] the node of the history; the root before the first round
    states: tuple[np.ndarray, ...]  # [rounds + 1][A_t] number of its public state, from 0 on in every round

    def find_subgame(self, node: int, rounds: int, parent: np.ndarray) -> np.ndarray:
        """Return the nodes after `rounds` rounds in the same public state as a node of the round that follows."""
        nodes, states = self.nodes[rounds], self.states[rounds]
        place = np.flatnonzero(nodes == node)
        while not len(place):  # another role has moved before in this round
            node = int(parent[node])
            place = np.flatnonzero(nodes == node)
        members: np.ndarray = nodes[states == states[place[0]]]
        return members


def find_public_states(rounds: list[ExpandedRound], role_ids: tuple[int, ...]) -> PublicStates | None:
    """Return the public states of a game; None if nothing is public."""
    if not rounds:
        return None
    classes = find_public_classes(rounds, role_ids)
    nodes, states = [np.zeros(1, np.int64)], [np.zeros(1, np.int64)]
    splits = False
    for played in rounds:
        before = after = states[-1][played.source]
        for role, own in enumerate(classes):
            after = np.unique(after * (1 + own.max()) + own[played.joint[:, role]], return_inverse=True)[1]
        splits = splits or int(after.max()) + 1 > len(np.unique(before))
        nodes.append(played.node)
        states.append(after)
    return PublicStates(tuple(classes), tuple(nodes), tuple(states)) if splits else None


def find_public_classes(rounds: list[ExpandedRound], role_ids: tuple[int, ...]) -> list[np.ndarray]:
    """Return the class of every move that is played, [roles][moves]: the finest that all other roles can tell."""
    num_roles = rounds[0].joint.shape[1]
    counts = [1 + max(int(played.joint[:, role].max()) for played in rounds) for role in range(num_roles)]
    classes = []
    for mover in range(num_roles):
        alike = [_find_alike(played, mover, other) for played in rounds for other in role_ids if other != mover]
        one, two = np.concatenate([np.zeros((2, 0), np.int64), *alike], axis=1)
        graph = coo_array((np.ones(len(one)), (one, two)), shape=(counts[mover], counts[mover]))
        classes.append(connected_components(graph, directed=False)[1].astype(np.int64))
    return classes


def _find_alike(played: ExpandedRound, mover: int, other: int) -> np.ndarray:
    """Return pairs [2, pairs] of different moves of the mover after which the other role can have the same record."""
    order = np.argsort(played.keys[other], kind="stable")
    keys, moves = played.keys[other][order], played.joint[order, mover]
    pairs = np.stack([moves[:-1], moves[1:]])[:, (keys[1:] == keys[:-1]) & (moves[1:] != moves[:-1])]
    return np.unique(pairs, axis=1)
