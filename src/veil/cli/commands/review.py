"""`veil review`: facts for the designer of a game, from its rules alone, as text, as a printable page, or as JSON."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import typer

from veil.cli.call import command
from veil.cli.game_call import GameCall
from veil.cli.options import limited_number
from veil.engine import Game, load
from veil.errors import VeilError
from veil.files import check_writable, write_text
from veil.report import Progress, page_as_html, page_as_text
from veil.review import Review, ReviewConfig, compare_reviews, review_game

DEFAULTS = ReviewConfig()
STEPS = 1000  # of the bar
Playouts = Annotated[int, limited_number("playouts", help="Random games.")]
Matches = Annotated[int, limited_number("matches", help="At most this number of matches of each kind.")]
Player = Annotated[str, typer.Option("--player", metavar="SPEC", help="The strong player, if the game is not solved.")]
Other = Annotated[str, typer.Option("--other", metavar="SPEC", help="A weaker player, for comparison.")]
Seconds = Annotated[float, limited_number("seconds", help="About how long all but the random games take.")]
Html = Annotated[str | None, typer.Option("--html", metavar="FILE.html", help="Write the review as a printable page.")]
Compare = Annotated[
    str | None, typer.Option("--compare", metavar="GAME", help="Review this other game too, and show what differs.")
]


@command
def review(
    call: GameCall,
    *,
    html: Html = None,
    compare: Compare = None,
    playouts: Playouts = DEFAULTS.games,
    player: Player = DEFAULTS.player,
    other: Other = DEFAULTS.other,
    matches: Matches = DEFAULTS.matches,
    seconds: Seconds = DEFAULTS.seconds,
) -> None:
    """Review a game: who wins, skill and chance, length, what is hidden, what moves are worth, and slips in the rules.

    Ctrl-C ends the review and prints what is there.
    """
    config = ReviewConfig(games=playouts, player=player, other=other, matches=matches, seconds=seconds)
    if html is not None:
        check_writable(html)
        call.check_output(html, compare)
    old = None if compare is None else load(compare, call.make_limits())
    call.prepare()
    found = _review(call.game, config, call.seed)
    before = None if old is None or found.state == "interrupted" else _review(old, config, call.seed)
    page = found.page() if before is None else compare_reviews(found, before)
    call.warn(*found.findings)
    written: dict[str, Any] = {}
    if html is not None and call.attempt(partial(write_text, html, page_as_html(page))):
        written["html"] = html
    call.answer(
        lambda: found.as_json() | {"page": page.as_json()} | written,
        lambda: page_as_text(page) + (f"\nwritten to {html}" if written else ""),
    )
    if "interrupted" in (found.state, before and before.state):
        raise KeyboardInterrupt


def _review(game: Game, config: ReviewConfig, seed: int) -> Review:
    """Review a game with a display of progress."""
    with Progress(f"reviewing {game.name}") as progress:

        def listen(review: Review | None, task: str, share: float) -> None:
            progress.count(int(STEPS * share), STEPS)
            progress.say(task)

        try:
            return review_game(game, config, seed=seed, listen=listen)
        except VeilError as error:
            raise VeilError(*game.warnings, *error.problems) from None  # they are often the cause
