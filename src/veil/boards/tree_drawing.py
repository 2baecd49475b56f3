"""`draw`: the tree of a game as a picture, with infosets, chances, payoffs, and the weights of a policy.

    drawing = veil.draw("kuhn_poker")
    drawing.save("kuhn.svg")                    # or .tex, for \\input in a LaTeX document that loads TikZ

A game of more than `max_nodes` nodes is drawn as far as there is room; the rest is folded. With a role and a record,
the drawing begins at the nodes that the role cannot tell apart after that record.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from veil.boards.tree_layout import IS_END, TreeLayout, lay_out_tree
from veil.boards.tree_svg import CHARACTER, LONGEST, render_tree_svg
from veil.boards.tree_tikz import render_tree_tikz
from veil.boards.wording import Wording, read_wording
from veil.engine import Game, Record, as_game, parse_record
from veil.equilibrium import (
    CHANCE,
    DEFAULT_METHOD,
    AnyPolicy,
    GameTree,
    TreeBounds,
    check_rules,
    expand,
    read_policy,
    records_in_words,
    slot_moves,
    slots_of,
    solve,
)
from veil.errors import fail
from veil.files import write_text
from veil.limits import check_limit

MOST_EXPANDED = 2_000_000  # nodes of a tree from which a part can be drawn
SOLVED = 20_000  # nodes of a tree that is solved for its drawing
MAX_NODES = 300
PERCENT = 6  # characters of a chance
SUFFIXES = (".svg", ".tex")


@dataclass(frozen=True, slots=True, repr=False)
class TreeDrawing:
    """A drawn tree: its layout, and the words and numbers of its nodes. D drawn nodes."""

    game: Game
    tree: GameTree
    layout: TreeLayout
    moves: tuple[str, ...]  # [D] the move that leads to the node, in words
    chances: tuple[float | None, ...]  # [D] how likely it is played there; None without a policy
    values: tuple[tuple[float, ...] | None, ...]  # [D] what the roles get from there; None if it is not known
    records: tuple[str, ...]  # [D] what the role that decides was told
    policy: str  # what the weights are; empty without a policy

    def __repr__(self) -> str:
        return f"TreeDrawing({self.game.name!r}, nodes={len(self.moves)})"

    @property
    def svg(self) -> str:
        """The drawing as an SVG picture that stands alone, in light and in dark."""
        return render_tree_svg(self)

    @property
    def tikz(self) -> str:
        """The drawing as a TikZ picture for LaTeX."""
        return render_tree_tikz(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the drawing to a file; its suffix, .svg or .tex, says in which form."""
        check_suffix(str(path))
        write_text(Path(path), self.tikz if str(path).endswith(".tex") else self.svg)

    def _repr_svg_(self) -> str:
        return self.svg


def draw(
    game: Game | str | os.PathLike[str],
    policy: AnyPolicy | None = None,
    *,
    role: str | None = None,
    record: str | Record = "",
    max_nodes: int = MAX_NODES,
    method: str = DEFAULT_METHOD,
) -> TreeDrawing:
    """Return the drawn tree of a game, with the weights of a policy, which is given as for `evaluate`.

    Without a policy, a game of at most 20,000 nodes is solved with `method`; a larger one is drawn without weights.
    With a role, the drawing begins after its `record`, for example `noop: (card king)`.
    """
    check_limit("nodes", max_nodes, "max_nodes")
    game = as_game(game)
    read, name = read_policy(game, policy) if policy is not None else (None, "")
    if read is not None:
        check_rules(game, read, name)
    tree = expand(game, MOST_EXPANDED, bounds=TreeBounds())
    slots: np.ndarray | None = None
    made = ""
    if read is not None:
        slots, made = slots_of(tree, read, name)[0], name
    elif tree.roles and tree.num_nodes <= SOLVED and tree.num_slots:
        solution = solve(game, method)
        slots, made = (
            slots_of(tree, solution.policy, method)[0],
            f"{method}, exploitability {solution.exploitability:.2g}",
        )
    roots = find_roots(tree, role, record) if role is not None else (0,)
    return draw_tree(tree, slots, policy=made, roots=roots, max_nodes=max_nodes)


def draw_tree(
    tree: GameTree,
    slots: np.ndarray | None = None,
    *,
    policy: str = "",
    roots: Collection[int] = (0,),
    max_nodes: int = MAX_NODES,
    folded: Collection[int] = (),
) -> TreeDrawing:
    """Return the drawing of a tree that is expanded already, with the weights of a policy [S]."""
    labels = _Labels(tree, slots)
    layout = lay_out_tree(tree, labels.measure, tuple(roots), max_nodes=max_nodes, folded=folded)
    drawn = layout.nodes
    shown = np.array([node.infoset for node in drawn if node.infoset >= 0], np.int64)
    records = dict(zip(shown.tolist(), records_in_words(tree, shown), strict=True)) if len(shown) else {}
    return TreeDrawing(
        tree.game,
        tree,
        layout,
        tuple(labels.tell_move(node.node) for node in drawn),
        tuple(labels.find_chance(node.node) for node in drawn),
        tuple(labels.find_value(node.node, node.owner == IS_END) for node in drawn),
        tuple(labels.wording.record(records[node.infoset]) if node.infoset >= 0 else "" for node in drawn),
        policy,
    )


def find_roots(tree: GameTree, role: str, record: str | Record) -> tuple[int, ...]:
    """Return the nodes at which a role decides after a record. Raises `VeilError` if there are none."""
    name = tree.game.role_name(role)
    told = record if isinstance(record, Record) else parse_record(name, record)
    if name not in tree.roles:
        raise fail("unknown-role", role=role, roles=", ".join(tree.roles))
    infosets = np.array(tree.infosets_of(tree.roles.index(name)), np.int64)
    wanted = str(told)
    found = [
        infoset
        for infoset, text in zip(infosets.tolist(), records_in_words(tree, infosets), strict=True)
        if text == wanted
    ]
    if not found:
        raise fail("no-such-infoset", role=name, record=wanted)
    slots = tree.slots_in(found[0])
    first = np.flatnonzero(tree.flat.slot == slots[0])
    return tuple(sorted(set(tree.flat.parent[first].tolist())))


def check_suffix(path: str) -> None:
    """Raise `VeilError` if a file of this name cannot hold a drawing."""
    if not path.lower().endswith(SUFFIXES):
        raise fail("draw-suffix", path=path)


class _Labels:
    """Words and numbers of the nodes of a tree. N nodes, S slots, R roles."""

    def __init__(self, tree: GameTree, slots: np.ndarray | None) -> None:
        self.tree, self.slots = tree, slots
        self.wording: Wording = read_wording(tree.game.rules.source.text)
        self.slot_moves, self.chance_role = slot_moves(tree), tree.game.program.chance
        self.values = None if slots is None else self._find_values()

    def tell_move(self, node: int) -> str:
        """Return the move that leads to a node."""
        flat: Any = self.tree.flat
        if node <= 0:
            return ""
        slot = int(flat.slot[node])
        if slot != CHANCE:
            return self.wording.move(self.slot_moves[slot])
        return self.wording.move(self.tree.game.names.moves[self.chance_role or 0][int(flat.move[node])])

    def measure(self, node: int) -> float:
        """Return the width of the words on the edge that leads to a node, in pixels."""
        if node <= 0:
            return 0.0
        shown = min(len(self.tell_move(node)), LONGEST) + (PERCENT if self.find_chance(node) is not None else 0)
        return CHARACTER * shown

    def find_chance(self, node: int) -> float | None:
        """Return how likely the move that leads to a node is played where it can be."""
        if node <= 0:
            return None
        slot = int(self.tree.flat.slot[node])
        if slot == CHANCE:
            return float(self.tree.flat.chance_prob[node])
        return None if self.slots is None else float(self.slots[slot])

    def find_value(self, node: int, is_end: bool) -> tuple[float, ...] | None:
        """Return what the roles get at an end, or on average below a node."""
        if node < 0:
            return None
        if is_end:
            return tuple(self.tree.flat.utility[node].tolist())
        return None if self.values is None else tuple(self.values[node].tolist())

    def _find_values(self) -> np.ndarray:
        """Return [N, R] the expected payoffs below every node, for the policy."""
        flat = self.tree.flat
        assert self.slots is not None
        weights = np.where(flat.slot == CHANCE, flat.chance_prob, self.slots[flat.slot])
        values = flat.utility.astype(np.float64).copy()
        for node in range(len(flat.parent) - 1, 0, -1):  # a parent's number is below its children's
            values[flat.parent[node]] += weights[node] * values[node]
        return values
