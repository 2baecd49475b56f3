"""Any game as an environment of PettingZoo: `parallel_env`, in which all roles act at once, and `aec_env`, in turn.

An agent is a role that plays; chance is no agent. An observation is `{"observation": bits, "action_mask": bits}`, of
what the role was told (see `vector` for its kinds) and of its legal moves. Rewards are utilities, at the end. The
environment plays rounds in which no role has a choice. An illegal action is an error, and then nothing is played; with
`illegal="end"` it ends the game instead.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from veil.engine import Game, as_game
from veil.environments.single_game import SingleGame, draw_text, read_options
from veil.errors import fail

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import OrderEnforcingWrapper
except ImportError:
    raise fail("no-env-package", package="pettingzoo") from None

NamedGame = Game | str | os.PathLike[str]
Observations = dict[str, dict[str, np.ndarray]]
RENDER_MODES = ["ansi", "human"]
NO_ACTION = -1


def parallel_env(game: NamedGame, *, render_mode: str | None = None, **options: Any) -> VeilParallelEnv:
    """Return the game as a `ParallelEnv`: all roles act in every step; a role without a choice may be left out.

    Options are the fields of `EnvOptions`: `observation`, `rounds`, `max_rounds`, `illegal`.
    """
    return VeilParallelEnv(SingleGame(as_game(game), read_options(options)), render_mode)


def aec_env(game: NamedGame, *, render_mode: str | None = None, **options: Any) -> Any:
    """Return the game as an `AECEnv`: roles with a choice act one after the other, in the order of the rules.

    They do not see what others chose in the same round; the round is played when all have chosen. Options as for
    `parallel_env`.
    """
    return OrderEnforcingWrapper(VeilAecEnv(SingleGame(as_game(game), read_options(options)), render_mode))


class _Seats:
    """The common parts of both kinds of environment: agents, spaces, seeds, rendering."""

    def __init__(self, play: SingleGame, render_mode: str | None) -> None:
        self.play, self.render_mode = play, render_mode
        self.metadata = {"name": play.game.name, "render_modes": RENDER_MODES, "is_parallelizable": True}
        self.possible_agents = list(play.roles)
        self.agents: list[str] = []
        self.rng = np.random.default_rng()
        number = {agent: place for place, agent in enumerate(play.roles)}
        self.numbers = number
        self.action_spaces = {agent: spaces.Discrete(len(play.moves[number[agent]])) for agent in play.roles}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (play.observation_size(number[agent]),), np.int8),
                    "action_mask": spaces.Box(0, 1, (len(play.moves[number[agent]]),), np.int8),
                }
            )
            for agent in play.roles
        }

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return what an agent observes now."""
        number = self.numbers[agent]
        return {"observation": self.play.observation(number), "action_mask": self.play.mask(number)}

    def begin(self, seed: int | None) -> None:
        """Start a new game. Chance continues its random numbers, unless there is a seed."""
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        self.play.begin(self.rng)
        self.agents = list(self.possible_agents)

    def render(self) -> str | None:
        """Return the whole state as text, with all hidden facts; print it in the mode `human`."""
        if self.render_mode is None:
            return None
        text = draw_text(self.play)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Do nothing: no resource is open."""


class VeilParallelEnv(_Seats, ParallelEnv):  # type: ignore[misc]
    """A game in which all agents act at once."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, dict[str, Any]]]:
        """Start a game; return the observations and infos of all agents."""
        self.begin(seed)
        observations = {agent: self.observe(agent) for agent in self.agents}
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if self.play.is_over:
            self.agents = []
        return observations, infos

    def step(self, actions: dict[str, int]) -> tuple[Any, Any, Any, Any, Any]:
        """Play the actions of all agents; return observations, rewards, terminations, truncations and infos."""
        if not self.agents:
            raise fail("env-not-begun")
        self.play.play([_action_of(actions, agent, self.play, self.numbers) for agent in self.agents])
        agents, over = self.agents, self.play.is_over
        rewards = {agent: self.play.utilities[self.numbers[agent]] if over else 0.0 for agent in agents}
        if over:
            self.agents = []
        return (
            {agent: self.observe(agent) for agent in agents},
            rewards,
            dict.fromkeys(agents, self.play.terminated),
            dict.fromkeys(agents, self.play.truncated),
            {agent: {} for agent in agents},
        )


def _action_of(actions: dict[str, int], agent: str, play: SingleGame, numbers: dict[str, int]) -> int:
    """Return the action of an agent; an agent without a choice may be left out."""
    legal = play.legal[numbers[agent]]
    if agent not in actions and legal.sum() == 1:
        return int(legal.argmax())
    if agent not in actions:
        raise fail("env-missing", role=agent)
    return int(actions[agent])


class VeilAecEnv(_Seats, AECEnv):  # type: ignore[misc]
    """A game in which the agents that have a choice act one after the other."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game."""
        self.begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def step(self, action: int | None) -> None:
        """Play the action of the agent whose turn it is; None for an agent whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = self.numbers[agent]
        is_legal = self.play.check_action(number, NO_ACTION if action is None else int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if not is_legal:
            self.play.forfeit([number])
        elif self._choose(number, int(action or 0)):
            return
        if self.play.is_over:
            self.rewards = dict(zip(self.possible_agents, self.play.utilities, strict=True))
        self._accumulate_rewards()
        self._go_on()

    def _choose(self, number: int, action: int) -> bool:
        """Store a choice; return whether others of this round have to choose as well. If not, play the round."""
        self._chosen[number] = action
        if self._waiting:
            self.agent_selection = self._waiting.pop(0)
            return True
        only = (int(row.argmax()) for row in self.play.legal)
        self.play.play([self._chosen.get(place, move) for place, move in enumerate(only)])
        return False

    def _go_on(self) -> None:
        """Find whose turn it is; if the game is over, every agent is told so in turn."""
        self.terminations = dict.fromkeys(self.agents, self.play.terminated)
        self.truncations = dict.fromkeys(self.agents, self.play.truncated)
        self._chosen: dict[int, int] = {}
        self._waiting = [self.possible_agents[number] for number in self.play.choosers] or list(self.agents)
        self.agent_selection = self._waiting.pop(0)
