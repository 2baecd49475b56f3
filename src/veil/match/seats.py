"""The players of the roles. Seats are checked before a match, with the needs that the table of players declares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from veil.engine import Game, has_percepts, open_moves
from veil.errors import fail
from veil.match.config import MatchConfig
from veil.players import (
    NO_FILES,
    PERSON,
    PLAYERS,
    TRUE_STATE,
    Files,
    MaySeeAllMoves,
    Person,
    Player,
    find_needs,
    needs_of_spec,
)
from veil.vocabulary import RANDOM

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineup:
    """The players of a match, by role in the order of the rules."""

    specs: Mapping[str, str]  # of every player; for a ready-made player only a name
    instances: Mapping[str, Player] = field(default_factory=dict)  # ready-made players
    person: Person | None = None  # answers for the players that need a person
    files: Files = field(default_factory=lambda: NO_FILES)  # of players; other files are read from disk


def players_of(game: Game) -> list[str]:
    """Return the roles that need a player: all but `random`, in the order of the rules."""
    return [role for role in game.roles if role != RANDOM]


def name_roles(game: Game, seats: Mapping[str, T]) -> dict[str, T]:
    """Return the seats with roles spelled as in the rules. Refuse unknown roles, and roles that are named twice."""
    named: dict[str, T] = {}
    for role, value in seats.items():
        name = game.rules.show(game.role_term(role))
        if name in named:
            raise fail("bad-seat", what=f"{name} is named twice")
        named[name] = value
    return named


def order_seats(game: Game, seats: Mapping[str, T]) -> dict[str, T]:
    """Return the seats in the order of the rules. Refuse unless there is one for every role but `random`."""
    named = name_roles(game, seats)
    if RANDOM in named:
        raise fail("bad-seat", what="random is played by the referee")
    missing = [role for role in players_of(game) if role not in named]
    if missing:
        raise fail("bad-seat", what=f"nobody plays {' and '.join(missing)}")
    return {role: named[role] for role in players_of(game)}


def fit_game(game: Game, specs: Iterable[str]) -> Game:
    """Return the game as these players can play it.

    If one of them is a GDL-I player (a remote player of dialect A) and the rules define no percepts, the rules are read
    as GDL-I: every role sees all moves.
    """
    configs = [PLAYERS.parse(spec).config for spec in specs]
    needs_all_moves = any(isinstance(config, MaySeeAllMoves) and config.is_told_all_moves for config in configs)
    return open_moves(game) if needs_all_moves and not has_percepts(game) else game


def check_seats(
    game: Game, specs: Mapping[str, str], config: MatchConfig, instances: Mapping[str, Player] | None = None
) -> dict[str, str]:
    """Return role -> spec for every role but `random`, in the order of the rules. Refuse missing, extra or bad seats.

    Roles with a ready-made player need no spec; if they have one, it is only a name.
    """
    instances = name_roles(game, instances or {})
    names = {role: type(player).__name__ for role, player in instances.items()}
    seats = order_seats(game, names | name_roles(game, specs))
    if instances and config.isolated:
        raise fail("bad-seat", what="a player that is made already cannot move into a process of its own")
    for role, spec in seats.items():
        if role in instances:
            check_needs(find_needs(instances[role]), config)
        else:
            _check_spec(spec, config)
    return seats


def _check_spec(spec: str, config: MatchConfig) -> None:
    name, needs = PLAYERS.parse(spec).name, needs_of_spec(spec)
    check_needs(needs, config)
    if config.isolated and needs & {TRUE_STATE, PERSON}:
        raise fail("bad-seat", what=f"{name} cannot play in a process of its own")


def check_needs(needs: frozenset[str], config: MatchConfig) -> None:
    """Refuse a player that needs the true state if the match does not allow it."""
    if TRUE_STATE in needs and not config.allow_cheat:
        raise fail("no-cheating")
