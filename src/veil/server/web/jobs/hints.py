"""Hints and judgements: what a searcher thinks of the moves, given what the role was told and nothing else.

A hint is one search at the record as it stands. A judgement, when the game is over, is a search at every decision of
the person: what the move was worth that was played, and what the best one was worth.
"""

from __future__ import annotations

from typing import Any

from veil.boards import in_words
from veil.engine import Game, Record
from veil.errors import fail
from veil.players import HearsRounds, Observation, Seat, make_player
from veil.server.web.host.browser_players import check_players
from veil.server.web.host.sessions import StudioSession, read_session
from veil.server.web.host.workers import Say
from veil.server.web.jobs.game_session import open_stored
from veil.server.web.jobs.report_table import tell_moves

SEED = 0  # the same for every game: a hint must not depend on what is hidden
REASONS = ("worlds", "exact", "sampler", "playouts", "states_visited", "opponents", "note")


def record_of_person(session: StudioSession) -> Record:
    """What the person's role was told: all that a hint may use."""
    rounds = tuple((entry.moves[session.role], frozenset(entry.sees[session.role])) for entry in session.rounds)
    return Record(session.role, rounds)


def hint(say: Say, path: str, source: dict[str, Any], player: str, seconds: float) -> dict[str, Any]:
    """The values of the person's moves, by a searcher of this spec that thinks for so long."""
    check_players({"hint": player})
    session = read_session(path)
    game = open_stored(session, source)
    return think(game, record_of_person(session), player, seconds)


def think(game: Game, record: Record, player: str, seconds: float) -> dict[str, Any]:
    """What a player thinks of its moves after a record: moves with values and strategy, best first, and why."""
    thinker = make_player(player)
    thinker.start(Seat(game=game, role=record.role, seed=SEED, play_seconds=seconds))
    if not isinstance(thinker, HearsRounds):
        raise fail("studio-no-player", spec=player, what="it gives no reasons")
    observations = [Observation(*entry) for entry in record.rounds]
    for observation in observations[:-1]:
        thinker.hear(observation)
    move = thinker.play(observations[-1] if observations else None)
    report = thinker.report()
    return {
        "player": player,
        "round": len(record.rounds),
        "move": move,
        "moves": tell_moves(report, first="value"),
        "reason": {name: report[name] for name in REASONS if name in report},
    }


def judge(say: Say, path: str, source: dict[str, Any], player: str, seconds: float) -> dict[str, Any]:
    """Where the person lost value: every decision, as it is judged; only when the game is over."""
    check_players({"judge": player})
    session = read_session(path)
    game = open_stored(session, source)
    record = record_of_person(session)
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
                "move": in_words(own_move),
                "value": valued[own_move],
                "best": in_words(best),
                "best_value": valued[best],
                "loss": loss,
                "reason": verdict["reason"],
            }
        )
    return {"lost": lost}
