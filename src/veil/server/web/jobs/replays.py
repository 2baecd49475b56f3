"""Played matches, in a worker: the cross tables of a store, the matches of a log, and one match on boards."""

from __future__ import annotations

from typing import Any

from veil.engine import Game, Record
from veil.errors import fail
from veil.match import MatchLog, Store, compute_standings, read_logs
from veil.report import standings_as_csv, standings_as_json
from veil.server.web.host.workers import Say
from veil.server.web.jobs.belief_view import tell_belief, track_belief
from veil.server.web.jobs.game_sources import open_game
from veil.server.web.jobs.report_table import tell_moves
from veil.server.web.jobs.scenery import Scenery
from veil.vocabulary import RANDOM

MOST_LISTED = 500  # matches of a log
REFEREE = ""  # the view that sees everything


def open_store(say: Say, path: str) -> dict[str, Any]:
    """Return the cross tables of a tournament, one per game, and all of them as CSV."""
    with Store(path, read_only=True) as store:
        results = store.results()
    games = list(dict.fromkeys(entry.game for entry in results))
    players = list(dict.fromkeys(spec for entry in results for spec in entry.players))
    tables = compute_standings(results, games, players)
    return {
        "matches": len(results),
        "tables": [standings_as_json(table) for table in tables],
        "csv": standings_as_csv(tables),
    }


def open_log(say: Say, path: str) -> dict[str, Any]:
    """Return the matches of a log: the players and the result."""
    logs = read_logs(path)
    return {
        "count": len(logs),
        "matches": [
            {
                "number": number,
                "game": log.game,
                "players": log.players,
                "goals": log.goals,
                "rounds": len(log.rounds),
                "errors": sum(log.errors.values()),
                "finished": log.finished,
            }
            for number, log in enumerate(logs[:MOST_LISTED])
        ],
    }


def replay(say: Say, path: str, number: int, view: str, source: dict[str, Any]) -> dict[str, Any]:
    """Report a match round by round, as the referee saw it, or as a role could know it."""
    logs = read_logs(path)
    if not 0 <= number < len(logs):
        raise fail("no-such-match", name="the file", matches=str(len(logs)), number=number + 1)
    log, game = logs[number], open_game(source)
    if game.fingerprint != log.rules:
        raise fail("studio-other-rules", game=log.game)
    if view not in (REFEREE, *log.players):
        raise fail("unknown-role", role=view, roles=", ".join(log.players))
    for shown in _show_referee(game, log) if view == REFEREE else _show_role(game, log, view):
        say(shown)
    return {"rounds": len(log.rounds), "goals": log.goals, "finished": log.finished, "forfeited": log.forfeited}


def _show_referee(game: Game, log: MatchLog) -> Any:
    """Yield the true position after every round, and the moves, percepts and reports of all roles."""
    scenery, state = Scenery(game), game.initial_state()
    yield {"round": 0, "scene": scenery.show_state(state.fluents)}
    for number, entry in enumerate(log.rounds, 1):
        state, _ = state.play(entry.moves)
        yield {
            "round": number,
            "scene": scenery.show_state(state.fluents),
            "moves": scenery.show_moves(entry.moves),
            "sees": {role: scenery.words(seen) for role, seen in entry.sees.items() if role != RANDOM},
            "errors": entry.errors,
            "thoughts": {role: tell_thought(report) for role, report in entry.reports.items()},
        }


def _show_role(game: Game, log: MatchLog, role: str) -> Any:
    """Return what a role could know after every round, and what it did, saw and thought."""
    scenery, belief = Scenery(game), track_belief(game, role)
    rounds: tuple[tuple[str, frozenset[str]], ...] = ()
    for number in range(len(log.rounds) + 1):
        shown: dict[str, Any] = {"round": number}
        if number:
            entry = log.rounds[number - 1]
            rounds = (*rounds, (entry.moves[role], frozenset(entry.sees[role])))
            belief.follow(Record(role, rounds, log.finished and number == len(log.rounds)))
            shown["moves"] = scenery.show_moves({role: entry.moves[role]})
            shown["sees"] = {role: scenery.words(entry.sees[role])}
            shown["errors"] = {role: entry.errors[role]} if role in entry.errors else {}
            shown["thoughts"] = {role: tell_thought(entry.reports[role])} if role in entry.reports else {}
        known = tell_belief(scenery, belief)
        yield shown | {"scene": known["scene"], "basis": known["basis"], "record": str(Record(role, rounds))}


def tell_thought(report: Any) -> dict[str, Any]:
    """Return a player's report about its move: moves with values and chances, likeliest first, and notes."""
    notes = [
        f"{name.replace('_', ' ')}: {value}"
        for name, value in (report.items() if isinstance(report, dict) else ())
        if isinstance(value, str | int | float | bool)
    ]
    return {"moves": tell_moves(report, first="chance"), "notes": notes}
