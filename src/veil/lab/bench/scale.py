"""How far tournaments scale: matches per second by who plays them, what a task costs, how far one store carries.

- Matches: the same matches in this process, in one and two processes of ours, and by one and two local workers of Dask
  where it is installed. Workers are warm: game and kernels are compiled before the clock starts. The overhead is what a
  match takes of a worker beyond what it takes in this process.
- Tasks: calls that do nothing, each sent alone; what batches of matches save.
- The store: `ROWS` made-up results of a tournament, the first ones written one by one, the others in portions; then the
  table.
"""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from importlib.util import find_spec
from itertools import count, islice, permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from veil.engine import load
from veil.lab.bench.machine import about
from veil.match import Pool, Result, Store, Task, TournamentConfig, open_cluster, play_all, summarise_tournament
from veil.report import Table
from veil.streams import match_seed

ROWS = 10_000_000  # results in the store
SINGLE = 10_000  # of them that are written one by one, as tournaments do
PORTION = 10_000  # that are written at once after that
TASKS = 300  # calls that do nothing
WARM = 200  # matches per worker before the clock starts
JOBS = (1, 2)
CONTESTS: dict[str, tuple[str, dict[str, str]]] = {
    "random moves": ("kuhn_poker", {"first": "random", "second": "random"}),
    "search": ("kuhn_poker", {"first": "hyperplay:models=20,playouts=20", "second": "random"}),
}
STORED = TournamentConfig(games=("kuhn_poker",), players=("random", "first", "hyperplay"), matches=10**15)

Say = Callable[[str], None]


class Way(NamedTuple):
    """Who plays."""

    name: str
    workers: int
    open: Callable[[], AbstractContextManager[Executor | None]]


def list_ways() -> list[Way]:
    """This process, processes of ours, and workers of Dask where it is installed."""
    ways = [Way("this process", 1, nullcontext)]
    ways += [Way(f"processes: {jobs}", jobs, partial(Pool, jobs)) for jobs in JOBS]
    if find_spec("distributed") is not None:
        ways += [Way(f"Dask local:{jobs}", jobs, partial(open_cluster, f"local:{jobs}")) for jobs in JOBS]
    return ways


def measure_all(seconds: float, say: Say = lambda _: None) -> dict[str, Any]:
    """Matches for about so many seconds per contest and way; then tasks, and the store."""
    alone: dict[str, float] = {}
    rows: list[dict[str, Any]] = []
    tasks: list[dict[str, Any]] = []
    for way in list_ways():
        with way.open() as executor:
            for contest in CONTESTS:
                say(f"playing, {contest}: {way.name}")
                rate = measure_matches(contest, way, executor, seconds)
                overhead = way.workers / rate - 1 / alone.setdefault(contest, rate)
                rows.append({"contest": contest, "way": way.name, "per_second": rate, "overhead_ms": 1000 * overhead})
            if executor is not None:
                tasks.append({"way": way.name, "ms_per_task": measure_tasks(executor)})
    return {"matches": rows, "tasks": tasks, "store": measure_store(say)} | about()


def make_tasks(contest: str) -> Iterator[Task]:
    """Matches without end."""
    name, specs = CONTESTS[contest]
    game = load(name)
    for number in count():
        yield Task(game=game, name=name, specs=specs, number=number, seed=match_seed(0, number))


def measure_matches(contest: str, way: Way, executor: Executor | None, seconds: float) -> float:
    """Matches per second, after as many as it takes to warm all workers up."""
    tasks = make_tasks(contest)

    def play(matches: int) -> float:
        clock = perf_counter()
        for _ in play_all(islice(tasks, matches), executor, workers=way.workers):
            pass
        return matches / (perf_counter() - clock)

    play(WARM * way.workers)
    rate = play(WARM * way.workers)
    return play(max(WARM, int(rate * seconds)))


def measure_tasks(executor: Executor) -> float:
    """Milliseconds per call that does nothing, many at once."""
    executor.submit(abs, -1).result()
    clock = perf_counter()
    for future in [executor.submit(abs, -1) for _ in range(TASKS)]:
        future.result()
    return 1000 * (perf_counter() - clock) / TASKS


def make_results(rows: int) -> Iterator[Result]:
    """So many results of a tournament of three players, in the order in which they are played."""
    rng, seatings = np.random.default_rng(0), list(permutations(STORED.players, 2))
    for row in range(rows):
        number, seating = divmod(row, len(seatings))
        if seating == 0:
            goals = rng.integers(0, 101, len(seatings)).tolist()
        goal = goals[seating]
        yield Result(
            game="kuhn_poker",
            players=seatings[seating],
            number=number,
            goals=(goal, 100 - goal),
            errors=(0, 0),
            rounds=4,
            seconds=0.001,
        )


def measure_store(say: Say = lambda _: None) -> dict[str, Any]:
    """What it takes to write results and to make a table of them, on the disk of temporary files."""
    results = make_results(ROWS)
    with TemporaryDirectory() as folder, Store(str(Path(folder) / "results.sqlite")) as store:
        say(f"writing {ROWS:,} results")
        single = time_writing(store, results, 1, SINGLE)
        portions = time_writing(store, results, PORTION, ROWS - SINGLE)
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
        say("filling the table")
        before, clock = peak_megabytes(), perf_counter()
        tables = summarise_tournament(STORED, store)
        return {
            "rows": tables.matches,
            "one_by_one_per_second": SINGLE / single,
            "in_portions_per_second": (ROWS - SINGLE) / portions,
            "megabytes": size / 1e6,
            "seconds_to_table": perf_counter() - clock,
            "table_megabytes": peak_megabytes() - before,  # of memory, on top of what was used before
        }


def time_writing(store: Store, results: Iterator[Result], portion: int, rows: int) -> float:
    """Seconds to write so many of the results in portions; to make them up takes none."""
    spent = 0.0
    for start in range(0, rows, portion):
        made = list(islice(results, min(portion, rows - start)))
        clock = perf_counter()
        store.add(made)
        spent += perf_counter() - clock
    return spent


def peak_megabytes() -> float:
    """Memory that this process has used at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def as_table(result: dict[str, Any]) -> str:
    """The same for reading."""
    costs = {row["way"]: round(row["ms_per_task"], 2) for row in result["tasks"]}
    rows = [
        (row["contest"], row["way"], round(row["per_second"]), round(row["overhead_ms"], 2), costs.get(row["way"]))
        for row in result["matches"]
    ]
    columns = ("matches", "who plays", "per second", "overhead ms per match", "ms per task")
    stored = result["store"]
    lines = [
        f"a store of {stored['rows']:,} results: {stored['megabytes']:,.0f} MB",
        f"written: {stored['one_by_one_per_second']:,.0f} per second one by one, "
        f"{stored['in_portions_per_second']:,.0f} in portions of {PORTION:,}",
        f"table: after {stored['seconds_to_table']:.1f} s, with {stored['table_megabytes']:.0f} MB of memory more",
    ]
    return "\n".join([*Table(columns, rows).as_lines(), "", *lines])
