"""The charts of the pages, from the points and cells of kept runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from veil_lab.results.run import ExperimentRun, MissingCellError, TableRow, read_half, read_number
from veil_lab.results.svg import Chart, Point

Panels = Mapping[str, Mapping[str, list[Point]]]


def list_charts(run: ExperimentRun) -> list[Chart]:
    """Return the charts of a run; none if there is nothing to draw, or its points are not in the data."""
    make = CHARTS.get(run.experiment)
    try:
        return [] if make is None else [chart for chart in make(run) if any(map(bool, chart.panels.values()))]
    except MissingCellError:
        return []


def _records(run: ExperimentRun, table: str | None = None) -> list[TableRow]:
    series = run.table(table).series
    if series is None:
        raise MissingCellError(f"{run.experiment}: no points")
    return series.records()


def _point(x: object, row: TableRow, column: str) -> Point | None:
    cell = row[column]
    return None if cell is None else (read_number(x), read_number(cell), read_half(cell))  # type: ignore[arg-type]


def _over(rows: Iterable[TableRow], x: str, lines: Iterable[str]) -> dict[str, list[Point]]:
    """Return a line per column over the column `x`."""
    listed = list(rows)
    return {line: [point for row in listed if (point := _point(row[x], row, line))] for line in lines}


def _columns_over_first(title: str, x: str, y: str, **look: bool) -> Callable[[ExperimentRun], list[Chart]]:
    """Return a maker of one panel: every other column over the first one."""

    def make(run: ExperimentRun) -> list[Chart]:
        rows = _records(run)
        first, *others = rows[0]
        panels = {title: _over(rows, first, others)}
        return [Chart(name=run.experiment, title=title, x=x, y=y, panels=panels, **look)]

    return make


def _grouped(x: str, y: str, panel: str, line: str, *, label: str, unit: str) -> Callable[[ExperimentRun], list[Chart]]:
    """Return a maker of a panel per value of one column, in it a line per value of another, averaged over runs."""

    def make(run: ExperimentRun) -> list[Chart]:
        values: dict[str, dict[str, dict[float, list[float]]]] = {}
        for row in _records(run):
            lines = values.setdefault(str(row[panel]), {})
            lines.setdefault(str(row[line]), {}).setdefault(row.number(x), []).append(row.number(y))
        panels = {
            title: {
                name: [(place, sum(found) / len(found), None) for place, found in sorted(course.items())]
                for name, course in lines.items()
            }
            for title, lines in values.items()
        }
        return [
            Chart(name=run.experiment, title=run.table().title, x=label, y=unit, panels=panels, log_x=True, log_y=True)
        ]

    return make


def _targeting(run: ExperimentRun) -> list[Chart]:
    """Return a panel per scheme and game, a line per delta with the least exploration."""
    panels: dict[str, dict[str, list[Point]]] = {}
    for row in _records(run):
        scheme, _, delta, _, epsilon = str(row["player"]).replace(",", "").split()
        if epsilon == "0.4":
            lines = panels.setdefault(f"{row['game']}, {scheme.upper()}", {})
            lines.setdefault(f"delta {delta}", []).append((row.number("iterations"), row.number("nash_conv"), None))
    title = "NashConv of OOS over iterations per move, epsilon 0.4"
    return [Chart(name=run.experiment, title=title, x="iterations per move", y="NashConv", panels=panels, log_x=True)]


def _cheat(run: ExperimentRun) -> list[Chart]:
    """Return the mean goal over equal numbers of models and playouts, a panel per game."""
    settings = [column for column in run.table().columns if column.startswith("mean goal")]
    panels: dict[str, dict[str, list[Point]]] = {}
    for row in run.table().records():
        if row["models"] == row["playouts"]:
            lines = panels.setdefault(str(row["game"]), {})
            for column in settings:
                point = _point(row["models"], row, column)
                lines.setdefault(column.removeprefix("mean goal, "), []).extend([point] if point else [])
    title = "HyperPlay against the Cheat; 50 is as good"
    return [Chart(name=run.experiment, title=title, x="models = playouts", y="mean goal", panels=panels, log_x=True)]


def _on_line(run: ExperimentRun) -> list[Chart]:
    rows = [
        TableRow({**row, "plain": 100 * row.number("plain"), "re-seeded": 100 * row.number("re-seeded")})
        for row in _records(run)
    ]
    lines = _over(rows, "round", ("plain", "re-seeded"))
    theirs = [column for column in run.table().columns if column in ("on line", "on line, theirs")]
    table = run.table().records()
    lines["the article"] = [point for row in table if theirs and (point := _point(row["round"], row, theirs[0]))]
    panels = {"models on line": lines}
    return [Chart(name=run.experiment, title="models on line, %", x="round", y="models on line, %", panels=panels)]


def _sizes(run: ExperimentRun) -> list[Chart]:
    """Return states per match over the bound, a panel per player, a line per family.

    bf and d of the table are of one player. A family whose bound does not grow with its size by these is left out.
    """
    panels: dict[str, dict[str, list[Point]]] = {}
    for player, power, setting in (("HyperPlay", 1, "article's sampler"), ("HyperPlay-II", 2, "as printed")):
        column = f"{player}, {setting}"
        for row in run.table("hyperplay-scaling-sizes").records():
            bound = (row.number("bf") * row.number("d") ** 2) ** power
            lines = panels.setdefault(f"{player} over {'bf d²' if power == 1 else 'bf² d⁴'}", {})
            lines.setdefault(str(row["game"]).partition("(")[0], []).append((bound, row.number(column), None))
    panels = {
        title: {name: points for name, points in lines.items() if points == sorted(points)}
        for title, lines in panels.items()
    }
    title = "states visited per match"
    return [
        Chart(
            name=run.experiment,
            title=title,
            x="bound of the article",
            y="states per match",
            panels=panels,
            log_x=True,
            log_y=True,
        )
    ]


def _rounds(title: str, y: str) -> Callable[[ExperimentRun], list[Chart]]:
    def make(run: ExperimentRun) -> list[Chart]:
        rows = run.table().records()
        lines = _over(rows, "round", [column for column in run.table().columns if column != "round"])
        return [Chart(name=run.experiment, title=title, x="round", y=y, panels={title: lines})]

    return make


def _accuracy(run: ExperimentRun) -> list[Chart]:
    panels: dict[str, dict[str, list[Point]]] = {}
    for row in _records(run):
        lines = panels.setdefault(str(row["setting"]), {})
        name = str(row["game"]).partition("(")[0]
        lines.setdefault(name, []).append((row.number("round"), 100 * row.number("fluents"), None))
    title = "fluents that hold in the models and in truth, %"
    return [Chart(name=run.experiment, title=title, x="round", y="right fluents, %", panels=panels)]


AGGREGATE = _grouped("iterations", "nash_conv", "game", "player", label="iterations per move", unit="NashConv")
CURVES = _grouped("iterations", "nash_conv", "game", "method", label="iterations", unit="NashConv")
CHARTS: Mapping[str, Callable[[ExperimentRun], list[Chart]]] = {
    "hyperplay-fig7": _columns_over_first(
        "cost of a sample over that of a random one", "share of the game that is over", "ratio of states", log_y=True
    ),
    "hyperplay-bias": _columns_over_first("median probability of a fair sample", "round", "probability"),
    "hyperplay-table2": _on_line,
    "hyperplay-accuracy": _accuracy,
    "hyperplay-cheat": _cheat,
    "hyperplay-scaling": _sizes,
    "opponents-read": _rounds("belief in the opponent's true aim", "%"),
    "its-fig2": _columns_over_first("probability of telling", "iteration", "probability", log_x=True),
    "its-fig4": _columns_over_first("moves at node d", "iteration", "probability"),
    "its-fig5": _columns_over_first("the goalkeeper", "iteration", "probability", log_x=True),
    "its-table1": _columns_over_first("distributions of the banker", "iteration", "probability", log_x=True),
    "its-poker": _columns_over_first("exploitability", "iteration", "chips", log_x=True, log_y=True),
    "oos-fig3-root": _grouped("walks", "nash_conv", "game", "search", label="walks", unit="NashConv"),
    "oos-fig3-aggregate": AGGREGATE,
    "oos-fig3-targeting": _targeting,
    "solver-curves": CURVES,
    "solver-curves-large": CURVES,
}
