"""What a player sees of a state, as text and as numbers: an observer in OpenSpiel's interface.

With perfect recall it is the whole record of the player, round by round: its own move and its percepts, one bit each.
Without, it is the last round only. A player that has already chosen in this round also sees its choice. The number of
the round is public; all else is private, because rules say who sees what, and not what everybody knows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from veil.engine.lanes import unpack
from veil.interop.openspiel.facts import GameFacts
from veil.interop.openspiel.serial import SerialGame, SerialNode, ToldRound

MAX_TENSOR = 1 << 22  # numbers of an information state; a longer one is not made


def tensor_size(serial: SerialGame, facts: GameFacts) -> int:
    """Return the maximal number of numbers of a player's whole record."""
    return facts.rounds * sum(_widths(serial))


def _widths(serial: SerialGame) -> tuple[int, int]:
    """Return the most moves and the most percepts of a player."""
    program = serial.machine.program
    return tuple(max(1, *(len(part[role]) for role in serial.players)) for part in (program.moves, program.percepts))  # type: ignore[return-value]


class SpielObserver:
    """An observer that writes what a player knows into `tensor`, whose parts are in `dict`, and says it in words."""

    def __init__(self, serial: SerialGame, facts: GameFacts, kind: Any) -> None:
        """Make an observer; `kind` is a pyspiel.IIGObservationType."""
        self.serial, self.facts, self.kind = serial, facts, kind
        whose: dict[Any, list[int | None]] = {
            pyspiel.PrivateInfoType.NONE: [],
            pyspiel.PrivateInfoType.SINGLE_PLAYER: [None],
            pyspiel.PrivateInfoType.ALL_PLAYERS: list(range(len(serial.players))),
        }
        self.whose = whose[kind.private_info]  # players; None is the observing player
        self.rounds = facts.rounds if kind.perfect_recall else 1
        self.tensor: np.ndarray | None = None
        self.dict: dict[str, np.ndarray] = {}
        if not kind.perfect_recall or tensor_size(serial, facts) <= MAX_TENSOR:
            self._allocate()

    def set_from(self, state: Any, player: int) -> None:
        """Write what a player knows in a state."""
        if self.tensor is None:
            return
        node = state.node
        self.tensor.fill(0.0)
        self.dict["player"][player] = 1.0
        if "round" in self.dict:
            self.dict["round"][min(node.open_round.number, self.facts.rounds)] = 1.0
        for who in self.whose:
            self._write(node, player if who is None else who, "" if who is None else f"_{who}")

    def string_from(self, state: Any, player: int) -> str:
        """Return what a player knows in a state, in words."""
        node = state.node
        parts = [] if self.kind.perfect_recall and self.whose else self._say_round(node)
        return ", ".join([*parts, *(self._say(node, player if who is None else who) for who in self.whose)])

    def _allocate(self) -> None:
        moves, percepts = _widths(self.serial)
        shapes: dict[str, tuple[int, ...]] = {"player": (len(self.serial.players),)}
        if self.kind.public_info:
            shapes["round"] = (self.facts.rounds + 1,)
        for who in self.whose:
            suffix = "" if who is None else f"_{who}"
            shapes[f"moves{suffix}"] = (self.rounds, moves)
            shapes[f"percepts{suffix}"] = (self.rounds, percepts)
            shapes[f"chosen{suffix}"] = (moves,)
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.dict = {name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)}

    def _write(self, node: SerialNode, player: int, suffix: str) -> None:
        role = self.serial.players[player]
        told = self._told(node, role)
        if len(told) > self.rounds:
            raise pyspiel.SpielError(f"round {len(told)}: register the game again with a larger max_rounds")
        percepts = len(self.serial.machine.program.percepts[role])
        for place, (move, row) in enumerate(told):
            self.dict[f"moves{suffix}"][place, move] = 1.0
            seen = unpack(np.frombuffer(row, np.uint64)[None, :], percepts)
            self.dict[f"percepts{suffix}"][place, :percepts] = seen[0]
        chosen = node.own_move(role)
        if chosen is not None:
            self.dict[f"chosen{suffix}"][chosen] = 1.0

    def _told(self, node: SerialNode, role: int) -> tuple[ToldRound, ...]:
        told = node.open_round.told[role]
        return told if self.kind.perfect_recall else told[-1:]

    def _say_round(self, node: SerialNode) -> list[str]:
        return [f"round {node.open_round.number}"] if self.kind.public_info else []

    def _say(self, node: SerialNode, player: int) -> str:
        role = self.serial.players[player]
        if self.kind.perfect_recall:
            return node.record_text(role)
        words, chosen = self.serial.record_words(role, self._told(node, role)), node.own_move(role)
        text = f"{self.serial.game.roles[role]}: {words}"
        return text if chosen is None else f"{text} > {self.serial.game.names.moves[role][chosen]}"
