"""A game with one mover at a time, node by node: in OpenSpiel's words, a sequential game with explicit chance.

The joint move of a round is serialised as in the trees of solvers: `random` first, then the roles in the order of the
rules. A later mover does not see the earlier moves of the same round, and a forced move makes no node. Players are
numbered without `random`; an action is the number of a move among all moves of its role in the ground program.

A node does not change. Its children are cached while there are few nodes, so that algorithms that walk the tree again
and again compute it once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from veil.caches import BoundedCache
from veil.engine import EMPTY_RECORD, Game, Record, round_in_words
from veil.errors import fail

CHANCE, OVER = -1, -4  # in place of a player, as in pyspiel.PlayerId
MAX_KEPT = 50_000  # number of cached nodes of a game
MAX_ROUNDS_KEPT = 10_000  # number of rounds whose words are cached
MAX_FORCED = 10_000  # rounds in a row without any choice

ToldRound = tuple[int, bytes]  # own move, packed percepts


class OpenRound(NamedTuple):
    """A round before its joint move. R roles of the ground program."""

    number: int  # number of rounds before it
    state: np.ndarray  # [1, words]
    legal: tuple[tuple[int, ...], ...]  # [R] numbers of the legal moves, ascending
    told: tuple[tuple[ToldRound, ...], ...]  # [R] what every role was told so far
    returns: tuple[float, ...] | None  # per player; None if the game goes on


class SerialNode:
    """A point of a game at which one player or chance has to choose, or at which the game is over."""

    __slots__ = ("_children", "action", "actions", "mover", "open_round", "parent", "pending", "player", "serial")

    def __init__(
        self, serial: SerialGame, parent: SerialNode | None, action: int, round_: OpenRound, pending: tuple[int, ...]
    ) -> None:
        """Make a node; `pending` are the known moves of this round, by place in `serial.order`; a choice comes next."""
        self.serial, self.parent, self.action, self.open_round, self.pending = serial, parent, action, round_, pending
        self._children: dict[int, SerialNode] = {}
        self.mover: int | None  # the role that chooses; None if the game is over
        self.player: int  # the mover in OpenSpiel's numbers
        self.actions: tuple[int, ...]  # to choose from, ascending
        if round_.returns is not None:
            self.mover, self.player, self.actions = None, OVER, ()
        else:
            self.mover = serial.order[len(pending)]
            self.player, self.actions = serial.player_of[self.mover], round_.legal[self.mover]

    def __deepcopy__(self, memo: dict[int, Any]) -> SerialNode:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        from veil.interop.openspiel.registration import find_node  # which imports this module

        return find_node, (self.serial.name, self.serial.game.fingerprint, self.path())

    @property
    def is_terminal(self) -> bool:
        return self.open_round.returns is not None

    def child(self, action: int) -> SerialNode:
        """Return the node after a legal action."""
        child = self._children.get(action)
        if child is None:
            child = self.serial.grow(self, action)
            if self.serial.keep():
                self._children[action] = child
        return child

    def path(self) -> tuple[int, ...]:
        """Return the actions from the start to this node."""
        actions, node = [], self
        while node.parent is not None:
            actions.append(node.action)
            node = node.parent
        return tuple(reversed(actions))

    def own_move(self, role: int) -> int | None:
        """Return the move that a role has already chosen in this round; None if it has not, or had no choice."""
        place = self.serial.place_of[role]
        chosen = place < len(self.pending) and len(self.open_round.legal[role]) > 1
        return self.pending[place] if chosen else None

    def record_text(self, role: int) -> str:
        """Return what a role was told, and its choice since then: the text of its infoset, beginning with the role."""
        words, chosen = self.serial.record_words(role, self.open_round.told[role]), self.own_move(role)
        text = f"{self.serial.game.roles[role]}: {words}"
        return text if chosen is None else f"{text} > {self.serial.game.names.moves[role][chosen]}"

    def record(self, role: int) -> Record:
        """Return what a role was told, in words."""
        names = self.serial.game.names
        rounds = tuple(
            (names.moves[role][move], names.percept_words(role, np.frombuffer(percepts, np.uint64)))
            for move, percepts in self.open_round.told[role]
        )
        return Record(self.serial.game.roles[role], rounds, self.is_terminal)


class SerialGame:
    """A game as a tree of `SerialNode`s, expanded as it is walked. R roles of the ground program."""

    def __init__(self, game: Game, name: str) -> None:
        """Start a game; `name` is the short name under which it is registered."""
        self.game, self.name, self.machine = game, name, game.machine
        program = self.machine.program
        self.order, self.chance = program.serial_order, program.chance
        self.players = [role for role in self.order if role != self.chance]  # [P] their roles
        self.player_of = [self.players.index(role) if role in self.players else CHANCE for role in self.order_of_roles]
        self.place_of = [self.order.index(role) for role in self.order_of_roles]
        self._kept = 0
        # In words: many nodes share a round.
        self._rounds: BoundedCache[tuple[int, ToldRound], str] = BoundedCache(MAX_ROUNDS_KEPT)
        self.root = self._settle(None, -1, self._open(0, self.machine.initial_states(), ((),) * len(self.order)), ())

    @property
    def order_of_roles(self) -> range:
        """The roles by their numbers."""
        return range(len(self.game.roles))

    def keep(self) -> bool:
        """Return whether one more node may be cached."""
        self._kept += 1
        return self._kept <= MAX_KEPT

    def find(self, path: tuple[int, ...]) -> SerialNode:
        """Return the node after these actions."""
        node = self.root
        for action in path:
            node = node.child(action)
        return node

    def grow(self, node: SerialNode, action: int) -> SerialNode:
        """Return the node after an action; forced moves and complete rounds are played."""
        if action not in node.actions:
            raise ValueError(f"{action} is no legal action; these are: {node.actions}")
        return self._settle(node, action, node.open_round, (*node.pending, action))

    def follow(self, history: np.ndarray) -> SerialNode:
        """Return the node after joint moves [T, R]: the first one of the next round."""
        node = self.root
        for number, joint in enumerate(history.tolist()):
            while not node.is_terminal and node.open_round.number == number:
                node = node.child(joint[self.order[len(node.pending)]])
        return node

    def record_words(self, role: int, told: tuple[ToldRound, ...]) -> str:
        """Return a record in words, as `Record` has it."""
        return "; ".join(self._round_words(role, entry) for entry in told) or EMPTY_RECORD

    def _round_words(self, role: int, told: ToldRound) -> str:
        text = self._rounds.find((role, told))
        if text is None:
            names, (move, percepts) = self.game.names, told
            seen = names.percept_words(role, np.frombuffer(percepts, np.uint64))
            text = self._rounds.keep((role, told), round_in_words(names.moves[role][move], seen))
        return text

    def _settle(
        self, parent: SerialNode | None, action: int, round_: OpenRound, pending: tuple[int, ...]
    ) -> SerialNode:
        """Return the next node with a choice or an end, from a round with these moves."""
        for _ in range(MAX_FORCED):
            if round_.returns is not None:
                return SerialNode(self, parent, action, round_, ())
            while len(pending) < len(self.order):
                legal = round_.legal[self.order[len(pending)]]
                if len(legal) > 1:
                    return SerialNode(self, parent, action, round_, pending)
                pending = (*pending, legal[0])
            round_, pending = self._play(round_, pending), ()
        raise fail("endless-game", rounds=f"{MAX_FORCED:,}")

    def _play(self, round_: OpenRound, moves: tuple[int, ...]) -> OpenRound:
        """Return the round after a joint move, given in the order of `order`."""
        joint = np.zeros((1, len(moves)), np.int64)
        joint[0, self.order] = moves
        stepped = self.machine.step(round_.state, joint)
        told = tuple(
            (*before, (int(joint[0, role]), stepped.percepts[role][0].tobytes())) if role != self.chance else ()
            for role, before in enumerate(round_.told)
        )
        return self._open(round_.number + 1, stepped.states, told)

    def _open(self, number: int, state: np.ndarray, told: tuple[tuple[ToldRound, ...], ...]) -> OpenRound:
        """Judge a state: find its legal moves, or its payoffs if it is terminal."""
        judged = self.machine.judge(state)
        if judged.terminal[0]:
            returns = tuple(self.game.utility.of(judged.goals[0, self.players]).tolist())
            return OpenRound(number, state, (), told, returns)
        legal = tuple(tuple(np.flatnonzero(bits[0]).tolist()) for bits in self.machine.legal_bits(judged))
        for role, moves in enumerate(legal):
            if not moves:
                raise fail("stuck", where="", role=self.game.roles[role])
        return OpenRound(number, state, legal, told, None)
