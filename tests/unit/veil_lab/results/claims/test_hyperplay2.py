"""Claims about HyperPlay-II: what an interval leaves open is neither reproduced nor refuted."""

from __future__ import annotations

from collections.abc import Mapping

from tests.support.runs import make_report, run_of
from veil_lab.results.claims.judgement import judge_run
from veil_lab.results.claims.verdicts import Verdict

OPTIONS = ("none", "discount=0.95", "cut_on_win=goals", "prune_on_depth=true")
GAMES = ("number_guessing(max=8)", "battleships_in_fog(size=3)", "hidden_connect(size=3)", "banker_and_thief(banks=2)")
HELPS, UNSAFE = (
    "Pruning helps in one game of five",
    "Pruning may not be safe in Banker and Thief, and in Battleships in Fog",
)


def judge_pruning(means: Mapping[str, tuple[float, ...]], half: float) -> dict[str, Verdict]:
    """The verdicts on pruning, where a game has these mean goals by option and any other 50 with all of them."""
    rows = [
        (game, option, f"{mean} ± {half}")
        for game in GAMES
        for option, mean in zip(OPTIONS, means.get(game.partition("(")[0], (50.0,) * 4), strict=True)
    ]
    report = make_report(rows, ("game", "option", "mean goal, as printed"), name="hyperplay-pruning")
    return {row.claim.text: row.judgement for row in judge_run(run_of(report, "hyperplay-pruning"))}


def judge_growth(*exponents: str) -> Verdict:
    """The verdict on the growth of HyperPlay, by the exponents of as many families."""
    rows = [(f"family{number}", cell, "1.00 ± 0.10") for number, cell in enumerate(exponents)]
    columns = ("family", "HyperPlay, article's sampler", "HyperPlay-II, as printed")
    run = run_of(make_report(rows, columns, name="hyperplay-scaling"), "hyperplay-scaling")
    return next(row.judgement for row in judge_run(run) if row.claim.text.startswith("HyperPlay visits"))


def test_wide_intervals_of_pruning_decide_nothing() -> None:
    verdicts = judge_pruning({"battleships_in_fog": (50.0, 58.0, 58.0, 42.0)}, half=12.0)
    assert {verdict.verdict for verdict in verdicts.values()} == {"cannot be compared"}


def test_narrow_intervals_of_pruning_decide() -> None:
    means = {"hidden_connect": (50.0, 52.0, 60.0, 50.0), "battleships_in_fog": (50.0, 50.0, 40.0, 50.0)}
    verdicts = judge_pruning(means, half=2.0)
    assert verdicts["Discounting has little impact"].verdict == "reproduced"
    assert verdicts[HELPS].verdict == "reproduced"
    assert verdicts[UNSAFE] == (
        "partly",
        "clearly worse with pruning in 1 of 2: battleships_in_fog; not in banker_and_thief",
    )
    assert judge_pruning({}, half=2.0)[HELPS].verdict == "not reproduced"


def test_a_bound_is_kept_by_what_grows_more_slowly_and_not_by_what_nobody_can_tell() -> None:
    assert judge_growth("0.85 ± 0.11", "1.13 ± 0.13").verdict == "reproduced"
    assert judge_growth("0.85 ± 0.11", "1.30 ± 0.13").verdict == "partly"
    assert judge_growth("1.11 ± 0.92").verdict == "cannot be compared"
