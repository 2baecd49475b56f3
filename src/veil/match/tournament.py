"""Tournaments: all pairings in all seats, with common random numbers. An interrupted tournament can be continued.

The key of a match is its game, its players in the order of the roles, and its number. The seed depends only on the
number, so all pairings get the same chance moves, except those with a guest (`veil.match.keys`): their chance differs
from seating to seating, because a guest may remember. Matches that the store holds are not played again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from functools import partial
from heapq import merge
from itertools import permutations, product
from operator import itemgetter
from typing import NamedTuple

from veil.display import Plot, plot, show_html
from veil.engine import Game, GroundLimits, as_game, list_rules, load
from veil.errors import bad_argument, check_kind, fail, phrase
from veil.limits import check_limit
from veil.match.config import MatchConfig
from veil.match.contents import SourceWatch, read_sources
from veil.match.executors import Pool
from veil.match.keys import choose_match_key
from veil.match.ranking import Ranking, RankingTally, rank_players
from veil.match.seats import check_seats, fit_game, players_of
from veil.match.series import play_all
from veil.match.standings import GameTable, Standings
from veil.match.store import Result, Score, Store
from veil.match.tasks import PlayedMatch, Task, play_task
from veil.players import PERSON, PLAYERS, FileContents, needs_of_spec
from veil.streams import match_seed

NamedGame = str | os.PathLike[str] | Game  # a game, or its name, path or text
Progress = Callable[[int, int], None]  # matches: played, total
PORTION = 1000  # match numbers that are looked up at once
MAX_SHOWN = 60  # characters of a name, in a message


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentConfig:
    """The games, the players, and the number of matches."""

    games: tuple[NamedGame, ...]
    players: tuple[str, ...]
    matches: int = 20  # per pairing and seating
    seed: int = 0
    match: MatchConfig = field(default_factory=MatchConfig)
    limits: GroundLimits = field(default_factory=GroundLimits)  # of games that are given by name, path or text

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", tuple(map(_tidy, self.players)))
        if not self.games or not self.players:
            raise fail("bad-option", what="a tournament needs games and players")
        check_limit("matches", self.matches, "matches")
        check_limit("seed", self.seed, "seed")
        named: dict[object, str] = {}
        for spec in self.players:
            meaning = PLAYERS.parse(spec)
            if PERSON in needs_of_spec(spec):
                raise fail("bad-option", what=f"a {meaning.name} cannot play in a tournament")
            if meaning in named:
                raise fail("bad-option", what=f"a player is named twice: {named[meaning]} and {spec}")
            named[meaning] = spec


class TournamentTables(NamedTuple):
    """The results of a tournament without its single matches, which may not fit into memory."""

    matches: int  # that are played
    standings: list[Standings]  # a table per game
    ranking: Ranking | None  # over all games; None for fewer than two players


class TournamentResult(NamedTuple):
    """The results of a tournament."""

    results: list[Result]  # of all its matches
    standings: list[Standings]  # a table per game

    def __repr__(self) -> str:
        games = ", ".join(table.game for table in self.standings)
        return f"TournamentResult({games}; {len(self.results)} matches)"

    def ranking(self) -> Ranking | None:
        """Return ranks, Elo and paired tests over all games; None for fewer than two players."""
        return rank_players(self.results, self.standings)

    def plot(self) -> Plot:
        """Return a heat map per game: `result.plot().save("tournament.png")`."""
        return plot(self)

    def _repr_html_(self) -> str | None:
        return show_html(self)


def run_tournament(
    games: NamedGame | Iterable[NamedGame],
    players: Iterable[str],
    *,
    matches: int = 20,
    seed: int = 0,
    match: MatchConfig | None = None,
    store: Store | str | os.PathLike[str] | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Progress = lambda done, total: None,
) -> TournamentResult:
    """Play `matches` matches of each pairing in each seating. Return all results, and a table per game.

    `games` are names, paths, texts or `Game`s; `players` are specs. A `store` (a file) keeps the results; matches that
    it holds are not played again. `jobs` processes play, or the workers of any `concurrent.futures.Executor`.
    """
    check_kind("games", games, str, os.PathLike, Game, Iterable)
    if isinstance(players, str | Mapping) or not isinstance(players, Iterable):
        raise bad_argument("players", phrase("a-list-of-specs"), players)
    check_limit("processes", jobs, "jobs")
    several = [games] if isinstance(games, str | os.PathLike | Game) else games
    config = TournamentConfig(
        games=tuple(
            file for given in several for file in (list_rules(given) if not isinstance(given, Game) else [given])
        ),
        players=tuple(players),
        matches=matches,
        seed=seed,
        match=match or MatchConfig(),
    )
    kept = nullcontext(store) if isinstance(store, Store) else Store(None if store is None else os.fspath(store))
    with kept as at_hand:
        tables = play_matches(config, at_hand, jobs=jobs, executor=executor, progress=progress)
        return TournamentResult(list_results(config, at_hand), tables.standings)


def list_results(config: TournamentConfig, store: Store) -> list[Result]:
    """Return the results of all matches of a tournament that the store holds."""
    names, players = {name_game(given) for given in config.games}, set(config.players)
    return [
        entry
        for entry in store.results()
        if entry.game in names and players.issuperset(entry.players) and entry.number < config.matches
    ]


def play_matches(
    config: TournamentConfig,
    store: Store,
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Progress = lambda done, total: None,
    logs: bool = False,
) -> TournamentTables:
    """Play the matches that the store does not hold yet. Return a table per game. No match is kept in memory.

    With `logs`, the store keeps the log of each match, so that it can be replayed.
    """
    games, files = open_games(config), read_sources(config.players)
    watch = SourceWatch(games, files)
    store.check_identity({"seed": config.seed, "match": config.match.identity()}, watch.fingerprints)
    pairings = [(name, players) for name, game in games.items() for players in list_seatings(game, config.players)]
    done, total = sum(store.count(*pairing, config.matches) for pairing in pairings), len(pairings) * config.matches
    tables = fill_tables(config, store, pairings)  # refuses a damaged store before anything is played
    progress(done, total)
    if done == total:
        return tables
    held = HeldMatches(store)
    missing = (task for task in make_tasks(config, games, files, watch) if task not in held)
    workers = executor if executor is not None or jobs == 1 else partial(Pool, jobs)
    with closing(play_all(missing, workers, workers=None if executor else jobs, play=play_task)) as played:
        for task, match in played:
            result = make_result(task, match)
            store.add([result], {result.key: match.log.as_lines()} if logs else None)
            done += 1
            progress(done, total)
    return fill_tables(config, store, pairings)


def make_tables(config: TournamentConfig, store: Store) -> TournamentTables:
    """Return the tables of an unfinished tournament, for the games in which every player has played.

    The store may hold matches of other players too.
    """
    players, names = set(config.players), [name_game(given) for given in config.games]
    played = [(game, seated) for game, seated in store.pairings() if game in names and players.issuperset(seated)]
    played = [pairing for pairing in played if store.count(*pairing, config.matches)]
    seen = {name: {spec for game, seated in played if game == name for spec in seated} for name in names}
    return fill_tables(config, store, [(game, seated) for game, seated in played if seen[game] == players])


def fill_tables(
    config: TournamentConfig, store: Store, pairings: Iterable[tuple[str, tuple[str, ...]]]
) -> TournamentTables:
    """Return the tables of these pairings, one per game in the order of the config. Matches are read one by one."""
    tables = {name_game(given): GameTable(name_game(given), config.players) for given in config.games}
    ranking = RankingTally(config.players)
    streams = [_seated_scores(store, game, players, config.matches) for game, players in sorted(pairings)]
    for _, game, seated, score in merge(*streams, key=itemgetter(0)):
        tables[game].add(seated, score)
        ranking.add(game, seated, score)
    filled = [table for table in tables.values() if table.matches]
    standings = [table.standings() for table in filled]
    return TournamentTables(sum(table.matches for table in filled), standings, ranking.ranking(standings))


def _seated_scores(
    store: Store, game: str, players: tuple[str, ...], matches: int
) -> Iterator[tuple[int, str, tuple[str, ...], Score]]:
    """Yield (number, game, players, score) for the first `matches` matches of one pairing."""
    return ((score.number, game, players, score) for score in store.scores(game, players, matches))


class HeldMatches:
    """The tasks of a tournament that the store holds: `task in held`. Tasks must come in the order of their numbers.

    Numbers are looked up in portions. This needs few queries, and does not load all matches into memory.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._start = 0
        self._numbers: dict[tuple[str, tuple[str, ...]], set[int]] = {}

    def __contains__(self, task: Task) -> bool:
        start = task.number - task.number % PORTION
        if start != self._start:
            self._start, self._numbers = start, {}
        if task.kind not in self._numbers:
            self._numbers[task.kind] = self._store.numbers(*task.kind, start, start + PORTION)
        return task.number in self._numbers[task.kind]


def open_games(config: TournamentConfig) -> dict[str, Game]:
    """Load the games. Return name in the tournament -> game. Refuse games that cannot be played."""
    games: dict[str, Game] = {}
    names: dict[str, str] = {}
    for given in config.games:
        game = given if isinstance(given, Game) else load(given, config.limits)
        name = name_game(given)
        if game.fingerprint in names:
            first = names[game.fingerprint][:MAX_SHOWN]
            raise fail("bad-option", what=f"a game is named twice: {first} and {name[:MAX_SHOWN]}")
        if name in games:
            raise fail("bad-option", what=f"two games are called {name[:MAX_SHOWN]}")
        if not players_of(game):
            raise fail("bad-option", what=f"{game.name} has no role for a player")
        for spec in config.players:
            check_seats(game, dict.fromkeys(players_of(game), spec), config.match)
        games[name], names[game.fingerprint] = fit_game(game, config.players), name
    return games


def name_game(given: NamedGame) -> str:
    """Return the name of a game in the tournament: as the user gave it, unless that is a `Game` or a whole text."""
    return as_game(given).name if isinstance(given, Game) or "\n" in os.fspath(given) else os.fspath(given)


def list_seatings(game: Game, players: Sequence[str]) -> list[tuple[str, ...]]:
    """Return all seatings: each choice of players for the roles, in each order.

    If there are fewer players than roles, a player may have several seats.
    """
    seats = len(players_of(game))
    if len(players) >= seats:
        return list(permutations(players, seats))
    return list(product(players, repeat=seats))


def make_tasks(
    config: TournamentConfig, games: Mapping[str, Game], files: Mapping[str, FileContents], watch: SourceWatch
) -> Iterator[Task]:
    """Yield all matches in the order of their numbers, so that all pairings progress equally."""
    tables = [(name, game, list_seatings(game, config.players)) for name, game in games.items()]
    for number in range(config.matches):
        watch.check()
        for name, game, seatings in tables:
            for specs in seatings:
                seats, seed = dict(zip(players_of(game), specs, strict=True)), match_seed(config.seed, number)
                yield Task(
                    game=game,
                    name=name,
                    specs=seats,
                    number=number,
                    seed=seed,
                    secret=choose_match_key(game, seats, seed),
                    config=config.match,
                    files={files[spec].name: files[spec] for spec in specs if spec in files},
                )


def make_result(task: Task, match: PlayedMatch) -> Result:
    """Return a match as the store keeps it."""
    log = match.log
    return Result(
        game=task.name,
        players=tuple(task.specs.values()),
        number=task.number,
        goals=tuple(log.goals[role] for role in task.specs),
        errors=tuple(log.errors[role] for role in task.specs),
        rounds=len(log.rounds),
        seconds=match.seconds,
        finished=log.finished,
    )


def _tidy(spec: str) -> str:
    """Return a spec without surrounding spaces and without a colon at its end, so that a player has one name."""
    check_kind("player", spec, str)
    name, _, options = (part.strip() for part in spec.partition(":"))
    return f"{name}:{options}" if options else name
