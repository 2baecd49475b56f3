"""The table of opponents: how the other roles are assumed to play, for every belief and every searching player.

Beliefs take `Opponents` (`belief.contract`): role, records, legal moves -> probabilities. A row of `OPPONENTS` makes
them for a game; `opponents=hyperplay` in the spec of a player and `veil infoset --opponents hyperplay` name one. A new
kind needs one module, a config and one row: `make(config, task) -> Opponents | None`, where None means uniform play.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from veil.belief import Opponents
from veil.engine import Game
from veil.files import read_bytes
from veil.registry import Registry, Row

UNIFORM = "uniform"
FILE = "a file"  # the need of a row that is made from a file
READ, POLICY = "veil.search.opponents.modelled", "veil.search.opponents.policy"
BEST = "veil.search.opponents.best"


class OpponentTask(NamedTuple):
    """The game for which opponents are made, and their random numbers."""

    game: Game
    seed: int
    read: Callable[[str], bytes] = read_bytes  # the content of a file by its name


@dataclass(frozen=True, slots=True, kw_only=True)
class UniformConfig:
    """A config without options."""


def make_uniform(config: UniformConfig, task: OpponentTask) -> None:
    """Return no model: samplers assume that the others play uniformly."""


OPPONENTS: Registry[Opponents | None] = Registry(
    "opponent",
    {
        "uniform": Row(__name__, "UniformConfig", "make_uniform", "every legal move is equally likely"),
        "hyperplay": Row(READ, "ReadConfig", "make_read", "they are read: soft HyperPlayers with own infosets"),
        "best": Row(BEST, "BestOpponentsConfig", "make_best", "they play like the player `best`"),
        "policy": Row(POLICY, "FileConfig", "make_from_file", "they play a saved policy", frozenset({FILE})),
        "solve": Row(POLICY, "SolvedConfig", "make_solved", "they play what a solver finds for the whole game"),
    },
    group="veil.opponents",
)


def make_opponents(spec: str, game: Game, seed: int = 0, read: Callable[[str], bytes] = read_bytes) -> Opponents | None:
    """Return the opponents that a text like `hyperplay:temperature=0.1` names; None if they play uniformly."""
    return OPPONENTS.make(spec, OpponentTask(game, seed, read))


def file_of_opponents(spec: str) -> str | None:
    """Return the name of the file that these opponents are made from; None if they need none."""
    name, config = OPPONENTS.parse(spec)
    return str(config.file) if FILE in OPPONENTS[name].needs else None
