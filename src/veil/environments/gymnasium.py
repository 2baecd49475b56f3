"""A game of one player, with chance or without, as an environment of Gymnasium.

An observation is an array of 0 and 1 of what the player was told (see `vector` for its kinds). The legal moves are in
`info["action_mask"]`, and `action_masks()` returns them to learners that ask for them. An illegal action ends the game
with the lowest possible reward, because learners without masks will choose some; `illegal="refuse"` makes it an error.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from veil.engine import Game, as_game
from veil.environments.single_game import SingleGame, draw_text, read_options
from veil.errors import fail

try:
    from gymnasium import Env, spaces
except ImportError:
    raise fail("no-env-package", package="gymnasium") from None


def single_env(
    game: Game | str | os.PathLike[str], *, render_mode: str | None = None, **options: Any
) -> SinglePlayerEnv:
    """Return the game as an `Env` of Gymnasium.

    Options are the fields of `EnvOptions`, `illegal` is `end` by default.
    """
    return SinglePlayerEnv(SingleGame(as_game(game), read_options({"illegal": "end"} | options)), render_mode)


class SinglePlayerEnv(Env):
    """A game of one player."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  # as Gymnasium has it

    def __init__(self, play: SingleGame, render_mode: str | None = None) -> None:
        if len(play.roles) != 1:
            raise fail("env-one-player", count=len(play.roles), roles=", ".join(play.roles))
        self.play, self.render_mode = play, render_mode
        self.observation_space = spaces.MultiBinary(play.observation_size(0))
        self.action_space = spaces.Discrete(len(play.moves[0]))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start a game; return the first observation, and the legal moves in `action_mask`."""
        super().reset(seed=seed)
        self.play.begin(self.np_random)
        return self.play.observation(0), self._info()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play a move; return observation, reward, terminated, truncated, info."""
        if self.play.is_over:
            raise fail("env-not-begun")
        self.play.play([int(action)])
        reward = self.play.utilities[0] if self.play.is_over else 0.0
        return self.play.observation(0), reward, self.play.terminated, self.play.truncated, self._info()

    def action_masks(self) -> np.ndarray:
        """Return [moves] bool: the legal moves."""
        return self.play.mask(0).astype(bool)

    def render(self) -> str | None:
        """Return the whole state as text, also what the player cannot know; None without the mode `ansi`."""
        return draw_text(self.play) if self.render_mode == "ansi" else None

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.play.mask(0)}
