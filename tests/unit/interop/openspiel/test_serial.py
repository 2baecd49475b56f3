"""The game one mover at a time: the same tree as that of the solvers."""

from __future__ import annotations

import copy
from collections import Counter

import pytest

import veil
from veil.equilibrium import expand, list_infoset_histories, records_in_words
from veil.interop.openspiel.serial import CHANCE, OVER, SerialGame, SerialNode


def walk(node: SerialNode):
    yield node
    for action in node.actions:
        yield from walk(node.child(action))


@pytest.mark.parametrize(
    "name", ["kuhn_poker", "ii_goofspiel(cards=3)", "monty_hall", "hidden_connect(size=2, line=2)", "exploding_bomb"]
)
def test_all_nodes_are_those_of_the_tree_of_the_solvers(name: str) -> None:
    game = veil.load(name)
    tree, nodes = expand(game), list(walk(SerialGame(game, "test").root))
    counts = tree.counts()
    kinds = Counter(node.player for node in nodes)
    assert [len(nodes), kinds[OVER], kinds[CHANCE]] == [
        counts["nodes"],
        counts["terminals"],
        counts["chance_nodes"],
    ]
    texts = {node.record_text(node.mover) for node in nodes if node.player >= 0 and node.mover is not None}
    roles = [role for number, role in enumerate(tree.roles) for _ in tree.infosets_of(number)]
    assert texts == {f"{role}: {record}" for role, record in zip(roles, records_in_words(tree), strict=True)}


def test_a_history_leads_to_the_node_of_its_infoset() -> None:
    game = veil.load("ii_goofspiel(cards=3)")
    serial, tree = SerialGame(game, "test"), expand(game)
    records = records_in_words(tree)
    for infoset, history in enumerate(list_infoset_histories(tree)):
        role = tree.role_ids[0] if infoset in tree.infosets_of(0) else tree.role_ids[1]
        assert serial.follow(history).record_text(role).partition(": ")[2] == records[infoset]


def test_a_later_mover_does_not_see_the_earlier_ones_of_the_round() -> None:
    root = SerialGame(veil.load("matching_pennies"), "test").root
    one, two = root.child(0), root.child(1)
    assert one.record_text(1) == two.record_text(1) == "odd: start"
    assert one.record_text(0) == "even: start > heads"


def test_a_node_is_its_own_copy_and_knows_the_way_to_it() -> None:
    root = SerialGame(veil.load("kuhn_poker"), "test").root
    node = root.child(root.actions[1])
    assert copy.deepcopy(node) is node
    assert node.serial.find(node.path()) is node
    with pytest.raises(ValueError, match="no legal action"):
        root.child(99)


def test_few_rounds_are_kept_in_words_and_records_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veil.interop.openspiel.serial.MAX_ROUNDS_KEPT", 1)
    serial = SerialGame(veil.load("kuhn_poker"), "test")
    node = serial.root.child(serial.root.actions[0])
    for role in serial.players:
        assert node.record_text(role).endswith(str(node.record(role)))
    assert len(serial._rounds) == 1


def test_nodes_beyond_the_number_that_is_kept_are_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veil.interop.openspiel.serial.MAX_KEPT", 1)
    root = SerialGame(veil.load("kuhn_poker"), "test").root
    first = root.child(root.actions[0])
    assert root.child(root.actions[0]) is first
    other = root.child(root.actions[1])
    assert root.child(root.actions[1]) is not other
    assert root.child(root.actions[1]).record_text(1) == other.record_text(1)
