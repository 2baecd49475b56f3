"""The bundled games, written by hand, and the way from a name to rules."""

from __future__ import annotations

import re
from difflib import get_close_matches

from veil.errors import fail
from veil.games import facts
from veil.games.family import Family, Instance, Parameter, Value, canonical_name
from veil.games.spec import bind, shown, split_spec

JAIR = "Schofield & Thielscher, General Game Playing with Imperfect Information, JAIR 66 (2019)"

BOARD = (
    Parameter(name="width", default=8, low=2, high=20, meaning="columns of the board"),
    Parameter(name="height", default=8, low=4, high=20, meaning="rows of the board; 4 has one row of pieces per side"),
)

FAMILIES: dict[str, Family] = {
    "monty_hall": Family(
        name="monty_hall",
        summary="Choose a door; the host opens others that hide no car; stay or switch.",
        source=f"{JAIR}, figure 1",
        roles=("random", "contestant"),
        parameters=(Parameter(name="doors", default=3, low=3, high=50, meaning="doors, one of them with the car"),),
        facts=facts.monty_hall,
        rules_file="monty_hall.kif",
    ),
    "exploding_bomb": Family(
        name="exploding_bomb",
        summary="Cut the wire a bomb was armed with; asking which one it was costs 10 of 100 points.",
        source=f"{JAIR}, section 6",
        roles=("random", "agent"),
        rules_file="exploding_bomb.kif",
    ),
    "krieg_tictactoe": Family(
        name="krieg_tictactoe",
        summary="Tic-Tac-Toe without seeing the opponent's marks; a try on a taken cell fails, and one tries again.",
        source=f"{JAIR}, section 4",
        roles=("xplayer", "oplayer"),
        parameters=(Parameter(name="size", default=3, low=3, high=10, meaning="cells per side, and marks in a line"),),
        facts=facts.krieg_tictactoe,
        rules_file="krieg_tictactoe.kif",
    ),
    "blind_breakthrough": Family(
        name="blind_breakthrough",
        summary="Breakthrough without seeing the enemy's pieces; a blocked step is told, and one tries again.",
        source=f"{JAIR}, sections 4 and 5.7",
        roles=("white", "black"),
        parameters=BOARD,
        facts=facts.breakthrough,
        rules_file="blind_breakthrough.kif",
    ),
    "tic_tac_toe": Family(
        name="tic_tac_toe",
        summary="Three in a row on three by three cells; nothing is hidden.",
        source="folklore",
        roles=("xplayer", "oplayer"),
        rules_file="tic_tac_toe.kif",
    ),
    "breakthrough": Family(
        name="breakthrough",
        summary="Step and capture forward; the first piece on the far row wins; nothing is hidden.",
        source="Dan Troyka, 2000",
        roles=("white", "black"),
        parameters=BOARD,
        facts=facts.breakthrough,
        rules_file="breakthrough.kif",
    ),
}


def instantiate(spec: str) -> Instance:
    """The game a text like `krieg_tictactoe(size=4)` names, with its complete rules."""
    name, values = parse_spec(spec)
    family = FAMILIES[name]
    return Instance(name=canonical_name(name, values), family=family, values=values, text=family.text(values))


def parse_spec(text: str) -> tuple[str, dict[str, Value]]:
    """The family's name and the value of every one of its parameters, in their order."""
    name, arguments = split_spec(text)
    family = find_family(name)
    return name, bind(family, arguments)


def find_family(name: str) -> Family:
    """The family of this name."""
    if name in FAMILIES:
        return FAMILIES[name]
    near = get_close_matches(re.sub(r"[\s-]+", "_", name.lower()), FAMILIES)
    raise fail("unknown-game", name=shown(name), near=f"did you mean {' or '.join(near)}? " if near else "")
