"""Remedies against biased samples, in play (section 5.6 of the article, appendix E.6).

Two equal players have models that search back and nothing else; one of them corrects its sample by `weight` or by
`balance`, the other does not. A mean goal above 50 means that the remedy wins more.
"""

from __future__ import annotations

from veil.report import Report
from veil_lab.papers.article import APPENDIX, ARTICLE, HP, KRIEG, NO_APPENDIX, say_size
from veil_lab.papers.contests import AGAINST, Contest, compare
from veil_lab.papers.summaries import explain_verdicts, judge

REMEDIES = ("weight", "balance")
ARTICLES_MODELS = ",sampler=hyperplay,reseed=false"
SIZES = (200, 20, 4), (4, 10, 2)  # matches, models, playouts: full, quick
CONTESTS = (
    Contest("battleships_in_fog(size=4)", ("red", "blue"), AGAINST),
    Contest("blind_breakthrough(width=5, height=5)", ("white", "black"), AGAINST),
    Contest("border_protection(size=5)", ("intruder", "defender"), AGAINST),
    Contest("guess_who(characters=8, attributes=4)", ("first", "second"), AGAINST),
    Contest("hidden_connect(size=4, line=3)", ("red", "blue"), AGAINST),
    Contest(KRIEG, ("xplayer", "oplayer"), AGAINST),
    Contest("transit(width=5, height=5)", ("evader", "patrol"), AGAINST),
)


def remedies(seed: int = 0, quick: bool = False) -> Report:
    """Return whether a remedy wins more than no remedy, and its cost."""
    matches, models, playouts = SIZES[quick]
    base = HP.format(models, playouts) + ARTICLES_MODELS
    played = []
    for contest in CONTESTS[-2:-1] if quick else CONTESTS:
        for remedy in REMEDIES:
            sides = compare(contest, f"{base},remedy=none", f"{base},remedy={remedy}", matches, seed)
            played.append((contest.game, remedy, *sides))
    verdicts = judge([remedied.goals - plain.goals for _, _, plain, remedied in played])
    other = [
        f"{game}, {remedy}: {verdict}"
        for (game, remedy, *_), verdict in zip(played, verdicts, strict=True)
        if verdict != "unclear"
    ]
    return Report(
        name="hyperplay-remedies",
        title="mean goal with a remedy against no remedy",
        source=f"{ARTICLE}, section 5.6 and appendix E.6",
        settings={"matches": matches, "models": models, "playouts": playouts, "seed": seed, "sampler": ARTICLES_MODELS},
        columns=("game", "remedy", "theirs", "mean goal", "the remedy is", "states, times"),
        rows=[
            (game, remedy, "no better", str(remedied.mean), verdict, round(remedied.states / max(1.0, plain.states), 2))
            for (game, remedy, plain, remedied), verdict in zip(played, verdicts, strict=True)
        ],
        remarks=[
            *say_size(quick, matches=(matches, SIZES[0][0]), models=(models, SIZES[0][1])),
            "Theirs: generally the remedies do not improve the agent's performance, and cost little; "
            f"{APPENDIX}. 50 is as good as without, where the goals of both add up to 100.",
            explain_verdicts(len(played)),
        ],
        gaps=[
            *([("that remedies do not improve the player's performance", "; ".join(other))] if other else []),
            ("the table of appendix E.6", NO_APPENDIX),
        ],
    )
