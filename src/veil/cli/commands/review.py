"""`veil review`: facts for the designer of a game, from its rules alone."""

from __future__ import annotations

from typing import Annotated

import typer

from veil.cli.call import command
from veil.cli.game_call import GameCall
from veil.cli.options import limited_number
from veil.report import Progress
from veil.review import ReviewConfig, review_game

DEFAULTS = ReviewConfig()
Playouts = Annotated[int, limited_number("playouts", help="Random games.")]
Matches = Annotated[int, limited_number("matches", help="Matches between equal players, at most.")]
Player = Annotated[str, typer.Option("--player", metavar="SPEC", help="Who sits in all seats of those matches.")]
Seconds = Annotated[float, limited_number("seconds", help="For beliefs, matches and solving together, about.")]


@command
def review(
    call: GameCall,
    *,
    playouts: Playouts = DEFAULTS.games,
    player: Player = DEFAULTS.player,
    matches: Matches = DEFAULTS.matches,
    seconds: Seconds = DEFAULTS.seconds,
) -> None:
    """Review a game: length and branching, fairness of the seats, what is hidden, and rules that look like slips."""
    config = ReviewConfig(games=playouts, player=player, matches=matches, seconds=seconds)
    call.prepare()
    with Progress(f"reviewing {call.game.name}"):
        found = review_game(call.game, config, seed=call.seed)
    call.warn(*found.findings)
    call.answer(found.as_json, found.as_text)
