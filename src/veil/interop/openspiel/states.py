"""A game of Veil as a Python game of OpenSpiel: `SpielGame`, `SpielState`.

A state holds only its node. So a copy is fast, and a pickle of it is the actions that lead there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from veil.engine import Game
from veil.interop.openspiel.facts import GameFacts
from veil.interop.openspiel.observer import SpielObserver
from veil.interop.openspiel.resampler import Resampler
from veil.interop.openspiel.serial import SerialGame, SerialNode
from veil.vocabulary import RANDOM


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A registered game: `pyspiel.load_game(veil.interop.openspiel.register("kuhn_poker"))`."""

    def __init__(self, serial: SerialGame, facts: GameFacts, game_type: Any, params: Any = None) -> None:
        self.serial, self.facts = serial, facts
        self.resampler = Resampler(serial)
        super().__init__(game_type, make_info(serial, facts), params or {})

    @property
    def game(self) -> Game:
        """The game in Veil."""
        return self.serial.game

    def new_initial_state(self, *start: Any) -> SpielState:
        """Return the state before the first choice. A state from a text is not supported."""
        if start:
            raise pyspiel.SpielError("a state is made from its actions: new_initial_state() and apply_action")
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """Return an observer of states; see `SpielObserver`."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if params:
            raise pyspiel.SpielError(f"observations have no parameters here, {params} are given")
        return SpielObserver(self.serial, self.facts, kind)

    def max_chance_nodes_in_history(self) -> int:
        """Return the maximal number of chance nodes of one game."""
        return self.facts.chance_nodes


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of a registered game."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._node = game.serial.root

    @property
    def node(self) -> SerialNode:
        """The current node of the game."""
        return self._node

    def current_player(self) -> int:
        """Return who has to choose: a player, chance, or `OVER`."""
        return self._node.player

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._node.actions)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the moves of `random`, which are equally likely."""
        actions = self._node.actions
        return [(action, 1.0 / len(actions)) for action in actions]

    def _apply_action(self, action: int) -> None:
        self._node = self._node.child(action)

    def _action_to_string(self, player: int, action: int) -> str:
        serial = self._node.serial
        role = serial.chance if player < 0 else serial.players[player]
        return "" if role is None else serial.game.names.moves[role][action]

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._node.is_terminal

    def returns(self) -> list[float]:
        """Return the payoffs of all players; 0 while the game goes on."""
        returns = self._node.open_round.returns
        return [0.0] * len(self._node.serial.players) if returns is None else list(returns)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """Return a state that the player cannot tell from this one, by its belief.

        `sampler` returns numbers below 1.
        """
        game = self.get_game()
        state: SpielState = game.new_initial_state()
        for action in game.resampler.draw(self._node, player, sampler):
            state.apply_action(action)
        return state

    def __str__(self) -> str:
        serial, node = self._node.serial, self._node
        fluents = serial.game.names.fluents
        bits = np.unpackbits(node.open_round.state.view(np.uint8)[0], count=len(fluents), bitorder="little")
        holds = " ".join(sorted(fluents[fluent] for fluent in np.flatnonzero(bits)))
        chosen = [serial.game.names.moves[role][move] for role, move in zip(serial.order, node.pending, strict=False)]
        return f"round {node.open_round.number}: {holds}" + (f" > {' '.join(chosen)}" if chosen else "")


def make_info(serial: SerialGame, facts: GameFacts) -> Any:
    """Return the numbers that OpenSpiel needs about a game."""
    moves = serial.machine.program.moves
    return pyspiel.GameInfo(
        num_distinct_actions=max(len(moves[role]) for role in serial.players),
        max_chance_outcomes=0 if serial.chance is None or not facts.chance_nodes else len(moves[serial.chance]),
        num_players=len(serial.players),
        min_utility=facts.low,
        max_utility=facts.high,
        utility_sum=facts.total,
        max_game_length=facts.decisions,
    )


def make_type(name: str, game: Game, facts: GameFacts, has_tensor: bool) -> Any:
    """Return the type of a game in OpenSpiel's words."""
    kind = pyspiel.GameType
    utility = {
        "zero": kind.Utility.ZERO_SUM,
        "constant": kind.Utility.CONSTANT_SUM,
        "identical": kind.Utility.IDENTICAL,
        "general": kind.Utility.GENERAL_SUM,
    }
    chance = kind.ChanceMode.EXPLICIT_STOCHASTIC if facts.chance_nodes else kind.ChanceMode.DETERMINISTIC
    open_, hidden = kind.Information.PERFECT_INFORMATION, kind.Information.IMPERFECT_INFORMATION
    count = sum(role != RANDOM for role in game.roles)
    return kind(
        short_name=name,
        long_name=f"Veil: {game.name}",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=chance,
        information=open_ if facts.is_open else hidden,
        utility=utility[facts.kind],
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=count,
        min_num_players=count,
        provides_information_state_string=True,
        provides_information_state_tensor=has_tensor,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
    )
