"""The size of a game that is too large even for the walk, by Knuth's estimate (Knuth 1975).

Nodes are estimated as for every tree (`tree_size`). Infosets are nodes of a tree, too: that of the records of a role. A
random walk through it knows all distinct states that the role holds possible, so it knows what the role can be told
next, and takes one of these ways at random. A record that it meets stands for as many as there were ways on the path.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from veil.engine import Game
from veil.equilibrium.streaming.state_graph import number_rows
from veil.equilibrium.tree_size import MAX_ROUNDS, NODE_NANOSECONDS, WALKS, estimate_tree
from veil.errors import fail
from veil.signals import check_signals

RECORD_WALKS = 64  # per role
MOST_STATES = 200_000  # that a role may hold possible
SLOT_BYTES = 48  # of a solver for every move of an infoset: six numbers


@dataclass(frozen=True, slots=True)
class EstimatedNumber:
    """A mean and its standard error."""

    value: float
    error: float

    @classmethod
    def of(cls, sample: np.ndarray) -> EstimatedNumber:
        """Return the mean of a sample [N]."""
        return cls(float(sample.mean()), float(sample.std(ddof=1) / sqrt(len(sample))))


def estimate_size(game: Game, seed: int = 0, walks: int = WALKS, record_walks: int = RECORD_WALKS) -> dict[str, Any]:
    """Return estimates of the nodes of a game and of the infosets and slots of every role, and what a pass needs.

    Raises `VeilError` if a role holds too many states possible.
    """
    nodes = estimate_tree(game, walks, seed)
    infosets, slots = dict[str, EstimatedNumber](), dict[str, EstimatedNumber]()
    players = [role for role in game.machine.program.serial_order if role != game.machine.program.chance]
    for role in players:
        rng = np.random.default_rng([seed, role])
        sample = np.array([_follow_records(game, role, rng) for _ in range(record_walks)])
        infosets[game.roles[role]], slots[game.roles[role]] = (EstimatedNumber.of(column) for column in sample.T)
    return {
        "nodes": EstimatedNumber(nodes.nodes, nodes.error),
        "walks": walks,
        "record_walks": record_walks,
        "infosets": infosets,
        "slots": slots,
        "solver_bytes": SLOT_BYTES * sum(mean.value for mean in slots.values()),
        "node_nanoseconds": NODE_NANOSECONDS,
        "pass_seconds": nodes.count_seconds(len(players)),
    }


def _follow_records(game: Game, role: int, rng: np.random.Generator) -> tuple[float, float]:
    """Return the infosets and the slots of a role for which one random record stands."""
    machine = game.machine
    states, ways, infosets, slots = machine.initial_states(), 1.0, 0.0, 0.0
    for _ in range(MAX_ROUNDS):
        check_signals()
        judged = machine.judge(states)
        states, judged = states[~judged.terminal], judged.rows(~judged.terminal)
        if not len(states):
            break
        if len(states) > MOST_STATES:
            raise fail("too-many-possible", role=game.roles[role], most=MOST_STATES)
        moves = int(machine.legal_bits(judged)[role][0].sum())
        if moves > 1:
            infosets, slots = infosets + ways, slots + ways * moves
        rows, joints = machine.joint_moves(states)
        stepped = machine.step_from(states, rows, joints)
        goes_on = np.flatnonzero(~machine.terminal(stepped.states))
        if not len(goes_on):
            break
        told = np.column_stack([joints[goes_on, role].astype(np.uint64), stepped.percepts[role][goes_on]])
        token, first = number_rows(told)
        ways *= len(first)
        following = stepped.states[goes_on[token == rng.integers(len(first))]]
        states = following[number_rows(following)[1]]
    return infosets, slots
