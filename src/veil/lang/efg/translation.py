"""Translation of a tree into statements of GDL-II. The state is the node; all roles but its player do nothing.

    (at N)                    the node of a small tree, named by the actions that lead there
      (cell N B P)              in a large tree: node N is at block B and place P, which keeps states small
    (turn N R I)              R chooses there, and cannot tell the nodes of infoset I apart
    (called I W)              what R is told in the round before
      (offers I R A)            the moves to choose from
    (edge N R A M)            choosing A leads to the inner node M
    (last N R A E)            or to the end E
    (late N T), (tick S T)    nodes that wait for the round of their infoset, and the count of rounds
    (pays E R V)              goal values: payoffs times a number that makes all of them whole

`random` chooses uniformly: actions of chance with unequal probabilities are repeated, (heads 1) (heads 2) (tails 1),
and all copies lead to the same node.
"""

from __future__ import annotations

from math import isqrt, lcm

from veil.errors import fail
from veil.lang.efg.order import find_turns, name_infoset
from veil.lang.efg.reader import CHANCE, END, EfgTree
from veil.lang.efg.words import EfgWords
from veil.lang.prefix import read_nodes
from veil.lang.source import Source
from veil.lang.tree import Group, Node, Word, head_word
from veil.vocabulary import KEYWORDS, RANDOM

MAX_COPIES = 1000  # equally likely moves of chance at one node
MAX_EDGES = 150_000  # of a tree; grounding a larger one takes minutes

MAX_NAMED = 200  # inner nodes of a tree whose nodes have readable names
MAX_NAME = 60  # characters

NAMED = """\
(<= (here ?n) (true (at ?n)))
(<= (next (at ?m)) (arrives ?m))
"""
NUMBERED = """\
(init (block 0))
(init (place 0))
(<= (here ?n) (cell ?n ?b ?p) (true (block ?b)) (true (place ?p)))
(<= (next (block ?b)) (arrives ?m) (cell ?m ?b ?p))
(<= (next (place ?p)) (arrives ?m) (cell ?m ?b ?p))
"""
RULES = """\
(<= (busy ?r) (asked ?r ?i))
(<= (legal ?r ?a) (asked ?r ?i) (offers ?i ?r ?a))
(<= (legal ?r noop) (role ?r) (not (busy ?r)))
(<= (arrives ?m) (here ?n) (edge ?n ?r ?a ?m) (does ?r ?a))
(<= (next (ended ?e)) (here ?n) (last ?n ?r ?a ?e) (does ?r ?a))
(<= terminal (true (ended ?e)))
(<= (goal ?r ?v) (true (ended ?e)) (pays ?e ?r ?v))
"""
AT_ONCE = """\
(<= (asked ?r ?i) (here ?n) (turn ?n ?r ?i))
(<= (sees ?r ?w) (arrives ?m) (turn ?m ?r ?i) (called ?i ?w))
"""
IN_TIME = """\
(init (step 0))
(<= (next (step ?t)) (true (step ?s)) (tick ?s ?t))
(<= (waits ?n) (here ?n) (late ?n ?t) (not (true (step ?t))))
(<= (arrives ?n) (waits ?n))
(<= (asked ?r ?i) (here ?n) (turn ?n ?r ?i) (not (waits ?n)))
(<= (slow ?n) (late ?n ?t))
(<= (sees ?r ?w) (arrives ?m) (turn ?m ?r ?i) (called ?i ?w) (not (slow ?m)))
(<= (sees ?r ?w) (arrives ?m) (turn ?m ?r ?i) (called ?i ?w) (late ?m ?t) (tick ?s ?t) (true (step ?s)))
"""


class EfgTranslation:
    """The statements of one tree, and the factor between payoffs and goal values."""

    def __init__(self, source: Source, tree: EfgTree) -> None:
        self.source, self.tree, self.words = source, tree, EfgWords(tree)
        self.roles = [RANDOM, *self.words.players]
        self.turns = find_turns(source, tree)
        self.statements: list[Node] = []
        self.moves = [self._list_moves(place) for place in range(len(tree.infosets))]
        inner = [number for number, node in enumerate(tree.nodes) if node.infoset != END]
        named = self._name_nodes(inner) if len(inner) <= MAX_NAMED else {}
        self.is_named = len(set(named.values())) == len(inner) and max(map(len, named.values()), default=0) <= MAX_NAME
        self.name = named if self.is_named else {number: f"n{place}" for place, number in enumerate(inner)}
        ends = [node.payoffs or () for node in tree.nodes if node.infoset == END]
        self.scale = lcm(*(value.denominator for payoffs in ends for value in payoffs))
        self.ends = {payoffs: str(place) for place, payoffs in enumerate(dict.fromkeys(ends))}
        self._check_size()

    def write(self) -> list[Node]:
        """Return all statements, facts first."""
        self._write_roles()
        for place in range(len(self.tree.infosets)):
            self._write_infoset(place)
        for number in self.name:
            self._write_node(number)
        self._write_state()
        for payoffs, end in self.ends.items():
            for role, value in zip(self.words.players, payoffs, strict=True):
                self._fact("pays", end, role, str(value * self.scale))
        is_late = self._write_clock()
        rules = RULES + (NAMED if self.is_named else NUMBERED) + (IN_TIME if is_late else AT_ONCE)
        return [*self.statements, *_keep_alive(self.statements, read_nodes(Source("rules", rules))[0])]

    def _check_size(self) -> None:
        edges = sum(len(self.moves[node.infoset]) for node in self.tree.nodes if node.infoset != END)
        if edges > MAX_EDGES:
            raise fail("efg-too-large", nodes=MAX_EDGES)

    def _list_moves(self, place: int) -> list[list[Node]]:
        """Return the moves of every action of an infoset: one each, or as many as the probabilities need."""
        infoset, words = self.tree.infosets[place], self.words.actions[place]
        offset = self.tree.nodes[infoset.nodes[0]].offset
        if infoset.player != CHANCE:
            return [[Word(word, offset)] for word in words]
        whole = lcm(*(chance.denominator for chance in infoset.chances))
        if whole > MAX_COPIES:
            raise fail(
                "efg-copies", self.source.place(offset), infoset=name_infoset(infoset), count=whole, limit=MAX_COPIES
            )
        counts = [int(chance * whole) for chance in infoset.chances]
        return [_copy(word, count, offset) for word, count in zip(words, counts, strict=True)]

    def _write_roles(self) -> None:
        if any(infoset.player == CHANCE for infoset in self.tree.infosets):
            self._fact("role", RANDOM)
            self._fact("goal", RANDOM, "0")
        for role in self.words.players:
            self._fact("role", role)
        if not self.name:
            raise fail("efg-no-choice", self.source.place(self.tree.nodes[0].offset))

    def _name_nodes(self, inner: list[int]) -> dict[int, str]:
        """Return the actions that lead to each node, as a word."""
        names = {0: ""} if inner else {}
        for number in inner:
            node = self.tree.nodes[number]
            for word, child in zip(self.words.actions[node.infoset], node.children, strict=True):
                if self.tree.nodes[child].infoset != END:
                    names[child] = f"{names[number]}/{word}".strip("/")
        return names | ({0: "start"} if inner else {})

    def _write_state(self) -> None:
        """Write the start of the game and, in a large tree, the place of every node."""
        if self.is_named:
            self.statements.append(_term("init", _term("at", self.name[0])))
            return
        width = isqrt(len(self.name)) + 1
        for place, name in enumerate(self.name.values()):
            self._fact("cell", name, *map(str, divmod(place, width)))

    def _write_infoset(self, place: int) -> None:
        infoset = self.tree.infosets[place]
        at = self.tree.nodes[infoset.nodes[0]].offset
        for copies in self.moves[place]:
            for move in copies:
                self._fact("offers", f"i{place}", self.roles[infoset.player], move, at=at)
        if infoset.player != CHANCE:
            word = self.words.percepts[place]
            self._fact("called", f"i{place}", word or _term("infoset", str(infoset.number)), at=at)

    def _write_node(self, number: int) -> None:
        node = self.tree.nodes[number]
        infoset, at = self.tree.infosets[node.infoset], node.offset
        name, role = self.name[number], self.roles[infoset.player]
        self._fact("turn", name, role, f"i{node.infoset}", at=at)
        for copies, child in zip(self.moves[node.infoset], node.children, strict=True):
            payoffs = self.tree.nodes[child].payoffs or ()
            is_end = child not in self.name
            target = self.ends[payoffs] if is_end else self.name[child]
            for move in copies:
                self._fact("last" if is_end else "edge", name, role, move, target, at=at)

    def _write_clock(self) -> bool:
        """Write the nodes that come before the round of their infoset; return whether there are any."""
        nodes, late = self.tree.nodes, dict[int, int]()
        for number in self.name:
            if number and self.turns[number] > 1 + self.turns[nodes[number].parent]:
                late[number] = self.turns[number]
        for number, turn in late.items():
            self._fact("late", self.name[number], str(turn), at=nodes[number].offset)
        for step in range(max(self.turns) + 1 if late else 0):
            self._fact("tick", str(step), str(step + 1))
        return bool(late)

    def _fact(self, name: str, *args: Node | str, at: int = 0) -> None:
        self.statements.append(_term(name, *args, at=at))


def _term(name: str, *args: Node | str, at: int = 0) -> Node:
    """Return a term: a name with its arguments."""
    return Group((Word(name, at), *(Word(arg, at) if isinstance(arg, str) else arg for arg in args)), at)


def _copy(word: str, count: int, offset: int) -> list[Node]:
    """Return `count` moves for one action, numbered if there are several."""
    if count == 1:
        return [Word(word, offset)]
    return [_term(word, str(number), at=offset) for number in range(1, count + 1)]


def _keep_alive(facts: list[Node], rules: list[Node]) -> list[Node]:
    """Return the rules without those that ask for a relation that is empty in this tree."""
    while True:
        known = {head_word(node) for node in facts} | set(KEYWORDS)
        known |= {head_word(rule.items[1]) for rule in rules if isinstance(rule, Group) and head_word(rule) == "<="}
        alive = [rule for rule in rules if _asks_for(rule) <= known]
        if len(alive) == len(rules):
            return rules
        rules = alive


def _asks_for(rule: Node) -> set[str]:
    """Return the relations in the body of a rule, without negated ones."""
    if not isinstance(rule, Group) or head_word(rule) != "<=":
        return set()
    return {head_word(node) for node in rule.items[2:]} - {"not"}
