"""Discounting, Cut on Win and Pruning on Depth in HyperPlay-II (sections 7.3 and 7.5 of the article)."""

from __future__ import annotations

from typing import Any

from veil.engine import load
from veil.report import Report
from veil_lab.papers.article import (
    APPENDIX,
    ARTICLE,
    HP,
    HP2,
    NO_APPENDIX,
    SMALL_KRIEG,
    VARIANT_OF,
    VARIANTS_REMARK,
    name_columns,
    say_size,
    say_who_answered,
)
from veil_lab.series import Series, play_series

GAMES = (
    ("number_guessing(max=8, turns=8)", "guesser"),
    ("battleships_in_fog(size=3)", "red"),
    ("hidden_connect(size=3, line=3)", "red"),
    (SMALL_KRIEG, "xplayer"),
    ("banker_and_thief(banks=2, notes=6)", "banker"),
)
SIZES = (40, 3), (2, 2)  # matches, models: full, quick
OPTIONS = (
    "",
    "discount=0.95",
    "cut_on_win=goals",
    "cut_on_win=solved",
    "prune_on_depth=true",
    "discount=0.95,prune_on_depth=true",
)
SOLVED = ("banker_and_thief(banks=2, notes=6)",)  # games that a solver solves before the match


def pruning(seed: int = 0, quick: bool = False) -> Report:
    """Return HyperPlay-II with the heuristics of section 7.3 against HyperPlay."""
    matches, models = SIZES[quick]
    rows: list[tuple[Any, ...]] = []
    answered: dict[str, tuple[Series, str]] = {}  # in the last game
    for name, role in GAMES[-1:] if quick else GAMES:
        game = load(name)
        for option in OPTIONS:
            if "solved" in option and name not in SOLVED:
                continue
            cells: list[Any] = []
            for setting, (more, inside) in VARIANT_OF.items():
                spec = HP2.format(models, models) + more + inside + (f",{option}" if option else "")
                others = {
                    other: HP.format(models, models) + more for other in game.roles if other not in (role, "random")
                }
                series = play_series(game, {role: spec} | others, matches, seed)
                cells += [str(series.mean(role)), round(series.states(role))]
                answered[setting] = series, role
            rows.append((name, option or "none", *cells))
    return Report(
        name="hyperplay-pruning",
        title="HyperPlay-II with discounting and pruning, against HyperPlay",
        source=f"{ARTICLE}, sections 7.3 and 7.5",
        settings={"matches": matches, "models, playouts, simulations": models, "seed": seed},
        columns=("game", "option", *name_columns("mean goal", "states per decision", settings=VARIANT_OF)),
        rows=rows,
        remarks=[
            *say_size(quick, matches=(matches, SIZES[0][0]), models=(models, SIZES[0][1]), games=(1, len(GAMES))),
            "Theirs: discounting changes little; pruning helped in one game of five and may not be safe in "
            f"banker_and_thief and battleships_in_fog; {APPENDIX}.",
            "cut_on_win=goals: the best score is the highest goal of the role in the rules. cut_on_win=solved: it is "
            f"the value of the game under optimal play; {', '.join(SOLVED)} can be solved before a match. "
            "prune_on_depth ends simulations that last longer than the shortest win so far in their world; where all "
            "games have the same length (banker_and_thief) it prunes nothing, and what differs is the order in which "
            "moves are simulated. Cuts act on the moves of the player itself: the players inside are not pruned, other "
            "than in nested Monte Carlo search, whose inner levels are simulations too; here they are plain playouts.",
            VARIANTS_REMARK,
            f"{GAMES[-1][0]}: {say_who_answered(answered)}",
        ],
        gaps=[("that pruning helps in one game of five", NO_APPENDIX)],
    )
