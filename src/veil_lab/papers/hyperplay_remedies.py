"""Remedies against biased samples, in play (section 5.6 of the article, appendix E.6).

Two equal players have models that search back and nothing else; one of them corrects its sample by `weight` or by
`balance`, the other does not. A mean goal above 50 means that the remedy wins more.
"""

from __future__ import annotations

from typing import Any

from veil.report import Report
from veil_lab.papers.article import APPENDIX, ARTICLE, HP, SAMPLER_OF, THEIRS
from veil_lab.papers.contests import AGAINST, Contest, compare

REMEDIES = ("weight", "balance")
CONTESTS = (
    Contest("battleships_in_fog(size=4)", ("red", "blue"), AGAINST),
    Contest("blind_breakthrough(width=5, height=5)", ("white", "black"), AGAINST),
    Contest("border_protection(size=5)", ("intruder", "defender"), AGAINST),
    Contest("guess_who(characters=8, attributes=4)", ("first", "second"), AGAINST),
    Contest("hidden_connect(size=4, line=3)", ("red", "blue"), AGAINST),
    Contest("krieg_tictactoe(size=3)", ("xplayer", "oplayer"), AGAINST),
    Contest("transit(width=5, height=5)", ("evader", "patrol"), AGAINST),
)


def remedies(seed: int = 0, quick: bool = False) -> Report:
    """Return whether a remedy wins more than no remedy, and its cost."""
    matches, models, playouts = (4, 10, 2) if quick else (200, 20, 4)
    base = HP.format(models, playouts) + SAMPLER_OF[THEIRS]
    rows: list[tuple[Any, ...]] = []
    for contest in CONTESTS[-2:-1] if quick else CONTESTS:
        cells: list[Any] = []
        for remedy in REMEDIES:
            plain, remedied = compare(contest, f"{base},remedy=none", f"{base},remedy={remedy}", matches, seed)
            cells += [str(remedied.mean), round(remedied.states / max(1.0, plain.states), 2)]
        rows.append((contest.game, "no better", *cells))
    return Report(
        name="hyperplay-remedies",
        title="mean goal with a remedy against no remedy",
        source=f"{ARTICLE}, section 5.6 and appendix E.6",
        settings={"matches": matches, "models": models, "playouts": playouts, "seed": seed, "sampler": THEIRS},
        columns=("game", "theirs", "weight", "states, times", "balance", "states, times"),
        rows=rows,
        remarks=[
            "Theirs: generally the remedies do not improve the agent's performance, and cost little; "
            f"{APPENDIX}. 50 is as good as without, where the goals of both add up to 100.",
        ],
    )
