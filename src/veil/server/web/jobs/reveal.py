"""The end of a game: the truth round by round, beside what the person could have known."""

from __future__ import annotations

from typing import Any

from veil.belief import BeliefTracker
from veil.engine import Record, State
from veil.errors import fail
from veil.server.web.host.workers import Say
from veil.server.web.jobs.belief_view import tell_belief, track_belief
from veil.server.web.jobs.game_session import PlayedGame
from veil.server.web.jobs.scenery import Scenery
from veil.vocabulary import RANDOM


def reveal(say: Say, path: str, source: dict[str, Any], role: str) -> dict[str, Any]:
    """Report all rounds: the truth, all moves, percepts and reports, and the belief of the person.

    Raises `VeilError` before the end of the game.
    """
    played = PlayedGame(path, source)
    played.role = role or played.role
    if not played.is_over:
        raise fail("studio-not-over")
    game, scenery = played.scenery.game, played.scenery
    belief = track_belief(game, played.role)
    state = game.initial_state()
    say(_show_round(scenery, belief, 0, state.fluents, None))
    record = played.record
    for number, entry in enumerate(played.match.log.rounds, 1):
        before = state
        state, _ = state.play(entry.moves)
        belief.follow(Record(record.role, record.rounds[:number], record.over and number == len(record.rounds)))
        say(_show_round(scenery, belief, number, state.fluents, entry, before))
    return {"rounds": len(record.rounds)}


def _show_round(
    scenery: Scenery, belief: BeliefTracker, number: int, fluents: list[str], entry: Any, before: State | None = None
) -> dict[str, Any]:
    """Return the position after a round, as it was and as it could be known."""
    known = tell_belief(scenery, belief)
    shown: dict[str, Any] = {"round": number, "truth": scenery.show_state(fluents), "known": known}
    if entry is not None:
        shown["moves"] = scenery.show_moves(entry.moves, before)
        shown["sees"] = {role: scenery.words(seen) for role, seen in entry.sees.items() if role != RANDOM}
        shown["thoughts"] = {role: report for role, report in entry.reports.items() if report}
    return shown
