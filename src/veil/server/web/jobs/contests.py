"""A tournament that somebody started in the browser, in a worker: play its matches, and report its tables meanwhile."""

from __future__ import annotations

import os
from time import perf_counter
from typing import Any

from veil.games import find_utility
from veil.match import MatchConfig, Store, TournamentConfig, TournamentTables, make_tables, play_matches
from veil.report import ranking_as_json, standings_as_csv, standings_as_json
from veil.server.web.host.workers import Say
from veil.server.web.jobs.game_sources import open_game

NICENESS = 10  # people who play come first
PAUSE, SHARE = 1.0, 10.0  # seconds between two reports; and a multiple of what the last one took
ROUNDS = 2000  # of a match


def play_contest(say: Say, path: str, sources: list[dict[str, Any]], settings: dict[str, Any]) -> dict[str, Any]:
    """Play a tournament; report how many matches are over, and the tables so far. Return them at the end.

    `settings` are players, matches, seconds per move, processes, seed, and whether players are isolated.
    """
    os.nice(NICENESS)
    config = TournamentConfig(
        games=tuple(open_game(source) for source in sources),
        players=tuple(settings["players"]),
        matches=settings["matches"],
        seed=settings["seed"],
        match=MatchConfig(
            play_seconds=settings["seconds"],
            start_seconds=settings["seconds"],
            max_rounds=ROUNDS,
            isolated=settings["isolated"],
            strangers=settings["isolated"],
            max_memory=settings["memory"],
            reports=True,
        ),
    )
    with Store(path) as store:
        next_report = perf_counter()

        def note(done: int, total: int) -> None:
            nonlocal next_report
            begun = perf_counter()
            if begun >= next_report:
                tables = make_tables(config, store) if done else None
                say({"done": done, "total": total} | tell_tables(tables))
                now = perf_counter()
                next_report = now + max(PAUSE, SHARE * (now - begun))

        tables = play_matches(config, store, jobs=settings["jobs"], progress=note, logs=True)
    return {"done": tables.matches, "total": tables.matches} | tell_tables(tables)


def tell_tables(tables: TournamentTables | None) -> dict[str, Any]:
    """Return tables and ranking as plain data."""
    if tables is None:
        return {"matches": 0, "tables": [], "ranking": None, "csv": ""}
    return {
        "matches": tables.matches,
        "tables": [standings_as_json(table) | {"unit": _tell_unit(table.game)} for table in tables.standings],
        "ranking": None if tables.ranking is None else ranking_as_json(tables.ranking),
        "csv": standings_as_csv(tables.standings),
    }


def _tell_unit(game: str) -> str:
    """Return how goals become chips in a game of the catalogue that is counted in them; empty for other games."""
    utility = find_utility(game)
    return utility.in_words() if utility.is_told else ""
