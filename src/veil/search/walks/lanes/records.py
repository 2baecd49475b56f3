"""The records of the kernels of walks in lanes: the table of infosets, the lanes, the log of a batch, the target."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.search.walks.numbers import REGRET

KEY, TAG = 0, 1  # columns of `LaneTable.entries`; a tag of 0 marks an empty entry
UNDERWAY = REGRET  # of UCT, which has no regrets: walks that took the move and have not ended yet
NUM_INFOSETS, NUM_SLOTS, REFUSED = range(3)  # of `LaneTable.counts`

HASH_BITS, ROLE_BITS = 22, 6  # of a tag; the rest is the first slot
LAST = np.int32(-(2**31))  # set in the move of an infoset's last slot

OUTSIDE, BELOW = -1, -2  # instead of a node of a target: no way leads in, or all ways do
DONE, USED, NOW, NEXT_LOOK, STATES = range(5)  # of `LaneBlock.counts`


class LaneTable(NamedTuple):
    """Infosets by their record's key, in an open-addressing table of C entries, and their slots. At most S slots.

    The tag of an entry is (first slot, role + 1, hash of the legal moves). It distinguishes two records with the same
    key, and records of a role that cannot know its legal moves.
    """

    entries: np.ndarray  # [C, 2] uint64: key of the record, tag; C is a power of two
    slots: np.ndarray  # [S, 4] regret, policy sum, walks that took the move, sum of the mover's payoffs after it
    moves: np.ndarray  # [S] int32 move number, with LAST in the last slot of an infoset
    counts: np.ndarray  # [3] infosets, slots in use, infosets that found no room


class LaneTarget(NamedTuple):
    """The target of walks. R roles, K moves of a role at most.

    *Histories*: a trie of serialised histories, with M nodes; node 0 is the root, a node without child is an end.
    *Public classes*: a path of P steps, each the class of a move in serial order; a node is the number of a step.
    """

    first_child: np.ndarray  # [M] int32; -1 if there is none
    next_sibling: np.ndarray  # [M] int32; -1 if there is none
    move: np.ndarray  # [M] int32 move that leads here
    path: np.ndarray  # [P] int32 class of every step; empty for a trie
    classes: np.ndarray  # [R, K] int32 class of every move; [0, 0] for a trie


class LaneShape(NamedTuple):
    """The constants of a game. R roles."""

    width: int  # words of a block
    order: np.ndarray  # [R] roles in the order of their moves: chance first
    chance: int  # its role; -1: none
    players: np.ndarray  # roles without chance
    move_words: np.ndarray  # [R] words of packed legal moves
    percept_words: np.ndarray  # [R]
    most_moves: int  # of any role
    centre: np.ndarray  # [R] goal that counts 0
    half: np.ndarray  # [R] goal above it that counts 1


class LaneStarts(NamedTuple):
    """The states where the walks of a batch begin. N states, B walks."""

    states: np.ndarray  # [N, words]
    keys: np.ndarray  # [N, R] of the roles' records there
    chosen: np.ndarray  # [B] state of each walk


class WalkLanes(NamedTuple):
    """The positions of L walks. R roles, W words of lanes."""

    alive: np.ndarray  # [W] lanes that have not made all their walks
    over: np.ndarray  # [W] lanes whose walk has ended in this round
    tree: np.ndarray  # [W] lanes whose walk is not yet in its playout
    keys: np.ndarray  # [L, R] uint64 of the records
    joint: np.ndarray  # [L, R] moves of the round, of walks in the tree
    rng: np.ndarray  # [L] uint64
    updated: np.ndarray  # [L] the role that the walk updates (OOS)
    is_targeted: np.ndarray  # [L] bool: scenario
    node: np.ndarray  # [L] of the target, OUTSIDE or BELOW
    own: np.ndarray  # [L] reach of the updated role
    other: np.ndarray  # [L] reach of chance and all other roles
    chance: np.ndarray  # [L] reach of chance alone
    targeted: np.ndarray  # [L] s1
    untargeted: np.ndarray  # [L] s2
    leaf_reach: np.ndarray  # [L] l without the playout's part
    last: np.ndarray  # [L] newest entry of the log; -1: none
    walk: np.ndarray  # [L] number of the walk in the batch
    start: np.ndarray  # [L] state in which it began
    begun: np.ndarray  # [L] round in which it began


class LaneBlock(NamedTuple):
    """The game in all lanes (`veil.engine`, `block_kernels`) and the progress of the batch. F fluents."""

    v: np.ndarray  # [slots, W] values
    start: np.ndarray  # [1 + F, W] lanes that begin again, and the states in which they do
    rng: np.ndarray  # [4, W] of the machine's own moves
    counts: np.ndarray  # [5] walks that have ended, entries of the log, rounds, when to look for long walks, states


class LaneScratch(NamedTuple):
    """Scratch arrays of choices. L lanes, K moves of a role at most."""

    square: np.ndarray  # [64] for transposition
    legal: np.ndarray  # [L, words] packed legal moves of a role
    percepts: np.ndarray  # [L, words] packed percepts of a role
    several: np.ndarray  # [W] lanes in which the role chooses
    forced: np.ndarray  # [W] lanes of the tree in which it has one legal move
    lanes: np.ndarray  # [L] the lanes of a set, ascending
    checks: np.ndarray  # [L] check of each lane's infoset
    slots: np.ndarray  # [L] its first slot; -1 if it is unknown
    moves: np.ndarray  # [K] legal moves of one lane
    policy: np.ndarray  # [K] sigma there, or the bounds of UCT
    phi: np.ndarray  # [K] the sampling probabilities there
    inside: np.ndarray  # [K] bool: moves that stay on the way to the target


class LaneLog(NamedTuple):
    """Infosets of the table that the walks of a batch have passed, E at most. Each entry knows the one before it."""

    before: np.ndarray  # [E] entry; -1: none
    slot: np.ndarray  # [E] first slot of the infoset
    num_moves: np.ndarray  # [E] int32
    chosen: np.ndarray  # [E] int32 index of the move
    role: np.ndarray  # [E] int32
    other: np.ndarray  # [E] reach of chance and all but the updated role, before the step
    policy: np.ndarray  # [E] probability of the chosen move: of the strategy (OOS), as it was sampled (RM)
    chance: np.ndarray  # [E] reach of chance before the step


class LaneEnds(NamedTuple):
    """The ends of the N walks of a batch. R roles."""

    last: np.ndarray  # [N] newest entry of the log
    updated: np.ndarray  # [N]
    leaf_reach: np.ndarray  # [N]
    chance: np.ndarray  # [N]
    payoff: np.ndarray  # [N, R] from -1 to 1
