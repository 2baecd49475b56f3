"""Bots of OpenSpiel as players: `openspiel:bot=ismcts,simulations=200`.

A bot of OpenSpiel gets a whole state, and some bots look at all of it. A player knows only its record, so its bot gets
a world of the player's belief: a state that the player cannot tell from the true one. The bot is asked in one or
several worlds, and the player draws one of the answers.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from veil.errors import fail
from veil.interop.openspiel.registration import import_pyspiel, register
from veil.players import Observation, Seat, make_belief
from veil.registry import check_options, option
from veil.streams import search_of_player

MIN_WORLDS = 16  # of the belief
MAX_SEED = 2**32  # seeds of OpenSpiel are below this


@dataclass(frozen=True, slots=True, kw_only=True)
class SpielBotConfig:
    """The bot, and how much it may search."""

    bot: str = option("ismcts", "mcts, ismcts, a bot that OpenSpiel has registered, or module:function", is_main=True)
    simulations: int = option(100, "of mcts and ismcts, per answer", limit="playouts")
    exploration: float = option(2.0, "the constant of UCT, in payoffs of -1 to 1", limit="exploration")
    worlds: int = option(1, "in which the bot is asked", limit="worlds")

    def __post_init__(self) -> None:
        check_options(self)


class SpielBotPlayer:
    """A player that plays the answers of an OpenSpiel bot in worlds of the player's belief."""

    def __init__(self, config: SpielBotConfig) -> None:
        import_pyspiel()
        self.config, self._wanted = config, max(MIN_WORLDS, config.worlds)
        self._report: dict[str, Any] = {}

    def start(self, seat: Seat) -> None:
        """Start a belief, and make the bot."""
        pyspiel = import_pyspiel()
        self.seat, self.rng = seat, search_of_player(seat.seed)
        self.belief = make_belief(seat, worlds=self._wanted)
        self.game = pyspiel.load_game(register(seat.game))
        self.player_id = self.game.serial.player_of[seat.role_id]
        self.bot = make_foreign_bot(self.config, self.game, self.player_id, seat.seed % MAX_SEED)

    def observe(self, observation: Observation | None) -> None:
        """Catch up with a round in which nobody asks for a move."""
        self.belief.observe(observation)

    def play(self, observation: Observation | None) -> str:
        """Return one of the bot's answers."""
        self.belief.observe(observation, self.seat.deadline())
        legal = self.belief.legal()
        if len(legal) == 1:
            self._report = {"forced": legal[0]}
            return legal[0]
        asked = [self._ask(history) for history in self._draw_worlds()]
        answers = [self.seat.show_move(action) for action in asked if action is not None]
        if not answers:  # the belief is lost, and its worlds are none in which the player has this choice
            answers = [legal[int(self.rng.integers(len(legal)))]]
        counts = Counter(answers)
        self._report = {"strategy": {move: counts[move] / len(answers) for move in legal if counts[move]}}
        return answers[int(self.rng.integers(len(answers)))]

    def stop(self, observation: Observation | None) -> None:
        """End the match."""

    def report(self) -> dict[str, Any]:
        """Return how often the bot answered each move."""
        return self._report

    def _draw_worlds(self) -> list[np.ndarray]:
        bag = self.belief.worlds(self._wanted, self.rng)
        drawn = self.rng.choice(len(bag), size=self.config.worlds, p=bag.weights / bag.weights.sum())
        return [bag.histories[world] for world in drawn]

    def _ask(self, history: np.ndarray) -> int | None:
        """Return the bot's answer in one world; earlier movers of this round move at random.

        The result is None if the player has no choice in the world.
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
    """Return the bot that a config names. Raises `VeilError` if it is unknown."""
    pyspiel = import_pyspiel()
    if config.bot in ("mcts", "ismcts"):
        return _make_searching_bot(config, game, seed)
    if ":" in config.bot:
        return _import_maker(config.bot)(game, player, np.random.RandomState(seed))
    if config.bot == "uniform_random":  # the registered one draws from its own seed
        from open_spiel.python.bots.uniform_random import UniformRandomBot  # an optional package

        return UniformRandomBot(player, np.random.RandomState(seed))
    names = list(pyspiel.registered_bots())
    if config.bot not in names:
        raise fail("bad-option", what=f"there is no bot {config.bot}; there are mcts, ismcts, {', '.join(names)}")
    return pyspiel.load_bot(config.bot, game, player)


def _make_searching_bot(config: SpielBotConfig, game: Any, seed: int) -> Any:
    """Return a search of OpenSpiel in Python: its C++ bots cannot play games that are written in Python."""
    pyspiel = import_pyspiel()
    from open_spiel.python.algorithms import ismcts, mcts  # an optional package

    rng = np.random.RandomState(seed)
    exploration = config.exploration * max(1e-9, game.max_utility() - game.min_utility()) / 2
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    is_open = game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION
    if config.bot == "mcts" or is_open:  # ismcts refuses games without hidden information
        return mcts.MCTSBot(game, exploration, config.simulations, evaluator, random_state=rng)
    bot = ismcts.ISMCTSBot(game, evaluator, exploration, config.simulations, random_state=rng)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.random_sample))
    return bot


def _import_maker(address: str) -> Any:
    """Return a function `module:name` of the user, which returns a bot for a game, a player and a random state."""
    module, _, name = address.partition(":")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise fail("bad-option", what=f"cannot import {address}: {error}"[:200]) from None
