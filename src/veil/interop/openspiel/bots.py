"""Our players as bots of OpenSpiel: `make_bot("hyperplay:models=20", game, 0)`.

A bot gets the whole state; its player is told no more of it than a player of a match: its own record, round by round,
and its legal moves if it asks for them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from veil.errors import fail
from veil.interop.openspiel.registration import find_registered
from veil.interop.openspiel.serial import SerialNode
from veil.interop.openspiel.states import SpielGame
from veil.limits import check_limit
from veil.players import (
    LEGAL_MOVES,
    PERSON,
    TRUE_STATE,
    Observation,
    ObservesRounds,
    Player,
    Seat,
    TakesLegalMoves,
    make_player,
    needs_of_spec,
)


def make_bot(spec: str, game: Any, player: int, *, seed: int = 0, play_seconds: float | None = None) -> SpielBot:
    """Return a player of Veil as a bot for one player of a registered game.

    `play_seconds` is the time for a move; without it the options in the spec decide. Raises `VeilError` for a player
    that needs the true state or a person.
    """
    return SpielBot(spec, find_registered(game), player, seed, play_seconds)


class SpielBot(pyspiel.Bot):  # type: ignore[misc]  # pyspiel has no types
    """A bot that plays the moves of a player of Veil."""

    def __init__(self, spec: str, game: SpielGame, player: int, seed: int, play_seconds: float | None) -> None:
        super().__init__()
        check_limit("seed", seed, "seed")
        self.needs = needs_of_spec(spec)
        if self.needs & {TRUE_STATE, PERSON}:
            raise fail("bad-seat", what=f"{spec} cannot be a bot: it needs {' and '.join(sorted(self.needs))}")
        if not 0 <= player < len(game.serial.players):
            raise fail("bad-seat", what=f"there is no player {player} in {game.game.name}")
        self.spec, self.game, self._player_id = spec, game, player
        self.role = game.serial.players[player]
        self.seat = Seat(game=game.game, role=game.game.roles[self.role], seed=seed, play_seconds=play_seconds)
        self.restart()

    def player_id(self) -> int:
        """Return the number of its player."""
        return self._player_id

    def restart(self) -> None:
        """Start a new game."""
        self.player: Player = make_player(self.spec)
        self.player.start(self.seat)
        self._told: tuple[Any, ...] = ()  # what the player was told
        self._asked = -1  # the round for which it was asked last

    def restart_at(self, state: Any) -> None:
        """Start a new game, or go on from a state."""
        self.restart()

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Do nothing: the player is told about other players' moves by its next percepts."""

    def provides_policy(self) -> bool:
        """Return True: the probabilities come from the player's report."""
        return True

    def step(self, state: Any) -> int:
        """Return an action for the state."""
        return self.step_with_policy(state)[1]

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        """Return the probabilities of the actions."""
        return self.step_with_policy(state)[0]

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """Return the probabilities of the actions, from the player's report, and the action that it has drawn."""
        node: SerialNode = state.node
        if node.mover != self.role:
            raise pyspiel.SpielError(f"it is not the turn of {self.seat.role}")
        move = self._ask(node)
        names = self.seat.game.names
        action = names.move_id(self.role, move)
        if action is None or action not in node.actions:
            raise pyspiel.SpielError(f"{self.spec} answers {move}, which is not legal")
        report = self.player.report()
        told = report.get("strategy", report.get("policy")) or {move: 1.0}
        chances = {names.move_id(self.role, word): float(chance) for word, chance in told.items()}
        return [(each, chances.get(each, 0.0)) for each in node.actions], action

    def _ask(self, node: SerialNode) -> str:
        """Tell the player the rounds that are new, and ask for a move."""
        told = node.open_round.told[self.role]
        is_next = told[: len(self._told)] == self._told and len(told) > self._asked
        if not is_next:  # another game
            self.restart()
        rounds = [None, *self._observations(node)]
        for number in range(self._asked + 1, len(told)):
            self._skip(node, rounds[number], number)
        self._told, self._asked = told, len(told)
        return self._play(rounds[len(told)], node.open_round.legal[self.role])

    def _skip(self, node: SerialNode, observation: Observation | None, number: int) -> None:
        """Tell the player a past round.

        A player that cannot observe without answering is asked, and its answer is ignored.
        """
        if isinstance(self.player, ObservesRounds):
            self.player.observe(observation)
            return
        before = node
        while before.parent is not None and before.open_round.number > number:
            before = before.parent
        is_there = before.open_round.number == number  # a round without any choice has no node
        legal = before.open_round.legal[self.role] if is_there else (node.open_round.told[self.role][number][0],)
        self._play(observation, legal)

    def _play(self, observation: Observation | None, legal: tuple[int, ...]) -> str:
        if LEGAL_MOVES in self.needs and isinstance(self.player, TakesLegalMoves):
            self.player.offer(sorted(self.seat.game.names.moves[self.role][move] for move in legal))
        return self.player.play(observation)

    def _observations(self, node: SerialNode) -> list[Observation]:
        names = self.seat.game.names
        return [
            Observation(names.moves[self.role][move], names.percept_words(self.role, np.frombuffer(row, np.uint64)))
            for move, row in node.open_round.told[self.role]
        ]
