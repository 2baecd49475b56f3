"""Puzzles: someone hides a thing, and others find out; little to play, much to know."""

from __future__ import annotations

from veil.games.facts import numbered, successors
from veil.games.family import Family, Parameter
from veil.games.sources import JAIR


def monty_hall_facts(doors: int) -> list[str]:
    """The doors, and a round for hiding, for each door that opens, for the decision, and the end."""
    return [
        *numbered("door", 1, doors),
        *successors("succ", doors + 1),
        *numbered("opening_round", 2, doors - 1),
        f"(last_round {doors})",
        f"(end_round {doors + 1})",
    ]


PUZZLES: dict[str, Family] = {
    "monty_hall": Family(
        name="monty_hall",
        summary="Choose a door; the host opens others that hide no car; stay or switch.",
        source=f"{JAIR}, figure 1",
        roles=("random", "contestant"),
        moves="in turn",
        parameters=(Parameter(name="doors", default=3, low=3, high=50, meaning="doors, one of them with the car"),),
        small={"doors": 3},
        full={"doors": 50},
        facts=monty_hall_facts,
        rules_file="monty_hall.kif",
    ),
    "exploding_bomb": Family(
        name="exploding_bomb",
        summary="Cut the wire a bomb was armed with; asking which one it was costs 10 of 100 points.",
        source=f"{JAIR}, section 6",
        roles=("random", "agent"),
        moves="in turn",
        rules_file="exploding_bomb.kif",
    ),
}
