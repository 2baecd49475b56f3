"""The result of tuning as a page: the best setting first, a heat map, a table."""

from __future__ import annotations

from veil._version import __version__
from veil.intervals import LEGEND
from veil.report import Bars, Figure, HeatMap, PageSection, ReportPage, Table, count_things
from veil.review.aims import WORST, find_noise
from veil.review.tuner import RatedVariant, Tuning

MOST_ROWS = 20  # of the table of the best
MOST_REFUSED = 8
SAME = 0.05  # difference of scores that is none


def make_tuning_page(tuning: Tuning) -> ReportPage:
    """Return the page of a tuning run."""
    varied, best = tuning.varied, tuning.best
    name = varied.source if isinstance(varied.source, str) else varied.source.name
    refused = [variant for variant in tuning.variants if variant.facts is not None and variant.facts.refused]
    summary = [_describe_rivals(tuning)] if best is not None else []
    if refused:
        summary.append(f"{count_things(len(refused), 'variant')} cannot be judged; the reasons are below.")
    sections = [
        PageSection(title="The best settings", table=_table(tuning), details=_figures(tuning)),
        PageSection(title="All settings", charts=_charts(tuning)),
    ]
    if refused:
        rows = [(_show_setting(tuning, variant), variant.basis) for variant in refused[:MOST_REFUSED]]
        sections.append(PageSection(title="Not judged", table=Table(("setting", "why"), rows)))
    judged = sum(variant.score is not None for variant in tuning.variants)
    state = "It was stopped; --store goes on." if tuning.interrupted else ""
    made = (
        f"Veil {__version__}, seed {tuning.config.seed}, {judged} of {count_things(len(tuning.variants), 'variant')} "
        f"judged in {tuning.seconds:.0f} s. {state}"
    )
    player = tuning.config.variant.player
    return ReportPage(
        title=f"Tuning {name} for {tuning.config.aim}",
        headline=_describe_best(tuning, best),
        summary=[sentence for sentence in summary if sentence],
        sections=[part for part in sections if part.charts or part.table],
        notes=[
            f"A score is the distance from the aim: 0 is best. {LEGEND[0].upper()}{LEGEND[1:]}.",
            f"Solved: exact, between players of an equilibrium. Matches: {player} in all seats, with the same seeds.",
            made.strip(),
        ],
    )


def _show_setting(tuning: Tuning, variant: RatedVariant) -> str:
    names = (entry.name for entry in tuning.varied.variations)
    return ", ".join(f"{name}={value}" for name, value in zip(names, variant.setting, strict=True))


def _describe_best(tuning: Tuning, best: RatedVariant | None) -> str:
    if best is None or best.score is None:
        return "No variant could be judged."
    return f"{_show_setting(tuning, best)} is best: {best.score.meaning}."


def _describe_rivals(tuning: Tuning) -> str:
    """Return a sentence about settings that may be as good as the best one."""
    best, *others = tuning.ranking()
    assert best.score is not None
    rivals = [
        other
        for other in others
        if other.score is not None
        and other.score.value - best.score.value <= max(0.05, find_noise(best.score, other.score))
    ]
    if not rivals:
        return "No other setting comes as close."
    count = count_things(len(rivals), "other setting")
    if all(other.score is None or other.score.half is None for other in (best, *rivals)):
        return f"{count} {'is' if len(rivals) == 1 else 'are'} as good."
    return f"{count} may be as good: the intervals overlap."


def _table(tuning: Tuning) -> Table | None:
    ranking = tuning.ranking()[:MOST_ROWS]
    names = [entry.name for entry in tuning.varied.variations]
    rows = [
        (*variant.setting, _show_score(variant), variant.score.meaning if variant.score else "", variant.basis)
        for variant in ranking
    ]
    return Table((*names, "score", "meaning", "from"), rows) if rows else None


def _show_score(variant: RatedVariant) -> str:
    if variant.score is None or variant.score.value >= WORST:
        return "-"
    half = "" if variant.score.half is None else f" ± {variant.score.half:.1f}"
    return f"{variant.score.value:.1f}{half}"


def _figures(tuning: Tuning) -> list[Figure]:
    return [
        Figure(
            label=_show_setting(tuning, variant),
            value=variant.score.value,
            half=variant.score.half,
            basis=variant.basis,
        )
        for variant in tuning.ranking()
        if variant.score is not None
    ]


def _charts(tuning: Tuning) -> list[Bars | HeatMap]:
    """Return a bar per value of one variation, a heat map of two, a heat map per value of a third."""
    scores = {
        variant.setting: variant.score.value
        for variant in tuning.variants
        if variant.score is not None and variant.score.value < WORST
    }
    variations = tuning.varied.variations
    if not scores:
        return []
    if len(variations) == 1:
        bars = [
            Figure(label=f"{variations[0].name}={value}", value=scores.get((value,))) for value in variations[0].values
        ]
        return [Bars(title=f"Distance from the aim ({tuning.config.aim})", bars=bars)]
    *outer, down, across = variations
    rests = sorted(
        {setting[:-2] for setting in scores},
        key=lambda rest: min(score for setting, score in scores.items() if setting[:-2] == rest),
    )
    best = tuning.ranking()[0].setting
    charts: list[Bars | HeatMap] = []
    for rest in rests[:6]:
        given = ", ".join(f"{entry.name}={value}" for entry, value in zip(outer, rest, strict=True))
        title = f"Distance from the aim ({tuning.config.aim}){': ' + given if given else ''}"
        charts.append(
            HeatMap(
                title=title,
                x=across.name,
                y=down.name,
                columns=across.values,
                rows=down.values,
                values=[[scores.get((*rest, row, column)) for column in across.values] for row in down.values],
                best=(down.values.index(best[-2]), across.values.index(best[-1])) if best[:-2] == rest else None,
            )
        )
    return charts
