"""All bundled games, and the way from a name to rules."""

from __future__ import annotations

from veil.errors import did_you_mean, fail
from veil.games.families.boards import BOARDS
from veil.games.families.cards import CARDS
from veil.games.families.hunts import HUNTS
from veil.games.families.matrix import MATRIX
from veil.games.families.poker import POKER
from veil.games.families.puzzles import PUZZLES
from veil.games.family import POINTS, Family, Instance, Utility, Value, canonical_name
from veil.games.spec import bind, shorten, split_spec
from veil.plugins import Rows

FAMILIES: Rows[Family] = Rows(
    "game", {**MATRIX, **PUZZLES, **BOARDS, **HUNTS, **CARDS, **POKER}, Family, group="veil.games"
)


def instantiate(spec: str) -> Instance:
    """Return the game that a text like `krieg_tictactoe(size=4)` names, with its complete rules."""
    name, values = parse_spec(spec)
    family = FAMILIES[name]
    return Instance(name=canonical_name(name, values), family=family, values=values, text=family.text(values))


def parse_spec(text: str) -> tuple[str, dict[str, Value]]:
    """Return the family's name and the values of all its parameters, in their order."""
    name, arguments = split_spec(text)
    family = find_family(name)
    return name, bind(family, arguments)


def find_utility(game: str) -> Utility:
    """Return the unit in which a game of this name is counted: goals, if it is not in the catalogue."""
    family = FAMILIES.get(game.partition("(")[0])
    return POINTS if family is None else family.utility


def find_family(name: str) -> Family:
    """Return the family of this name. Raises `VeilError` with similar names if there is none."""
    if name in FAMILIES:
        return FAMILIES[name]
    raise fail("unknown-game", name=shorten(name), near=did_you_mean(name, FAMILIES))
