"""The players' experiments of the HyperPlay article (Schofield & Thielscher 2019), sections 4, 6 and 7."""

from __future__ import annotations

from typing import Any

import numpy as np

from veil.belief import believe
from veil.engine import Record, load
from veil.lab.papers.article import ARTICLE, HP, SAMPLER_OF, SETTINGS_REMARK, name_columns, say_who_answered
from veil.lab.papers.contests import AGAINST, Contest, compare
from veil.lab.series import play_series
from veil.match import MatchConfig
from veil.report import Report, draw_lines
from veil.search import Answer, MoveTally, NestedPlayers, simulate_moves

CHEAT = "cheat:models=1,playouts={0}"
CHEATING = MatchConfig(allow_cheat=True)
CHEAT_PLAYOUTS = (4, 8, 16, 32, 64, 128, 256, 512)


def monty(seed: int = 0, quick: bool = False) -> Report:
    """Monty Hall: the weights of the worlds make the contestant switch."""
    matches, game = (40 if quick else 1000), load("monty_hall")
    rows: list[tuple[Any, ...]] = []
    for name, theirs, option in (
        ("weights by choice factor", "switches, wins 2/3", ""),
        ("uniform weights", "does not know better", ",weights=uniform"),
    ):
        played = {
            setting: play_series(game, {"contestant": HP.format(10, 20) + option + more}, matches, seed)
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
        remarks=[SETTINGS_REMARK, say_who_answered({name: (series, "contestant") for name, series in played.items()})],
    )


def cheat(seed: int = 0, quick: bool = False) -> Report:
    """HyperPlay against the Cheat, who is shown the true state, over growing resources."""
    matches, resources = (6, (1, 4, 16)) if quick else (100, (1, 2, 4, 8, 16, 32, 64))
    games = {
        "krieg_tictactoe(size=3)": ("xplayer", "oplayer"),
        "blind_breakthrough(width=5, height=5)": ("white", "black"),
    }
    lines: dict[str, list[float]] = {}
    rows: list[tuple[Any, ...]] = []
    steps: list[tuple[Any, ...]] = []
    for name, roles in games.items():
        playouts = CHEAT_PLAYOUTS[0]
        for twice in CHEAT_PLAYOUTS[1 : 3 if quick else None]:
            against = CHEAT.format(twice), CHEAT.format(playouts)
            mean = compare(Contest(name, roles, AGAINST), *against, 6 * matches, seed, CHEATING)[0].mean
            steps.append((name, twice, playouts, str(mean)))
            if mean.known - (mean.half or 0.0) <= 50:  # twice the resources win no more
                break
            playouts = twice
        for models in resources:
            contest, cells = Contest(name, roles, AGAINST), []
            for setting, more in SAMPLER_OF.items():
                spec = HP.format(models, models) + more
                side, _ = compare(contest, spec, CHEAT.format(playouts), matches, seed, CHEATING)
                lines.setdefault(f"{name}, {setting}", []).append(side.mean.known)
                cells += [str(side.mean), side.samplers]
            rows.append((name, models, playouts, *cells))
    return Report(
        name="hyperplay-cheat",
        title="mean goal of HyperPlay against the Cheat, by models and playouts per model",
        source=f"{ARTICLE}, section 4.2; the slides",
        settings={"matches": matches, "seed": seed},
        columns=("game", "models and playouts", "playouts of the Cheat", *name_columns("mean goal", "worlds from")),
        rows=rows,
        remarks=[
            "Theirs are in an appendix that is not among our papers; the slides say that the models are a credible "
            "substitute for the true game and competitive even against a Cheat. 50 would be as good as the Cheat.",
            SETTINGS_REMARK,
        ],
        figures={
            "hyperplay-cheat.png": lambda path: draw_lines(path, resources, lines, "models = playouts", "mean goal")
        },
        parts=[
            Report(
                name="hyperplay-cheat-resources",
                title="Cheat against Cheat with fewer playouts",
                source="the slides: a Cheat is fully resourced when more would not make it better",
                settings={"matches": 6 * matches, "seed": seed},
                columns=("game", "playouts", "against", "mean goal"),
                rows=steps,
            )
        ],
    )


def bomb(seed: int = 0, quick: bool = False) -> Report:
    """Exploding Bomb: what the question is worth to a HyperPlayer and to HyperPlay-II."""
    matches, game = (10 if quick else 200), load("exploding_bomb")
    bag = believe(game, Record("agent").then("noop", []))
    tally = MoveTally(game.machine, 1, bag)
    tally.add(100_000, (seed,))
    nested = NestedPlayers(game.machine, models=10, playouts=20, seed=seed)
    lifted = simulate_moves(nested, 1, bag, game.program.chance, 1000, np.random.default_rng(seed))
    rows: list[tuple[Any, ...]] = []
    for name, spec, values, theirs in (
        ("HyperPlay", "hyperplay:models=100", tally.answer(), (45, 50, "never")),
        ("HyperPlay-II", "hyperplay2:models=20", lifted, (90, 50, "asks")),
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
        remarks=[SETTINGS_REMARK, say_who_answered({name: (series, "agent") for name, series in played.items()})],
    )


def _pairs(values: Answer) -> list[tuple[int, float]]:
    return list(zip(values.moves.tolist(), values.values.tolist(), strict=True))
