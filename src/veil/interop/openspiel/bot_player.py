"""Bots of OpenSpiel as players: `openspiel:bot=ismcts,simulations=200`.

A bot of OpenSpiel is handed a whole state, and some look at all of it. A player knows its record alone, so its bot is
handed a world of the player's belief: a state that the player cannot tell from the true one. Asked in several worlds,
the bot answers several times, and the player draws one of the answers.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from veil.errors import fail
from veil.interop.openspiel.registration import import_pyspiel, register
from veil.players import Knowledge, Observation, Seat
from veil.registry import check_options, option
from veil.streams import search_of_player


@dataclass(frozen=True, slots=True, kw_only=True)
class SpielBotConfig:
    """Which bot, and how much it may search."""

    bot: str = option("ismcts", "mcts, ismcts, a bot that OpenSpiel has registered, or module:function", is_main=True)
    simulations: int = option(100, "of mcts and ismcts, per answer", limit="playouts")
    exploration: float = option(2.0, "the constant of UCT, in payoffs of -1 to 1", limit="exploration")
    worlds: int = option(1, "in which the bot is asked", limit="worlds")

    def __post_init__(self) -> None:
        check_options(self)


class SpielBotPlayer:
    """Plays what a bot of OpenSpiel answers in worlds of the player's belief."""

    def __init__(self, config: SpielBotConfig) -> None:
        import_pyspiel()
        self.config = config
        self._report: dict[str, Any] = {}

    def start(self, seat: Seat) -> None:
        """Begin a belief, and make the bot."""
        pyspiel = import_pyspiel()
        self.seat, self.rng = seat, search_of_player(seat.seed)
        self.knowledge = Knowledge(seat, worlds=max(16, self.config.worlds))
        self.game = pyspiel.load_game(register(seat.game))
        self.player_id = self.game.serial.player_of[seat.role_id]
        self.bot = make_foreign_bot(self.config, self.game, self.player_id, seat.seed)

    def hear(self, observation: Observation | None) -> None:
        """Catch up with a round in which nobody asks for a move."""
        self.knowledge.hear(observation)

    def play(self, observation: Observation | None) -> str:
        """One of the bot's answers."""
        self.knowledge.hear(observation, self.seat.deadline())
        legal = self.knowledge.legal()
        if len(legal) == 1:
            self._report = {"forced": legal[0]}
            return legal[0]
        asked = [self._ask(history) for history in self._draw_worlds()]
        answers = [self.knowledge.show(action) for action in asked if action is not None]
        if not answers:  # the belief is lost, and its worlds are none in which the player has this choice
            answers = [legal[int(self.rng.integers(len(legal)))]]
        counts = Counter(answers)
        self._report = {"strategy": {move: counts[move] / len(answers) for move in legal if counts[move]}}
        return answers[int(self.rng.integers(len(answers)))]

    def stop(self, observation: Observation | None) -> None:
        """The match is over."""

    def report(self) -> dict[str, Any]:
        """How often the bot answered each move."""
        return self._report

    def _draw_worlds(self) -> list[np.ndarray]:
        bag = self.knowledge.bag(self.rng)
        drawn = self.rng.choice(len(bag), size=self.config.worlds, p=bag.weights / bag.weights.sum())
        return [bag.histories[world] for world in drawn]

    def _ask(self, history: np.ndarray) -> int | None:
        """The bot's answer in one world; who moves before the player in this round does so at random.

        None where the player has nothing to choose in the world.
        """
        node = self.game.serial.follow(history)
        while not node.is_terminal and node.open_round.number == len(history) and node.mover != self.seat.role_id:
            node = node.child(node.actions[int(self.rng.integers(len(node.actions)))])
        if node.mover != self.seat.role_id:
            return None
        state = self.game.new_initial_state()
        for action in node.path():
            state.apply_action(action)
        return int(self.bot.step(state))


def make_foreign_bot(config: SpielBotConfig, game: Any, player: int, seed: int) -> Any:
    """The bot that a config names; one that is not known is refused."""
    pyspiel = import_pyspiel()
    if config.bot in ("mcts", "ismcts"):
        return _make_searching_bot(config, game, seed)
    if ":" in config.bot:
        return _import_maker(config.bot)(game, player, np.random.RandomState(seed))
    if config.bot == "uniform_random":  # the registered one draws from a seed of its own
        from open_spiel.python.bots.uniform_random import UniformRandomBot

        return UniformRandomBot(player, np.random.RandomState(seed))
    names = list(pyspiel.registered_bots())
    if config.bot not in names:
        raise fail("bad-option", what=f"there is no bot {config.bot}; there are mcts, ismcts, {', '.join(names)}")
    return pyspiel.load_bot(config.bot, game, player)


def _make_searching_bot(config: SpielBotConfig, game: Any, seed: int) -> Any:
    """OpenSpiel's searches in Python: its bots in C++ cannot play games that are written in Python."""
    pyspiel = import_pyspiel()
    from open_spiel.python.algorithms import ismcts, mcts

    rng = np.random.RandomState(seed)
    exploration = config.exploration * max(1e-9, game.max_utility() - game.min_utility()) / 2
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    is_open = game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION
    if config.bot == "mcts" or is_open:  # ismcts refuses games in which nothing is hidden
        return mcts.MCTSBot(game, exploration, config.simulations, evaluator, random_state=rng)
    bot = ismcts.ISMCTSBot(game, evaluator, exploration, config.simulations, random_state=rng)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.random_sample))
    return bot


def _import_maker(address: str) -> Any:
    """A function `module:name` of the user, called with game, player and a random state; it gives a bot."""
    module, _, name = address.partition(":")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise fail("bad-option", what=f"cannot import {address}: {error}"[:200]) from None
