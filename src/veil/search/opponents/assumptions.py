"""The assumptions under which a belief is shown to people: how the others are taken to play.

| assumption | the others ... | row of `OPPONENTS` |
|---|---|---|
| `random` | move at random | `uniform` |
| `best` | play like `best` | `best` |
| `equilibrium` | play an equilibrium of the whole game, which has to fit | `solve` |

A spec of any other row of `OPPONENTS` may stand where an assumption is named.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from veil.belief import COUNT, GameBag, Opponents, believe as believe_with
from veil.engine import Game, Record, as_game
from veil.errors import phrase
from veil.search.opponents.table import UNIFORM, make_opponents


class Assumption(NamedTuple):
    """The opponents behind the name of an assumption, and the phrase that tells people about it."""

    spec: str
    phrase: str


RANDOM_PLAY, BEST_PLAY, EQUILIBRIUM = "random", "best", "equilibrium"
ASSUMPTIONS = {
    RANDOM_PLAY: Assumption(UNIFORM, "if-others-random"),
    BEST_PLAY: Assumption("best", "if-others-best"),
    EQUILIBRIUM: Assumption("solve", "if-others-equilibrium"),
}


def describe_assumption(name: str) -> str:
    """Return a text such as "if the others move at random" for an assumption or a spec of opponents."""
    named = next((entry for word, entry in ASSUMPTIONS.items() if name in (word, entry.spec)), None)
    return phrase("if-others-are", spec=name) if named is None else phrase(named.phrase)


def choose_assumption(game: Game) -> str:
    """Return the usual assumption for a game: `best` where the whole game is solved for it, otherwise `random`.

    There are two reasons for `random` in larger games: it costs no search, and the searches for `best` cover only a
    part of the records.
    """
    from veil.equilibrium import estimate_tree  # imports numba
    from veil.search.opponents.best import BestOpponentsConfig  # imports numba

    return RANDOM_PLAY if estimate_tree(game).exceeds(BestOpponentsConfig().whole) else BEST_PLAY


def assume_opponents(name: str, game: Game, seed: int = 0) -> Opponents | None:
    """Return the opponents of an assumption, or of a spec of `OPPONENTS`; None if they move at random.

    Raises `VeilError` for an unknown name, and if the whole game has to be solved and does not fit.
    """
    return make_opponents(ASSUMPTIONS[name].spec if name in ASSUMPTIONS else name, game, seed)


def believe(
    game: Game | str | os.PathLike[str],
    record: Record,
    sampler: str = "auto",
    *,
    count: int = COUNT,
    seed: int = 0,
    seconds: float | None = None,
    opponents: Opponents | str | None = RANDOM_PLAY,
) -> GameBag:
    """Return the worlds that explain a record. Raises `VeilError` with the round if none is found.

    `opponents` say how the others play: `"random"`, `"best"`, `"equilibrium"`, a spec of the table of opponents, or a
    function of your own.
    """
    game = as_game(game)
    model = assume_opponents(opponents, game, seed) if isinstance(opponents, str) else opponents
    return believe_with(game, record, sampler, count=count, seed=seed, seconds=seconds, opponents=model)
