"""From the numbers of a tree back to words: the joint moves that lead to a node, the record that makes an infoset."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from veil.engine import EMPTY_RECORD, Game, round_in_words, unpack

if TYPE_CHECKING:
    from veil.equilibrium.tree import GameTree


def path(parent: np.ndarray, move: np.ndarray, node: int) -> list[int]:
    """The moves on the way from the root to a node, as numbers."""
    moves = []
    while node:
        moves.append(int(move[node]))
        node = int(parent[node])
    return moves[::-1]


def history(game: Game, parent: np.ndarray, move: np.ndarray, node: int, rounds: int) -> list[dict[str, str]]:
    """The joint moves of the first rounds on the way to a node, forced moves included."""
    left = path(parent, move, node)
    names = dict(zip(game.roles, game.program.moves, strict=True))
    order = [game.roles[role] for role in game.program.serial_order]
    state, joints = game.initial_state(), []
    for _ in range(rounds):
        joint = {}
        for role in order:
            legal = state.legal(role)
            joint[role] = legal[0] if len(legal) == 1 else game.rules.show(names[role][left.pop(0)])
        joints.append({role: joint[role] for role in game.roles})
        state, _ = state.play(joint)
    return joints


def history_in_words(game: Game, parent: np.ndarray, move: np.ndarray, node: int, rounds: int) -> str:
    """One line: the moves of each round in the order of the roles, rounds separated by semicolons."""
    joints = history(game, parent, move, node, rounds)
    return "; ".join(" ".join(joint.values()) for joint in joints) or "the start"


def records_in_words(found: GameTree, infosets: np.ndarray | None = None) -> list[str]:
    """The records of these infosets, or of all, as text. They are replayed at once, a lane each."""
    tree, game = found.tree, found.game
    machine, program = game.machine, game.program
    wanted = np.arange(len(tree.infoset_node)) if infosets is None else infosets
    moves = _paths(tree.parent, tree.move, tree.infoset_node[wanted])
    rounds = tree.infoset_round[wanted]
    owner = np.repeat(found.role_ids, np.diff(tree.role_start))[wanted]
    texts: list[list[str]] = [[] for _ in owner]
    used = np.zeros(len(owner), np.int64)  # moves of the path that have been played
    states = machine.initial_states(len(owner))
    shown: dict[tuple[int, int, bytes], str] = {}
    for round_number in range(int(rounds.max(initial=0))):
        alive = np.flatnonzero(rounds > round_number)
        legal = machine.legal(states[alive])
        joint = np.zeros((len(alive), len(game.roles)), np.int64)
        for role in program.serial_order:
            choices = unpack(legal[role], len(program.moves[role]))
            free = choices.sum(axis=1) > 1
            joint[:, role] = np.where(free, moves[alive, used[alive]], choices.argmax(axis=1))
            used[alive[free]] += 1
        stepped = machine.step(states[alive], joint)
        states[alive] = stepped.states
        for at, which in enumerate(alive.tolist()):
            role = int(owner[which])
            own, row = int(joint[at, role]), stepped.percepts[role][at]
            key = (role, own, row.tobytes())
            if key not in shown:
                seen = np.flatnonzero(unpack(row[None, :], len(program.percepts[role]))[0])
                words = [game.rules.show(program.percepts[role][percept]) for percept in seen]
                shown[key] = round_in_words(game.rules.show(program.moves[role][own]), words)
            texts[which].append(shown[key])
    return ["; ".join(text) or EMPTY_RECORD for text in texts]


def slot_moves(found: GameTree) -> list[str]:
    """[S] the move of every slot, as text."""
    tree, game = found.tree, found.game
    move = np.zeros(tree.num_slots, np.int64)
    played = tree.slot >= 0
    move[tree.slot[played]] = tree.move[played]
    owner = np.repeat(found.role_ids, np.diff(tree.slot_start[tree.role_start]))
    return [game.rules.show(game.program.moves[role][own]) for role, own in zip(owner, move, strict=True)]


def _paths(parent: np.ndarray, move: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """[I, longest + 1] the moves from the root to each node; the last column is padding."""
    length, at = np.zeros(len(nodes), np.int64), nodes.astype(np.int64)
    while at.any():
        length += at > 0
        at = parent[at]
    paths = np.zeros((len(nodes), int(length.max(initial=0)) + 1), np.int64)
    at, left = nodes.astype(np.int64), length.copy()
    while at.any():
        rows = np.flatnonzero(at)
        left[rows] -= 1
        paths[rows, left[rows]] = move[at[rows]]
        at[rows] = parent[at[rows]]
    return paths
