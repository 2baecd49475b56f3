"""Tournaments: every pairing, roles rotated, common random numbers, and an end however often it is interrupted.

A match is named by its game, its players in the order of the roles, and its number; the number alone gives the seed, so
that all pairings meet the same chance. Matches that the store holds are not played again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from hashlib import sha256
from itertools import permutations, product
from pathlib import Path
from time import perf_counter
from typing import Any

from veil.engine import Game, load
from veil.errors import fail
from veil.match.executors import Pool
from veil.match.referee import MatchConfig, check_seats, derived_seed, run_match
from veil.match.store import Result, Store
from veil.players import PLAYERS
from veil.vocabulary import RANDOM

MAX_LOSSES = 3  # times in a row that processes may die before a match is over


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentConfig:
    """Who plays what, and how often."""

    games: tuple[str, ...]
    players: tuple[str, ...]
    matches: int = 20  # per pairing and seating
    seed: int = 0
    match: MatchConfig = field(default_factory=MatchConfig)

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", tuple(map(_tidy, self.players)))
        if not self.games or not self.players:
            raise fail("bad-option", what="a tournament needs games and players")
        if self.matches < 1:
            raise fail("bad-limit", name="games", value=self.matches)
        seen: dict[object, str] = {}
        for spec in self.players:
            kind = _kind(spec)
            if kind[0] == "human":
                raise fail("bad-option", what="a human cannot play in a tournament")
            if kind in seen:
                raise fail("bad-option", what=f"a player is named twice: {seen[kind]} and {spec}")
            seen[kind] = spec


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One match to be played."""

    game: str
    rules: str  # fingerprint of the game
    players: tuple[str, ...]
    number: int
    seed: int
    match: MatchConfig

    @property
    def key(self) -> tuple[str, tuple[str, ...], int]:
        return self.game, self.players, self.number


def open_games(config: TournamentConfig) -> dict[str, Game]:
    """The games by the names they are given; what cannot be played is refused."""
    games: dict[str, Game] = {}
    names: dict[str, str] = {}
    for name in config.games:
        game = games[name] = load(name)
        if game.fingerprint in names:
            raise fail("bad-option", what=f"a game is named twice: {names[game.fingerprint][:60]} and {name[:60]}")
        names[game.fingerprint] = name
        if not _roles(game):
            raise fail("bad-option", what=f"{game.name} has no role for a player")
        for spec in config.players:
            check_seats(game, dict.fromkeys(_roles(game), spec), config.match)
    return games


def seatings(game: Game, players: Sequence[str]) -> list[tuple[str, ...]]:
    """Who sits where: every choice of players for the roles, in every order; against themselves if they are too few."""
    seats = len(_roles(game))
    if len(players) >= seats:
        return list(permutations(players, seats))
    return list(product(players, repeat=seats))


def tasks(config: TournamentConfig, games: Mapping[str, Game]) -> Iterator[Task]:
    """All matches, so that every pairing has some before any has many."""
    tables = [(name, game.fingerprint, seatings(game, config.players)) for name, game in games.items()]
    for number in range(config.matches):
        for name, rules, table in tables:
            for players in table:
                yield Task(game=name, rules=rules, players=players, number=number, seed=config.seed, match=config.match)


def run_tournament(
    config: TournamentConfig,
    store: Store,
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Result]:
    """Play what the store does not hold yet; returns all results. Any `concurrent.futures.Executor` will do."""
    games = open_games(config)
    store.settle({"seed": config.seed, "match": asdict(config.match)}, _sources(config, games))
    pairings = {(name, players) for name, game in games.items() for players in seatings(game, config.players)}
    held = {
        entry.key
        for entry in store.results()
        if (entry.game, entry.players) in pairings and entry.number < config.matches
    }
    total = len(pairings) * config.matches

    def missing() -> Iterator[Task]:
        return (task for task in tasks(config, games) if task.key not in held)

    progress(len(held), total)
    with closing(_played(missing, jobs, executor)) as results:
        for result in results:
            store.add([result])
            held.add(result.key)
            progress(len(held), total)
    return [entry for entry in store.results() if entry.key in held]


def play_task(task: Task) -> Result:
    """One match, anywhere."""
    game = _loaded(task.game, task.rules)
    _ = game.machine  # compiled before the clock runs
    start = perf_counter()
    seats = dict(zip(_roles(game), task.players, strict=True))
    record = run_match(game, seats, derived_seed(task.seed, task.number), task.match)
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


def _played(
    missing: Callable[[], Iterator[Task]], jobs: int, executor: Executor | None
) -> Generator[Result, None, None]:
    if executor is not None:
        yield from _all_of(executor, missing(), 2 * jobs)
    elif jobs == 1:
        yield from map(play_task, missing())
    else:
        yield from _in_processes(missing, jobs)


def _in_processes(missing: Callable[[], Iterator[Task]], jobs: int) -> Iterator[Result]:
    """Results as they come; where a process dies, new ones go on with what is still missing."""
    losses = 0
    while True:
        pool = Pool(jobs)
        try:
            for result in _all_of(pool, missing(), 2 * jobs):
                losses = 0
                yield result
            return
        except BrokenProcessPool:
            losses += 1
            if losses == MAX_LOSSES:
                task = next(missing())
                what = f"{task.game}, {' against '.join(task.players)}"
                raise fail("workers-lost", count=losses, match=what) from None
        finally:
            pool.end()


def _all_of(pool: Executor, wanted: Iterator[Task], ahead: int) -> Iterator[Result]:
    """Results as they come; only some tasks are handed out at a time, so that Ctrl-C is heard."""
    waiting: set[Future[Result]] = set()
    tasks_left = True
    while tasks_left or waiting:
        while tasks_left and len(waiting) < max(2, ahead):
            task = next(wanted, None)
            if task is None:
                tasks_left = False
            else:
                waiting.add(pool.submit(play_task, task))
        finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for future in sorted(finished, key=lambda future: future.exception() is not None):  # errors when all is kept
            yield future.result()


@lru_cache(maxsize=8)
def _loaded(name: str, rules: str) -> Game:
    """The game, once per process. A file may have been written anew since the tournament was opened."""
    game = load(name)
    if game.fingerprint != rules:
        raise fail("bad-option", what=f"the rules for {name[:60]} were changed while they were played")
    return game


def _roles(game: Game) -> list[str]:
    return [role for role in game.roles if role != RANDOM]


def _tidy(spec: str) -> str:
    """A player has one name: without spaces around it, and without a colon that nothing follows."""
    name, _, options = (part.strip() for part in spec.partition(":"))
    return f"{name}:{options}" if options else name


def _kind(spec: str) -> tuple[str, Any]:
    """What a spec means: the name of a player, and all its options."""
    name, config = PLAYERS.parse(spec)
    return name, config


def _sources(config: TournamentConfig, games: Mapping[str, Game]) -> dict[str, str]:
    """What stands behind names, as hashes: the rules of games, and the files that players play from."""
    found = {f"rules for {name}": game.fingerprint for name, game in games.items()}
    for spec in config.players:
        file = getattr(_kind(spec)[1], "file", None)
        if file is not None:
            try:
                found[f"contents of {spec}"] = sha256(Path(file).read_bytes()).hexdigest()[:16]
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or "this is not the name of a file"
                raise fail("unreadable-file", name=file, reason=reason) from None
    return found
