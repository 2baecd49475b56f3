"""Translation of tree numbers into words: the joint moves that lead to a node, the record of an infoset."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from veil.engine import EMPTY_RECORD, Game, round_in_words

if TYPE_CHECKING:
    from veil.engine import Machine
    from veil.equilibrium.tree import GameTree


class FollowedRound(NamedTuple):
    """One round of the A paths that are long enough to have it."""

    rows: np.ndarray  # [A] which paths
    joint: np.ndarray  # [A, R]
    percepts: tuple[np.ndarray, ...]  # [R][A, words]


def history(game: Game, parent: np.ndarray, move: np.ndarray, node: int, rounds: int) -> list[dict[str, str]]:
    """Return the joint moves of the first rounds on the way to a node, forced moves included."""
    paths = find_paths(parent, move, np.array([node]))
    return [game.names.joint_words(played.joint[0]) for played in _follow(game.machine, paths, np.array([rounds]))]


def history_in_words(game: Game, parent: np.ndarray, move: np.ndarray, node: int, rounds: int) -> str:
    """Return one line: the moves of each round in the order of the roles, rounds separated by semicolons."""
    joints = history(game, parent, move, node, rounds)
    return "; ".join(" ".join(joint.values()) for joint in joints) or "the start"


def records_in_words(tree: GameTree, infosets: np.ndarray | None = None) -> list[str]:
    """Return the records of these infosets, or of all, as text. They are replayed together, one lane each."""
    names = tree.game.names
    texts: list[list[str]] = [[] for _ in _pick(tree, infosets)]
    shown: dict[tuple[int, int, bytes], str] = {}  # many infosets share a round
    for row, role, own_move, percepts in _tell(tree, infosets):
        key = (role, own_move, percepts.tobytes())
        if key not in shown:
            shown[key] = round_in_words(names.moves[role][own_move], names.percept_words(role, percepts))
        texts[row].append(shown[key])
    return ["; ".join(text) or EMPTY_RECORD for text in texts]


def list_records(tree: GameTree, infosets: np.ndarray | None = None) -> list[list[tuple[int, bytes]]]:
    """Return the records of these infosets, or of all, as numbers: (own move, packed percepts) round by round."""
    records: list[list[tuple[int, bytes]]] = [[] for _ in _pick(tree, infosets)]
    for row, _, own_move, percepts in _tell(tree, infosets):
        records[row].append((own_move, percepts.tobytes()))
    return records


def _pick(tree: GameTree, infosets: np.ndarray | None) -> np.ndarray:
    return np.arange(len(tree.flat.infoset_node)) if infosets is None else infosets


def _tell(tree: GameTree, infosets: np.ndarray | None) -> Iterator[tuple[int, int, int, np.ndarray]]:
    """Yield what the owners of infosets were told, round by round: (place of the infoset, role, own move, percepts)."""
    flat, wanted = tree.flat, _pick(tree, infosets)
    owner = np.repeat(tree.role_ids, np.diff(flat.role_start))[wanted]
    paths = find_paths(flat.parent, flat.move, flat.infoset_node[wanted])
    for played in _follow(tree.game.machine, paths, flat.infoset_round[wanted]):
        for place, row in enumerate(played.rows.tolist()):
            role = int(owner[row])
            yield row, role, int(played.joint[place, role]), played.percepts[role][place]


def list_infoset_histories(tree: GameTree) -> list[np.ndarray]:
    """Return for every infoset the joint moves [T, R] of one of its histories, forced moves included."""
    flat = tree.flat
    joints: list[list[np.ndarray]] = [[] for _ in flat.infoset_node]
    paths = find_paths(flat.parent, flat.move, flat.infoset_node)
    for played in _follow(tree.game.machine, paths, flat.infoset_round):
        for row, joint in zip(played.rows.tolist(), played.joint, strict=True):
            joints[row].append(joint)
    return [np.array(rounds, np.int64).reshape(-1, len(tree.game.roles)) for rounds in joints]


def slot_move_ids(tree: GameTree) -> np.ndarray:
    """Return the number of every slot's move [S], among all moves of its role."""
    flat = tree.flat
    move = np.zeros(flat.num_slots, np.int64)
    played = flat.slot >= 0
    move[flat.slot[played]] = flat.move[played]
    return move


def slot_moves(tree: GameTree) -> list[str]:
    """Return the move of every slot [S] as text."""
    flat, names, move = tree.flat, tree.game.names, slot_move_ids(tree)
    owner = np.repeat(tree.role_ids, np.diff(flat.slot_start[flat.role_start]))
    return [names.moves[role][number] for role, number in zip(owner.tolist(), move.tolist(), strict=True)]


def find_paths(parent: np.ndarray, move: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Return the moves from the root to each node [I, longest + 1]; the last column is padding."""
    length, node = np.zeros(len(nodes), np.int64), nodes.astype(np.int64)
    while node.any():
        length += node > 0
        node = parent[node]
    paths = np.zeros((len(nodes), int(length.max(initial=0)) + 1), np.int64)
    node, left = nodes.astype(np.int64), length.copy()
    while node.any():
        rows = np.flatnonzero(node)
        left[rows] -= 1
        paths[rows, left[rows]] = move[node[rows]]
        node[rows] = parent[node[rows]]
    return paths


def _follow(machine: Machine, paths: np.ndarray, rounds: np.ndarray) -> Iterator[FollowedRound]:
    """Play paths [I, moves], each for its number of rounds [I], and yield each round. Forced moves are added here."""
    used = np.zeros(len(paths), np.int64)  # number of moves of each path that were played
    states = machine.initial_states(len(paths))
    for round_index in range(int(rounds.max(initial=0))):
        rows = np.flatnonzero(rounds > round_index)
        legal = machine.legal_bits(machine.judge(states[rows]))
        joint = np.zeros((len(rows), len(legal)), np.int64)
        for role in machine.program.serial_order:
            has_choice = legal[role].sum(axis=1) > 1
            joint[:, role] = np.where(has_choice, paths[rows, used[rows]], legal[role].argmax(axis=1))
            used[rows[has_choice]] += 1
        stepped = machine.step(states[rows], joint)
        states[rows] = stepped.states
        yield FollowedRound(rows, joint, stepped.percepts)
