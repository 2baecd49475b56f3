"""The infoset explorer: what a role can know after a record that was typed, or taken from a match or a policy."""

from __future__ import annotations

from typing import Any

from veil.belief import explain_record
from veil.engine import Game, Record, parse_record, read_record
from veil.errors import phrase
from veil.server.web.host.workers import Say
from veil.server.web.jobs.belief_view import sort_worlds
from veil.server.web.jobs.game_sources import open_game
from veil.server.web.jobs.scenery import Scenery

MOST_WORLDS = 40  # worlds that are listed
COUNT, SECONDS = 1000, 20.0


def explore(say: Say, source: dict[str, Any], role: str, record: str, sampler: str) -> dict[str, Any]:
    """Return the belief of a role: its board, and the likeliest worlds with their histories."""
    game = open_game(source)
    told = read_told(game, role, record)
    bag = sort_worlds(explain_record(game, told, sampler, count=COUNT, seconds=SECONDS))
    scenery = Scenery(game)
    size = bag.size if bag.exact and bag.size is not None else len(bag)
    return {
        "record": scenery.tell(told),
        "scene": scenery.show_belief(bag.marginals()),
        "basis": phrase("studio-exact" if bag.exact else "studio-sampled", count=size, sampler=bag.sampler),
        "count": size,
        "worlds": [
            {
                "chance": float(bag.weights[number]),
                "history": [scenery.show_moves(joint) for joint in bag.history(number)],
            }
            for number in range(min(len(bag), MOST_WORLDS))
        ],
    }


def read_told(game: Game, role: str, text: str) -> Record:
    """Read a record from JSON, or from one line of words: `noop: (card king); bet`."""
    spelled = game.role_name(role)
    if text.lstrip().startswith(("[", "{")):
        return read_record(game, spelled, text)
    return parse_record(spelled, text)
