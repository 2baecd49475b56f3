"""Played matches, in a worker: the cross tables of a store, the matches of a log, and one match on boards."""

from __future__ import annotations

from typing import Any

from veil.boards import Wording
from veil.engine import Game, Record
from veil.errors import did_you_mean, fail
from veil.match import (
    MatchLog,
    Store,
    TournamentTables,
    compute_standings,
    parse_logs,
    rank_players,
    read_logs,
)
from veil.server.web.host.workers import Say
from veil.server.web.jobs.belief_view import tell_belief, track_belief
from veil.server.web.jobs.contests import tell_tables
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
    return tell_tables(TournamentTables(len(results), tables, rank_players(results, tables)))


def list_cell(say: Say, path: str, game: str, player: str, against: str) -> dict[str, Any]:
    """Return the matches of a cell of a cross table, and whether each can be replayed; without `against`, of a row."""
    with Store(path, read_only=True) as store:
        chosen = [
            entry
            for entry in store.results()
            if entry.game == game and player in entry.players and _has_met(entry.players, player, against)
        ]
        return {
            "count": len(chosen),
            "matches": [
                {
                    "number": entry.number,
                    "game": entry.game,
                    "seats": list(entry.players),
                    "goals": list(entry.goals),
                    "rounds": entry.rounds,
                    "errors": sum(entry.errors),
                    "finished": entry.finished,
                    "kept": store.find_log(*entry.key) is not None,
                }
                for entry in sorted(chosen, key=lambda entry: (entry.number, entry.players))[:MOST_LISTED]
            ],
        }


def _has_met(players: tuple[str, ...], player: str, against: str) -> bool:
    """Return whether a player has met another one, or itself, in a match."""
    return not against or (players.count(player) > 1 if against == player else against in players)


def replay_kept(say: Say, path: str, match: dict[str, Any], view: str, source: dict[str, Any]) -> dict[str, Any]:
    """Report a match of a store round by round; `match` is its game, seats and number."""
    with Store(path, read_only=True) as store:
        text = store.find_log(match["game"], tuple(match["seats"]), match["number"])
    if text is None:
        raise fail("no-such-match", name="the store", matches="no log of this match", number=match["number"] + 1)
    (log,) = parse_logs("the store", text)
    say({"roles": list(log.players)})
    return _replay_log(say, log, view, source)


def open_log(say: Say, path: str) -> dict[str, Any]:
    """Return the matches of a log: the players and the result."""
    return _list_matches(read_logs(path))


def open_text(say: Say, name: str, text: str) -> dict[str, Any]:
    """Return the matches of the text of a log; `name` is for messages."""
    return _list_matches(parse_logs(name, text))


def _list_matches(logs: list[MatchLog]) -> dict[str, Any]:
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
    return _replay_one(say, read_logs(path), number, view, source)


def replay_text(say: Say, name: str, text: str, number: int, view: str, source: dict[str, Any]) -> dict[str, Any]:
    """Report a match of the text of a log in the same way."""
    return _replay_one(say, parse_logs(name, text), number, view, source)


def _replay_one(say: Say, logs: list[MatchLog], number: int, view: str, source: dict[str, Any]) -> dict[str, Any]:
    if not 0 <= number < len(logs):
        raise fail("no-such-match", name="the file", matches=str(len(logs)), number=number + 1)
    return _replay_log(say, logs[number], view, source)


def _replay_log(say: Say, log: MatchLog, view: str, source: dict[str, Any]) -> dict[str, Any]:
    game = open_game(source)
    if game.fingerprint != log.rules:
        raise fail("studio-other-rules", game=log.game)
    if view not in (REFEREE, *log.players):
        raise fail("unknown-role", role=view, roles=", ".join(log.players), near=did_you_mean(view, log.players))
    for shown in _show_referee(game, log) if view == REFEREE else _show_role(game, log, view):
        say(shown)
    return {"rounds": len(log.rounds), "goals": log.goals, "finished": log.finished, "forfeited": log.forfeited}


def _show_referee(game: Game, log: MatchLog) -> Any:
    """Yield the true position after every round, and the moves, percepts and reports of all roles."""
    scenery, state = Scenery(game), game.initial_state()
    yield {"round": 0, "scene": scenery.show_state(state.fluents)}
    for number, entry in enumerate(log.rounds, 1):
        before = state
        state, _ = state.play(entry.moves)
        yield {
            "round": number,
            "scene": scenery.show_state(state.fluents),
            "moves": scenery.show_moves(entry.moves, before),
            "sees": {role: scenery.words(seen) for role, seen in entry.sees.items() if role != RANDOM},
            "errors": entry.errors,
            "thoughts": {role: tell_thought(report, scenery.wording) for role, report in entry.reports.items()},
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
            shown["thoughts"] = (
                {role: tell_thought(entry.reports[role], scenery.wording)} if role in entry.reports else {}
            )
        known = tell_belief(scenery, belief)
        yield shown | {"scene": known["scene"], "basis": known["basis"], "record": str(Record(role, rounds))}


def tell_thought(report: Any, wording: Wording) -> dict[str, Any]:
    """Return a player's report about its move: moves with values and chances, likeliest first, and notes."""
    notes = [
        f"{name.replace('_', ' ')}: {value}"
        for name, value in (report.items() if isinstance(report, dict) else ())
        if isinstance(value, str | int | float | bool)
    ]
    return {"moves": tell_moves(report, "chance", wording), "notes": notes}
