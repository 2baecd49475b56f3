"""Tournaments: every pairing, roles rotated, common random numbers, and an end however often it is interrupted.

A match is named by its game, its players in the order of the roles, and its number; the number alone gives the seed, so
that all pairings meet the same chance. Matches that the store holds are not played again.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import permutations, product
from multiprocessing import get_context
from time import perf_counter

from veil.engine.game import Game
from veil.engine.load import load
from veil.errors import fail
from veil.match.isolated import end_with_parent
from veil.match.referee import MatchConfig, check_seats, derived_seed, run_match
from veil.match.store import Result, Store
from veil.vocabulary import RANDOM


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentConfig:
    """Who plays what, and how often."""

    games: tuple[str, ...]
    players: tuple[str, ...]
    matches: int = 20  # per pairing and seating
    seed: int = 0
    match: MatchConfig = field(default_factory=MatchConfig)

    def __post_init__(self) -> None:
        if not self.games or not self.players:
            raise fail("bad-seat", what="a tournament needs games and players")
        if self.matches < 1:
            raise fail("bad-limit", name="games", value=self.matches)
        if len(set(self.players)) < len(self.players):
            raise fail("bad-seat", what="a player is named twice")


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One match to be played."""

    game: str
    players: tuple[str, ...]
    number: int
    seed: int
    match: MatchConfig

    @property
    def key(self) -> tuple[str, tuple[str, ...], int]:
        return self.game, self.players, self.number


def seatings(game: Game, players: Sequence[str]) -> list[tuple[str, ...]]:
    """Who sits where: every choice of players for the roles, in every order; against themselves if they are too few."""
    roles = [role for role in game.roles if role != RANDOM]
    if len(players) >= len(roles):
        return list(permutations(players, len(roles)))
    return list(product(players, repeat=len(roles)))


def tasks(config: TournamentConfig) -> Iterator[Task]:
    """All matches, so that every pairing has some before any has many."""
    tables = [(name, seatings(load(name), config.players)) for name in config.games]
    for number in range(config.matches):
        for game, table in tables:
            for players in table:
                yield Task(game=game, players=players, number=number, seed=config.seed, match=config.match)


def run_tournament(
    config: TournamentConfig,
    store: Store,
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Result]:
    """Play what the store does not hold yet; returns all results. Any `concurrent.futures.Executor` will do."""
    names = {name: load(name) for name in config.games}
    for game in names.values():
        if not set(game.roles) - {RANDOM}:
            raise fail("bad-seat", what=f"{game.name} has no role for a player")
        for seating in seatings(game, config.players):
            check_seats(game, _seats(game, seating), config.match)
    store.settle(_settings(config))
    wanted = list(tasks(config))
    keys = {task.key for task in wanted}
    held = {entry.key for entry in store.results()}
    missing = [task for task in wanted if task.key not in held]
    done = len(wanted) - len(missing)
    progress(done, len(wanted))
    if executor is None and jobs == 1:
        for task in missing:
            store.add([play_task(task)])
            done += 1
            progress(done, len(wanted))
    elif missing:
        pool = executor or ProcessPoolExecutor(jobs, get_context("spawn"), _guard, (os.getpid(),))
        try:
            for result in _all_of(pool, missing, 2 * jobs):
                store.add([result])
                done += 1
                progress(done, len(wanted))
        finally:
            if executor is None:
                pool.shutdown(wait=False, cancel_futures=True)
    return [entry for entry in store.results() if entry.key in keys]


def play_task(task: Task) -> Result:
    """One match, anywhere."""
    game = _loaded(task.game)
    start = perf_counter()
    record = run_match(game, _seats(game, task.players), derived_seed(task.seed, task.number), task.match)
    roles = list(record.players)
    return Result(
        game=task.game,
        players=task.players,
        number=task.number,
        goals=tuple(record.goals[role] for role in roles),
        errors=tuple(record.errors[role] for role in roles),
        rounds=len(record.rounds),
        seconds=perf_counter() - start,
    )


def _all_of(pool: Executor, wanted: Sequence[Task], ahead: int) -> Iterator[Result]:
    """Results as they come; only some tasks are handed out at a time, so that Ctrl-C is heard."""
    waiting: set[Future[Result]] = set()
    queue = iter(wanted)
    tasks_left = True
    while tasks_left or waiting:
        while tasks_left and len(waiting) < max(2, ahead):
            task = next(queue, None)
            if task is None:
                tasks_left = False
            else:
                waiting.add(pool.submit(play_task, task))
        finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for future in finished:
            yield future.result()


def _settings(config: TournamentConfig) -> dict[str, object]:
    """What must be the same when a tournament goes on: more games or players may join, and more matches."""
    return {"seed": config.seed, "match": asdict(config.match)}


def _seats(game: Game, players: Sequence[str]) -> dict[str, str]:
    roles = [role for role in game.roles if role != RANDOM]
    return dict(zip(roles, players, strict=True))


@lru_cache(maxsize=8)
def _loaded(name: str) -> Game:
    return load(name)


def _guard(parent: int) -> None:
    """A worker whose parent was killed ends itself."""
    threading.Thread(target=end_with_parent, args=(parent,), daemon=True).start()
