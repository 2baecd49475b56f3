"""Matches as tasks for any process. A `Task` contains its game and its players' files, so a worker needs no files.

A task is pickled with its game. The game is packed once and opened once per process, so all tasks in one process share
a game that was read and compiled once.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field, fields
from functools import lru_cache
from time import perf_counter
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from veil.engine import Game
from veil.match.config import MatchConfig
from veil.match.executors import OtherRulesError
from veil.match.keys import choose_match_key
from veil.match.log import MatchLog
from veil.match.referee import hold_match, make_driver
from veil.match.seats import Lineup
from veil.match.table import MatchTable
from veil.players import NO_FILES, PLAYERS, CountsEffort, Effort, Files, Player

MAX_GAMES = 8  # most games that a process keeps

Key = tuple[str, tuple[str, ...], int]  # game, specs in the order of the roles, number


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTask:
    """A task with a game, for any process. Subclasses add the other fields."""

    game: Game

    def __reduce__(self) -> tuple[Any, ...]:
        rest = {entry.name: getattr(self, entry.name) for entry in fields(self) if entry.name != "game"}
        return _open_task, (type(self), pack_game(self.game), rest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task(GameTask):
    """A task to play one match."""

    name: str  # of the game, as the user gave it
    specs: Mapping[str, str]  # by role, in the order of the rules
    number: int  # of the match in its series
    seed: int  # of the match
    config: MatchConfig = field(default_factory=MatchConfig)
    files: Files = field(default_factory=lambda: NO_FILES)  # from which the players are made
    secret: str | None = None  # key of the match where a guest plays; None: the process that plays chooses it

    @property
    def kind(self) -> tuple[str, tuple[str, ...]]:
        """A key that is equal for tasks of about the same duration."""
        return self.name, tuple(self.specs.values())

    @property
    def key(self) -> Key:
        """The unique key of the match in its series."""
        return *self.kind, self.number

    def __str__(self) -> str:
        return f"{self.name}, {' against '.join(self.specs.values())}"


class PlayedMatch(NamedTuple):
    """The result of a task."""

    log: MatchLog
    seconds: float  # from the start of its players to their end
    efforts: dict[str, Effort]  # by role


def play_task(task: Task) -> PlayedMatch:
    """Play one match in this process, and return its log, its duration and the efforts of its players."""
    _ = task.game.machine  # compiled before the clock runs
    for spec in task.specs.values():
        PLAYERS.row_of(spec).maker()  # and its module imported
    clock = perf_counter()
    lineup = Lineup(specs=task.specs, files=task.files)
    key = task.secret or choose_match_key(task.game, task.specs, task.seed)
    with closing(make_driver(lineup, task.config)) as driver:
        log = hold_match(MatchTable(task.game, task.specs, task.seed, task.config, driver.needs, key), driver)
        efforts = {role: measure_effort(driver.players.get(role)) for role in task.specs}
    return PlayedMatch(log, perf_counter() - clock, efforts)


def measure_effort(player: Player | None) -> Effort:
    """Return the effort that a player has counted; zeros if it counts nothing or is None."""
    return player.effort() if isinstance(player, CountsEffort) else Effort()


_packed: WeakKeyDictionary[Game, bytes] = WeakKeyDictionary()


def pack_game(game: Game) -> bytes:
    """Return the game as bytes. The object is the same each time, so a pickled batch of tasks contains it once."""
    if game not in _packed:
        _packed[game] = pickle.dumps((game.fingerprint, game))
    return _packed[game]


@lru_cache(maxsize=MAX_GAMES)
def unpack_game(data: bytes) -> Game:
    """Return the packed game; results are cached. Raises `OtherRulesError` if it is read here as another game."""
    game: Game
    fingerprint, game = pickle.loads(data)
    if game.fingerprint != fingerprint:
        raise OtherRulesError(f"it reads the rules of {game.name} as {game.fingerprint}, and they are {fingerprint}")
    return game


def _open_task(kind: type[GameTask], game: bytes, rest: dict[str, Any]) -> GameTask:
    return kind(game=unpack_game(game), **rest)
