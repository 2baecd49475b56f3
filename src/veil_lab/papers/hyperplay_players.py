"""The players' experiments of the HyperPlay article (Schofield & Thielscher 2019), sections 4, 6 and 7."""

from __future__ import annotations

from typing import Any

import numpy as np

from veil.belief import Bag, believe
from veil.engine import Game, Record, load
from veil.report import Report
from veil.search import Answer, MoveTally, NestedPlayers, NestedSampler, simulate_moves
from veil_lab.papers.article import (
    ARTICLE,
    HP,
    MEMO_INSIDE,
    PRINTED_INSIDE,
    SAMPLER_OF,
    SETTINGS_REMARK,
    name_columns,
    say_size,
    say_who_answered,
)
from veil_lab.series import play_series

MONTY_MATCHES, BOMB_MATCHES = (1000, 40), (200, 10)  # full, quick


def monty(seed: int = 0, quick: bool = False) -> Report:
    """Return the results in Monty Hall: the weights of the worlds make the contestant switch."""
    matches, game = MONTY_MATCHES[quick], load("monty_hall")
    rows: list[tuple[Any, ...]] = []
    for name, theirs, option in (
        ("weights by choice factor", "switches, wins 2/3", ""),
        ("uniform weights", "does not know better", ",weights=uniform"),
    ):
        played = {
            setting: play_series(game, {"contestant": HP.format(100, 20) + option + more}, matches, seed)
            for setting, more in SAMPLER_OF.items()
        }
        cells = [
            cell
            for series in played.values()
            for cell in (f"{100 * series.share('contestant', 'switch'):.1f} %", str(series.mean("contestant")))
        ]
        rows.append((name, theirs, *cells))
    return Report(
        name="hyperplay-monty",
        title="Monty Hall with and without the weights of equations (3) to (8)",
        source=f"{ARTICLE}, sections 3.5 and 4.2",
        settings={"matches": matches, "seed": seed},
        columns=("models weighted", "theirs", *name_columns("switches", "wins, %")),
        rows=rows,
        remarks=[
            *say_size(quick, matches=MONTY_MATCHES[::-1]),
            SETTINGS_REMARK,
            say_who_answered({name: (series, "contestant") for name, series in played.items()}),
        ],
    )


def bomb(seed: int = 0, quick: bool = False) -> Report:
    """Return the results in Exploding Bomb: the value of the question to HyperPlay and to HyperPlay-II."""
    matches, game = BOMB_MATCHES[quick], load("exploding_bomb")
    bag = believe(game, Record("agent").then("noop", []))
    tally = MoveTally(game.machine, 1, bag)
    tally.add(100_000, (seed,))
    memo, printed = (_simulate(game, bag, seed, printed=choice) for choice in (False, True))
    rows: list[tuple[Any, ...]] = []
    for name, spec, values, theirs in (
        ("HyperPlay", "hyperplay:models=100", tally.answer(), (45, 50, "never")),
        ("HyperPlay-II, memo", f"hyperplay2:models=20{MEMO_INSIDE}", memo, (90, 50, "asks")),
        ("HyperPlay-II, as printed", f"hyperplay2:models=20{PRINTED_INSIDE}", printed, (90, 50, "asks")),
    ):
        ours = {game.names.moves[1][move]: value for move, value in _pairs(values)}
        played = {
            setting: play_series(game, {"agent": spec + more}, matches, seed) for setting, more in SAMPLER_OF.items()
        }
        cells = [
            cell
            for series in played.values()
            for cell in (f"{100 * series.share('agent', 'ask'):.0f} %", str(series.mean("agent")))
        ]
        rows.append((name, theirs[0], round(ours["ask"], 1), theirs[1], round(ours["wait"], 1), theirs[2], *cells))
    return Report(
        name="hyperplay2-bomb",
        title="Exploding Bomb: the values of asking and waiting",
        source=f"{ARTICLE}, section 6, example 2",
        settings={"matches": matches, "seed": seed},
        columns=("player", "ask: theirs", "ours", "wait: theirs", "ours", "theirs", *name_columns("asks", "mean goal")),
        rows=rows,
        remarks=[
            *say_size(quick, matches=BOMB_MATCHES[::-1]),
            f"{SETTINGS_REMARK} As printed: nested_sampler=hyperplay,memo=false.",
            say_who_answered({name: (series, "agent") for name, series in played.items()}),
        ],
    )


def _simulate(game: Game, bag: Bag, seed: int, *, printed: bool) -> Answer:
    """Return the agent's values by a thousand simulations per move and world."""
    sampler: NestedSampler = "hyperplay" if printed else "states"
    nested = NestedPlayers(game.machine, models=10, playouts=20, seed=seed, sampler=sampler, memo=not printed)
    return simulate_moves(nested, 1, bag, game.program.chance, 1000, np.random.default_rng(seed))


def _pairs(values: Answer) -> list[tuple[int, float]]:
    return list(zip(values.moves.tolist(), values.values.tolist(), strict=True))
