"""Drawn trees: every node once, infosets joined, values and chances, folding, and both kinds of files."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path

import pytest

import veil
from veil.boards.tree_drawing import TreeDrawing, draw_tree, find_roots
from veil.boards.tree_layout import IS_END, IS_FOLDED, lay_out_tree
from veil.equilibrium import expand
from veil.errors import VeilError


@pytest.fixture(scope="module")
def kuhn() -> TreeDrawing:
    return veil.draw("kuhn_poker")


def test_every_node_is_drawn_once_and_parents_stand_to_the_left(kuhn: TreeDrawing) -> None:
    nodes = kuhn.layout.nodes
    assert sorted(node.node for node in nodes) == list(range(58))
    for node in nodes[1:]:
        above = nodes[node.parent]
        assert above.x < node.bend < node.x
        assert kuhn.tree.flat.parent[node.node] == above.node
    ends = sorted(node.y for node in nodes if node.owner == IS_END)
    assert all(second - first >= 20 for first, second in pairwise(ends))


def test_a_line_joins_each_infoset_and_stands_straight(kuhn: TreeDrawing) -> None:
    assert len(kuhn.layout.lines) == 12  # six of each player
    assert {len(line) for line in kuhn.layout.lines} == {2}
    for line in kuhn.layout.lines:
        nodes = [kuhn.layout.nodes[place] for place in line]
        assert len({node.x for node in nodes}) == 1
        assert len({node.infoset for node in nodes}) == 1


def test_values_and_chances_are_those_of_the_equilibrium(kuhn: TreeDrawing) -> None:
    assert kuhn.values[0] == pytest.approx((-1 / 18, 1 / 18), abs=1e-6)  # Kuhn (1950)
    assert sum(
        chance or 0.0 for node, chance in zip(kuhn.layout.nodes, kuhn.chances, strict=True) if node.parent == 0
    ) == (pytest.approx(1.0))


def test_a_folded_node_says_how_many_it_hides() -> None:
    tree = expand(veil.load("kuhn_poker"))
    drawing = draw_tree(tree, max_nodes=20)
    shown = [node for node in drawing.layout.nodes if node.owner == IS_FOLDED]
    assert len(drawing.layout.nodes) <= 20
    assert len(drawing.layout.nodes) + sum(node.hidden for node in shown) == 58
    root_alone = draw_tree(tree, folded=[0])
    assert [node.hidden for node in root_alone.layout.nodes] == [57]


def test_a_part_begins_at_what_a_role_cannot_tell_apart() -> None:
    tree = expand(veil.load("kuhn_poker"))
    roots = find_roots(tree, "second", "noop; noop: (card king); noop: (played first bet)")
    assert len(roots) == 2
    drawing = draw_tree(tree, roots=roots)
    assert drawing.layout.nodes[0].node == -1
    assert [node.parent for node in drawing.layout.nodes if node.node in roots] == [0, 0]
    with pytest.raises(VeilError, match="never decides after this record"):
        find_roots(tree, "second", "noop: (card ace)")


def test_layouts_need_no_words() -> None:
    tree = expand(veil.load("matching_pennies"))
    layout = lay_out_tree(tree, lambda node: 10.0, max_nodes=100)
    assert len(layout.nodes) == 7
    assert len(layout.lines) == 1  # odd does not know what even has laid


def test_a_picture_is_well_formed_and_escaped(kuhn: TreeDrawing, tmp_path: Path) -> None:
    root = ElementTree.fromstring(kuhn.svg)
    assert len(root.findall(".//*[@data-node]")) == 58 - 30  # all but the ends
    kuhn.save(tmp_path / "kuhn.tex")
    text = (tmp_path / "kuhn.tex").read_text()
    assert text.count(r"\draw[line width") == 57
    assert text.count("{") == text.count("}")
    with pytest.raises(VeilError, match="cannot draw into"):
        kuhn.save(tmp_path / "kuhn.png")
