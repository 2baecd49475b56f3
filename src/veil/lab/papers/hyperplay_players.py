"""The players' experiments of the HyperPlay article (Schofield & Thielscher 2019), sections 4, 6 and 7."""

from __future__ import annotations

from typing import Any

import numpy as np

from veil.belief import believe
from veil.engine import Game, Record, load
from veil.lab.papers.article import ARTICLE
from veil.lab.series import play_series
from veil.match import MatchConfig, Mean, mean_of
from veil.report import Report, draw_lines
from veil.search import Answer, MoveTally, NestedPlayers, simulate_moves

ITS = "its:iterations={0},seed=0"  # players with one seed share a convention
CHEAT = "cheat:models=1,playouts={0}"
CHEAT_PLAYOUTS = (4, 8, 16, 32, 64, 128, 256, 512)
HP, HP2 = (
    "hyperplay:models={0},playouts={1}",
    "hyperplay2:models={0},simulations={1},nested_models={0},nested_playouts={1}",
)


def monty(seed: int = 0, quick: bool = False) -> Report:
    """Monty Hall: the weights of the worlds make the contestant switch."""
    matches, game = (40 if quick else 1000), load("monty_hall")
    rows: list[tuple[Any, ...]] = []
    for name, theirs, spec in (
        ("weights by choice factor", "switches, wins 2/3", "hyperplay:models=10,playouts=20"),
        ("uniform weights", "does not know better", "hyperplay:models=10,playouts=20,weights=uniform"),
    ):
        series = play_series(game, {"contestant": spec}, matches, seed)
        rows.append(
            (name, theirs, f"{100 * series.share('contestant', 'switch'):.1f} %", str(series.mean("contestant")))
        )
    return Report(
        name="hyperplay-monty",
        title="Monty Hall with and without the weights of equations (3) to (8)",
        source=f"{ARTICLE}, sections 3.5 and 4.2",
        settings={"matches": matches, "seed": seed},
        columns=("models weighted", "theirs", "ours: switches", "ours: wins, %"),
        rows=rows,
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
        game, playouts = load(name), CHEAT_PLAYOUTS[0]
        for more in CHEAT_PLAYOUTS[1 : 3 if quick else None]:
            mean = _both_seats(game, roles, CHEAT.format(more), CHEAT.format(playouts), 6 * matches, seed)
            steps.append((name, more, playouts, str(mean)))
            if mean.known - (mean.half or 0.0) <= 50:  # twice the resources win no more
                break
            playouts = more
        lines[name] = []
        for models in resources:
            mean = _both_seats(game, roles, HP.format(models, models), CHEAT.format(playouts), matches, seed)
            lines[name].append(mean.known)
            rows.append((name, models, playouts, str(mean)))
    return Report(
        name="hyperplay-cheat",
        title="mean goal of HyperPlay against the Cheat, by models and playouts per model",
        source=f"{ARTICLE}, section 4.2; the slides",
        settings={"matches": matches, "seed": seed},
        columns=("game", "models and playouts", "playouts of the Cheat", "ours: mean goal"),
        rows=rows,
        remarks=[
            "Theirs are in an appendix that is not among our papers; the slides say that the models are a credible "
            "substitute for the true game and competitive even against a Cheat. 50 would be as good as the Cheat.",
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


def _both_seats(game: Game, roles: tuple[str, str], spec: str, against: str, matches: int, seed: int) -> Mean:
    """The mean goal of a player over so many matches, half of them in either seat; two with one seed count as one."""
    goals: list[list[int]] = []
    for role, other in (roles, roles[::-1]):
        series = play_series(game, {role: spec, other: against}, matches // 2, seed, MatchConfig(allow_cheat=True))
        goals.append([log.goals[role] for log in series.logs])
    return mean_of(np.mean(goals, axis=0).tolist())


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
        ("HyperPlay", "hyperplay", tally.answer(), (45, 50, "never")),
        ("HyperPlay-II", "hyperplay2", lifted, (90, 50, "asks")),
    ):
        ours = {game.names.moves[1][move]: value for move, value in _pairs(values)}
        series = play_series(game, {"agent": spec}, matches, seed)
        asks = f"{100 * series.share('agent', 'ask'):.0f} %"
        rows.append(
            (
                name,
                theirs[0],
                round(ours["ask"], 1),
                theirs[1],
                round(ours["wait"], 1),
                theirs[2],
                asks,
                str(series.mean("agent")),
            )
        )
    return Report(
        name="hyperplay2-bomb",
        title="Exploding Bomb: the values of asking and waiting",
        source=f"{ARTICLE}, section 6, example 2",
        settings={"matches": matches, "seed": seed},
        columns=("player", "ask: theirs", "ours", "wait: theirs", "ours", "theirs", "asks", "mean goal"),
        rows=rows,
    )


def lifted_games(seed: int = 0, quick: bool = False) -> Report:
    """HyperPlay-II against HyperPlay at equal resources, and Iterative Tree Search beside both."""
    matches, models, runs = (4, 5, 5) if quick else (100, 10, 10)
    hyper, hyper2 = HP.format(models, runs), HP2.format(models, runs)
    rows: list[tuple[Any, ...]] = []
    for name, role in (("number_guessing(max=16, turns=10)", "guesser"),):
        game = load(name)
        means = [play_series(game, {role: spec}, matches, seed).mean(role) for spec in (hyper, hyper2)]
        rows.append((name, "alone", *map(str, means), "-", "HP-II better"))
    for name, roles in (
        ("battleships_in_fog(size=3)", ("red", "blue")),
        ("hidden_connect(size=3, line=3)", ("red", "blue")),
        ("krieg_tictactoe(size=3)", ("xplayer", "oplayer")),
    ):
        lifted = _both_seats(load(name), roles, hyper2, hyper, max(4, matches // 2), seed)
        rows.append((name, "against each other", f"{100 - lifted.known:.1f}", str(lifted), "-", "HP-II better"))
    for name, roles, theirs in (
        ("cooperative_spies", ("spy1", "spy2"), "chance level"),
        ("extended_cutting_wire", ("teller", "cutter"), "HP-II tells at once: 80; ITS waits: 90"),
    ):
        game, teams = load(name), (hyper, hyper2, ITS.format(1000))
        means = [play_series(game, dict.fromkeys(roles, spec), matches, seed).mean(roles[0]) for spec in teams]
        rows.append((name, "as a team", *map(str, means), theirs))
    game = load("banker_and_thief(banks=2, notes=10)")
    shown = []
    for spec in (hyper, hyper2, ITS.format(20_000)):
        series = play_series(game, {"banker": spec, "thief": ITS.format(20_000)}, max(4, matches // 2), seed)
        shown.append(f"{series.mean('banker')}, {series.favourite('banker', '(split')}")
    rows.append((game.name, "banker against ITS", *shown, "HP-II 40-60, 24; ITS 50-50, 25"))
    return Report(
        name="hyperplay2-games",
        title="HyperPlay-II beside HyperPlay at equal resources, and ITS",
        source=f"{ARTICLE}, section 6.5; ITS paper, sections 4.1 and 4.4",
        settings={"matches": matches, "models": models, "playouts or simulations": runs, "seed": seed},
        columns=("game", "how", "HyperPlay", "HyperPlay-II", "ITS", "theirs"),
        rows=rows,
        remarks=[
            "The article's own figures are in an appendix that is not among our papers; its text says that "
            "HyperPlay-II outperformed an equally resourced HyperPlayer in all experiments, and that "
            "cooperative_spies is beyond it.",
            "ITS solves the whole game before the match; two ITS players with the same seed share a convention, so a "
            "team of them is better than chance at cooperative_spies, and gets 95 at extended_cutting_wire.",
        ],
    )


def _pairs(values: Answer) -> list[tuple[int, float]]:
    return list(zip(values.moves.tolist(), values.values.tolist(), strict=True))
