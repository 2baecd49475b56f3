"""Play of a tree in rounds: whether it is possible, and in which round each infoset has its turn.

1. Perfect recall: at all nodes of an infoset, the player's last own infoset and action are the same. By induction, all
   its earlier ones are the same, too. A player that meets one infoset twice does not have perfect recall.
2. In rules all roles count the rounds, so all nodes of an infoset must have their turn in the same round: one more than
   the longest path to them, over infosets. If two infosets come before each other, there is no such round. (Jakobsen,
   Sørensen and Conitzer, Timeability of Extensive-Form Games, ITCS 2016.)
"""

from __future__ import annotations

from collections import deque

from veil.errors import fail
from veil.lang.efg.reader import CHANCE, END, EfgInfoset, EfgTree
from veil.lang.source import Source

Step = tuple[int, int] | None  # infoset and action; None at the start


def check_recall(source: Source, tree: EfgTree) -> None:
    """Refuse a tree in which a player forgets its moves or its knowledge."""
    behind: list[dict[int, Step]] = []  # of every node: player -> its last infoset and action before the node
    common: dict[int, Step] = {}  # of every infoset
    for number, node in enumerate(tree.nodes):
        steps = _grow(tree, behind, number) if number else {}
        behind.append(steps)
        player = tree.player_at(number)
        if player in (CHANCE, END):
            continue
        if common.setdefault(node.infoset, steps.get(player)) != steps.get(player):
            infoset = tree.infosets[node.infoset]
            place = source.place(node.offset)
            raise fail("efg-recall", place, player=tree.players[player - 1], infoset=name_infoset(infoset))


def _grow(tree: EfgTree, behind: list[dict[int, Step]], number: int) -> dict[int, Step]:
    """Return the last steps before a node, by player: as at its parent, with the step of the parent's player."""
    parent = tree.nodes[number].parent
    mover = tree.player_at(parent)
    if mover == CHANCE:
        return behind[parent]
    action = tree.nodes[parent].children.index(number)
    return behind[parent] | {mover: (tree.nodes[parent].infoset, action)}


def find_turns(source: Source, tree: EfgTree) -> list[int]:
    """Return the round, from 0 on, in which every node has its turn; an end comes one round after its parent.

    Refuses a tree in which two infosets come before each other.
    """
    groups, turns = _group(tree), dict[int, int]()
    before: dict[int, set[int]] = {group: set() for group in groups}
    after: dict[int, set[int]] = {group: set() for group in groups}
    for number, node in enumerate(tree.nodes):
        if number:
            one, two = groups[node.parent], groups[number]
            before[two].add(one)
            after[one].add(two)
    ready = deque(group for group in before if not before[group])
    missing = {group: len(others) for group, others in before.items()}
    while ready:
        group = ready.popleft()
        turns[group] = 1 + max((turns[other] for other in before[group]), default=-1)
        for other in after[group]:
            missing[other] -= 1
            if not missing[other]:
                ready.append(other)
    late = next((number for number in range(len(tree.nodes)) if groups[number] not in turns), None)
    if late is not None:
        raise _refuse_circle(source, tree, late)
    return [turns[group] for group in groups]


def _group(tree: EfgTree) -> list[int]:
    """Return for every node the first node with its turn in the same round; nodes of chance and ends stand alone."""
    return [
        number if tree.player_at(number) in (CHANCE, END) else tree.infosets[node.infoset].nodes[0]
        for number, node in enumerate(tree.nodes)
    ]


def _refuse_circle(source: Source, tree: EfgTree, number: int) -> Exception:
    infoset = tree.infosets[tree.nodes[number].infoset]
    return fail("efg-order", source.place(tree.nodes[number].offset), infoset=name_infoset(infoset))


def name_infoset(infoset: EfgInfoset) -> str:
    """Return the number of an infoset and its label, if it has one, for messages."""
    return f'{infoset.number} "{infoset.label}"' if infoset.label else str(infoset.number)
