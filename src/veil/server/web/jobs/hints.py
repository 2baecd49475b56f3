"""Hints and judgements: a searcher's values of the moves, from what the role was told and nothing else.

A hint is one search at the current record. A judgement, after the game, is a search at every decision of the person:
the value of the played move, and the value of the best move.
"""

from __future__ import annotations

from typing import Any

from veil.boards import read_wording
from veil.engine import Game, Record
from veil.errors import fail
from veil.players import LEGAL_MOVES, Seat, ask_advice, needs_of_spec
from veil.server.web.host.browser_players import check_players
from veil.server.web.host.sessions import read_session
from veil.server.web.host.workers import Say
from veil.server.web.jobs.game_session import find_record, open_stored
from veil.server.web.jobs.report_table import tell_moves

SEED = 0  # fixed for all games: a hint must not depend on hidden facts
REASONS = ("method", "worlds", "exact", "sampler", "playouts", "states_visited", "opponents", "note")


def hint(say: Say, path: str, source: dict[str, Any], role: str, player: str, seconds: float) -> dict[str, Any]:
    """Return the values of the person's moves, by a searcher of the spec `player` that thinks for `seconds` seconds."""
    check_players({"hint": player})
    session = read_session(path)
    game = open_stored(session, source)
    return think(game, find_record(session, role), player, seconds)


def think(game: Game, record: Record, player: str, seconds: float) -> dict[str, Any]:
    """Return what a player thinks of its moves after a record: moves with values and strategy, best first, and why."""
    if LEGAL_MOVES in needs_of_spec(player):  # it plays without thinking
        raise fail("studio-no-player", spec=player, what="it gives no reasons")
    seat = Seat(game=game, role=record.role, seed=SEED, play_seconds=seconds)
    move, report = ask_advice(player, seat, record)
    return {
        "player": player,
        "round": len(record.rounds),
        "move": move,
        "moves": tell_moves(report, "value", read_wording(game.rules.source.text)),
        "reason": {name: report[name] for name in REASONS if name in report},
    }


def judge(say: Say, path: str, source: dict[str, Any], role: str, player: str, seconds: float) -> dict[str, Any]:
    """Report every decision of the person with the value that it lost. Only the record of the person is used."""
    check_players({"judge": player})
    session = read_session(path)
    game = open_stored(session, source)
    record, wording = find_record(session, role), read_wording(game.rules.source.text)
    lost = 0.0
    for number, (own_move, _) in enumerate(record.rounds):
        verdict = think(game, Record(record.role, record.rounds[:number]), player, seconds)
        valued = {entry["move"]: entry["value"] for entry in verdict["moves"] if entry["value"] is not None}
        if len(valued) < 2 or own_move not in valued:
            continue
        best = max(valued, key=lambda move: valued[move])
        loss = max(0.0, valued[best] - valued[own_move])
        lost += loss
        say(
            {
                "round": number + 1,
                "move": wording.move(own_move),
                "value": valued[own_move],
                "best": wording.move(best),
                "best_value": valued[best],
                "loss": loss,
                "reason": verdict["reason"],
            }
        )
    return {"lost": lost}
