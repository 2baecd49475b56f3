"""Reader of an .efg text: nodes in the order of the text, which is depth first, and their infosets.

    EFG 2 R "title" { "Ann" "Bob" }
    c "deal" 1 "" { "king" 1/2 "jack" 1/2 } 0
    p "" 1 1 "Ann has the king" { "bet" "pass" } 0
    t "" 1 "Ann wins" { 2, -2 }

A second mention of an infoset or an outcome need not repeat its description. Payoffs of inner nodes are added to those
of the ends below them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from veil.errors import VeilError, fail, phrase
from veil.lang.efg.tokens import Tokens
from veil.lang.source import Source

CHANCE, END = 0, -1  # in place of a player; players are numbered from 1
MAX_NODES = 1_000_000  # of a text
ROUNDING, FINEST = Fraction(1, 10**6), 1000  # of decimals; largest denominator of their fractions

Payoffs = tuple[Fraction, ...]


@dataclass(slots=True)
class EfgInfoset:
    """Nodes at which a player, or chance, has the same actions and which it cannot tell apart."""

    player: int
    number: int  # as the text numbers them, per player
    label: str
    actions: tuple[str, ...]
    chances: tuple[Fraction, ...]  # of the actions, if chance moves
    nodes: list[int] = field(default_factory=list)


@dataclass(slots=True)
class EfgNode:
    """A node; `children` stand in the order of the actions, and after the node."""

    parent: int
    offset: int  # of its first letter
    infoset: int  # place in the list of infosets; END if the game is over
    payoffs: Payoffs | None = None  # paid on the way here and here; None if nothing is
    children: list[int] = field(default_factory=list)


@dataclass(slots=True)
class EfgTree:
    """The contents of an .efg text."""

    title: str
    players: list[str]
    nodes: list[EfgNode] = field(default_factory=list)  # a parent before its children
    infosets: list[EfgInfoset] = field(default_factory=list)

    def player_at(self, node: int) -> int:
        """Return who moves there: a player from 1 on, `CHANCE`, or `END`."""
        infoset = self.nodes[node].infoset
        return END if infoset == END else self.infosets[infoset].player


def read_tree(source: Source) -> EfgTree:
    """Return the tree of an .efg text. Refuse a text that cannot be read, with the place."""
    return _TreeReader(source).read()


class _TreeReader:
    """Reader of one text."""

    def __init__(self, source: Source) -> None:
        self.source, self.tokens = source, Tokens(source)
        self.found: dict[tuple[int, int], int] = {}  # (player, number) -> place in the list of infosets
        self.outcomes: dict[int, Payoffs] = {}

    def read(self) -> EfgTree:
        tokens = self.tokens
        for word in ("EFG", "2"):
            if tokens.take().text != word:
                raise fail("unexpected-token", self.source.place(0), wanted="EFG 2", found="something else")
        if tokens.next.text not in ("R", "D"):
            raise tokens.unexpected("R or D, for the precision of numbers")
        tokens.take()
        self.tree = EfgTree(tokens.label("the title"), self._read_players())
        if tokens.next.kind == "label":
            tokens.take()  # a comment
        self._read_nodes()
        if tokens.next.kind != "end":
            raise tokens.unexpected(phrase("efg-after-the-tree"))
        return self.tree

    def _read_players(self) -> list[str]:
        self.tokens.brace("{")
        players = []
        while not self.tokens.is_brace("}"):
            players.append(self.tokens.label("a player"))
        self.tokens.take()
        if not players:
            raise fail("efg-no-players", self.source.place(0))
        return players

    def _read_nodes(self) -> None:
        """Read all nodes, depth first; `waiting` are inner nodes that have fewer children than actions."""
        waiting: list[int] = []
        while True:
            parent = waiting[-1] if waiting else 0
            number = len(self.tree.nodes)
            node = self._read_node(parent)
            self.tree.nodes.append(node)
            if number:
                self.tree.nodes[parent].children.append(number)
            if number > MAX_NODES:
                raise fail("efg-too-large", nodes=MAX_NODES)
            if node.infoset != END:
                self.tree.infosets[node.infoset].nodes.append(number)
                waiting.append(number)
            while waiting and self._is_complete(waiting[-1]):
                waiting.pop()
            if not waiting:
                return

    def _is_complete(self, number: int) -> bool:
        node = self.tree.nodes[number]
        return len(node.children) == len(self.tree.infosets[node.infoset].actions)

    def _read_node(self, parent: int) -> EfgNode:
        token = self.tokens.next
        if token.kind != "word" or token.text not in ("c", "p", "t"):
            raise self.tokens.unexpected(phrase("efg-a-node"))
        self.tokens.take()
        if self.tokens.next.kind == "label":
            self.tokens.take()  # the name of the node
        if token.text == "t":
            node = EfgNode(parent, token.offset, END)
        else:
            player = CHANCE if token.text == "c" else self._read_player()
            node = EfgNode(parent, token.offset, self._read_infoset(player, token.offset))
        paid = self.tree.nodes[parent].payoffs if self.tree.nodes else None
        node.payoffs = _add(paid, self._read_outcome())
        if node.infoset == END and node.payoffs is None:
            node.payoffs = (Fraction(0),) * len(self.tree.players)
        return node

    def _read_player(self) -> int:
        offset, player = self.tokens.next.offset, self.tokens.whole_number("the number of a player")
        if not 1 <= player <= len(self.tree.players):
            raise self._refuse("efg-player", offset, number=player, count=len(self.tree.players))
        return player

    def _read_infoset(self, player: int, offset: int) -> int:
        """Return the place of an infoset in the list; it may have been described before."""
        number, label = self.tokens.whole_number("the number of an infoset"), ""
        place = self.found.get((player, number))
        if self.tokens.next.kind == "label":
            label = self.tokens.take().text
        if self.tokens.is_brace("{"):
            actions, chances = self._read_actions(player)
            if place is None:
                place = self.found[player, number] = len(self.tree.infosets)
                self.tree.infosets.append(EfgInfoset(player, number, label, actions, chances))
            known = self.tree.infosets[place]
            if len(actions) != len(known.actions) or chances != known.chances:
                raise self._refuse("efg-infoset", offset, number=number, what=phrase("efg-other-actions"))
        if place is None:
            raise self._refuse("efg-infoset", offset, number=number, what=phrase("efg-no-actions"))
        return place

    def _read_actions(self, player: int) -> tuple[tuple[str, ...], tuple[Fraction, ...]]:
        offset = self.tokens.next.offset
        self.tokens.take()
        actions, chances = [], []
        while not self.tokens.is_brace("}"):
            actions.append(self.tokens.label("an action"))
            if player == CHANCE:
                chances.append(self.tokens.number("the probability of the action"))
        self.tokens.take()
        if not actions:
            raise self._refuse("efg-chance", offset, what=phrase("efg-no-action"))
        if player == CHANCE:
            chances = self._check_chances(chances, offset)
        return tuple(actions), tuple(chances)

    def _check_chances(self, chances: list[Fraction], offset: int) -> list[Fraction]:
        """Return probabilities that add up to 1; rounded decimals become the fractions they stand for."""
        total = sum(chances, Fraction(0))
        if min(chances) < 0 or abs(total - 1) > len(chances) * ROUNDING:
            raise self._refuse("efg-chance", offset, what=phrase("efg-sum", total=float(total)))
        if total == 1 and lcm(*(chance.denominator for chance in chances)) <= FINEST:
            return chances
        near = [chance.limit_denominator(FINEST) for chance in chances]
        is_near = all(abs(one - two) <= ROUNDING for one, two in zip(near, chances, strict=True))
        return near if is_near and sum(near) == 1 else [chance / total for chance in chances]

    def _read_outcome(self) -> Payoffs | None:
        """Return the payoffs at a node; None if nothing is paid."""
        offset, number = self.tokens.next.offset, self.tokens.whole_number("the number of an outcome")
        if self.tokens.next.kind == "label":
            self.tokens.take()  # the name of the outcome
        if self.tokens.is_brace("{"):
            self.tokens.take()
            payoffs = []
            while not self.tokens.is_brace("}"):
                payoffs.append(self.tokens.number("a payoff"))
            self.tokens.take()
            if len(payoffs) != len(self.tree.players):
                raise self._refuse("efg-payoffs", offset, count=len(payoffs), players=len(self.tree.players))
            self.outcomes[number] = tuple(payoffs)
        if number and number not in self.outcomes:
            raise self._refuse("efg-outcome", offset, number=number)
        return self.outcomes.get(number) if number else None

    def _refuse(self, code: str, offset: int, **details: object) -> VeilError:
        return fail(code, self.source.place(offset), **details)


def _add(paid: Payoffs | None, more: Payoffs | None) -> Payoffs | None:
    """Return the sum of two payoffs; None counts as nothing."""
    if paid is None or more is None:
        return more if paid is None else paid
    return tuple(one + two for one, two in zip(paid, more, strict=True))
