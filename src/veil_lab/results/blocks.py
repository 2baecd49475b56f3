"""Generated blocks in pages that people write: the lines between `<!-- results: NAME -->` and `<!-- end -->`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from veil_lab.results.claims import PAPERS, VERDICTS, judge_paper
from veil_lab.results.narrow import show_table
from veil_lab.results.run import ExperimentRun, MissingCellError
from veil_lab.results.speed import Kept

BLOCK = re.compile(r"(?P<begin><!-- results: (?P<name>[\w-]+) -->\n).*?(?P<end><!-- end -->)", re.DOTALL)
Cells = tuple[str, str, str]


def fill_blocks(text: str, runs: Mapping[str, ExperimentRun], benchmarks: Kept) -> str:
    """Return a page with all its blocks as the data make them. Raises KeyError for a block that is not known."""
    return BLOCK.sub(lambda match: match["begin"] + BLOCKS[match["name"]](runs, benchmarks) + "\n" + match["end"], text)


def _make_readme(runs: Mapping[str, ExperimentRun], benchmarks: Kept) -> str:
    """Return the table of results in the README: what a few runs say, each with its command."""
    rows = [_count_claims(runs), *_list_speeds(benchmarks)]
    for make in (_bomb, _banker, _dark_hex):
        try:
            rows.append(make(runs))
        except (MissingCellError, KeyError):  # no such run is kept, or it is of an older form
            continue
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(["| what | result | command |", "|---|---|---|", *lines])


def _count_claims(runs: Mapping[str, ExperimentRun]) -> Cells:
    judged = [row.judgement.verdict for paper in PAPERS for row in judge_paper(paper, runs)]
    counts = ", ".join(f"{judged.count(verdict)} {verdict}" for verdict in VERDICTS if verdict in judged)
    return f"{len(judged)} claims of five papers, [one by one](docs/results/index.md)", counts, "`veil reproduce`"


def _list_speeds(benchmarks: Kept) -> list[Cells]:
    rows: list[Cells] = []
    engine = benchmarks.get("engine")
    if engine and engine["geomean_cpp"]:
        count = sum(bool(row["ratio_cpp"]) for row in engine["games"])
        result = f"{engine['geomean_cpp']:.0f} times as many (geometric mean over the {count} that both have)"
        rows.append(("random games per second, beside OpenSpiel's C++", result, "`veil bench`"))
    solve = benchmarks.get("solve", {"games": []})
    speeds = [game["iterations_per_second"]["cfr+"]["ratio"] for game in solve["games"]]
    if speeds and all(speeds):
        result = f"{min(speeds):.0f} to {max(speeds):.0f} times as many"
        rows.append(("CFR+ iterations per second, beside OpenSpiel's C++", result, "`veil bench solve`"))
    return rows


def _bomb(runs: Mapping[str, ExperimentRun]) -> Cells:
    table = runs["hyperplay2-bomb"].table()
    ours = " and ".join(f"{table.at(player).number('ours'):g}" for player in ("HyperPlay", "HyperPlay-II"))
    what = "Exploding Bomb: the value that HyperPlay and HyperPlay-II give to asking (article: 45 and 90)"
    return what, ours, "`veil reproduce hyperplay2-bomb`"


def _dark_hex(runs: Mapping[str, ExperimentRun]) -> Cells:
    table, game = runs["solver-curves-walked"].table(), "dark_hex(size=3, turns=abrupt)"
    uniform, row = table.find(game=game).number("NashConv"), table.find_all(game=game)[-1]
    what = f"Dark Hex 3x3, whose tree fits into no memory: exact NashConv (of uniform play: {uniform:.3g})"
    result = f"{row.number('NashConv'):.2g} after {row.number('processor seconds'):.0f} s of processor time"
    return what, result, "`veil reproduce solver-curves-walked`"


def _banker(runs: Mapping[str, ExperimentRun]) -> Cells:
    row = runs["its-table1"].table().at("half in the faulty bank")
    what = (
        f"ITS, Banker and Thief: how often half of the notes are in the faulty bank (paper: {row.number('theirs'):g} %)"
    )
    return what, f"{row.number('ours'):g} %", "`veil reproduce its-table1`"


def _show_first_table(experiment: str) -> Callable[[Mapping[str, ExperimentRun], Kept], str]:
    def make(runs: Mapping[str, ExperimentRun], benchmarks: Kept) -> str:
        run = runs.get(experiment)
        if run is None:
            return f"No run is kept: `veil reproduce {experiment}`."
        return "\n".join(show_table(run.table()))

    return make


BLOCKS: Mapping[str, Callable[[Mapping[str, ExperimentRun], Kept], str]] = {
    "readme": _make_readme,
    "exploit-table": _show_first_table("exploit-table"),
    "resolve-gadgets": _show_first_table("resolve-gadgets"),
}
