"""How tournaments scale: matches per second by workers, the cost of a task, the capacity of one store.

- Matches: equal matches in this process, in one and two processes of ours, and by one and two local workers of Dask if
  it is installed. Workers are warm: game and kernels are compiled before the clock starts. The overhead is the
  processor time of all processes per match, beyond that of a match in this process alone.
- Tasks: calls that do nothing, each sent alone; batches of matches save this cost.
- The store: `ROWS` made-up results of a tournament, the first ones written one by one, the others in portions; then the
  table.

Processor time stands beside the seconds of a wall clock, which other programs on the machine make longer.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from importlib.util import find_spec
from itertools import count, islice, permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np

from veil.engine import load
from veil.match import Pool, Result, Store, Task, TournamentConfig, make_tables, open_cluster, play_all
from veil.report import Table
from veil.streams import match_seed
from veil_lab.bench.machine import about

ROWS = 10_000_000  # results in the store
SINGLE = 10_000  # results that are written one by one, as tournaments do
PORTION = 10_000  # results that are written at once after that
TASKS = 300  # calls that do nothing
WARM = 200  # matches per worker before the clock starts
JOBS = (1, 2)
CONTESTS: dict[str, tuple[str, dict[str, str]]] = {
    "random moves": ("kuhn_poker", {"first": "random", "second": "random"}),
    "search": ("kuhn_poker", {"first": "hyperplay:models=20,playouts=20", "second": "random"}),
}
STORED = TournamentConfig(games=("kuhn_poker",), players=("random", "first", "hyperplay"), matches=10**15)

Say = Callable[[str], None]


class Seconds(NamedTuple):
    """A moment, or a duration, by two clocks."""

    wall: float
    processor: float  # of this process and of those that it has started

    @classmethod
    def now(cls) -> Seconds:
        """Return the current moment."""
        return cls(perf_counter(), processor_seconds())

    def spent_per(self, count: int) -> Seconds:
        """Return the time since this moment, divided by `count`."""
        now = Seconds.now()
        return Seconds((now.wall - self.wall) / count, (now.processor - self.processor) / count)

    def as_rates(self) -> dict[str, float]:
        """Return how many things of this duration are done per second."""
        return {name: 1 / max(value, 1e-9) for name, value in self._asdict().items()}


class Way(NamedTuple):
    """A way to play matches."""

    name: str
    workers: int
    open: Callable[[], AbstractContextManager[Executor | None]]


def list_ways() -> list[Way]:
    """Return the ways: this process, processes of ours, and workers of Dask if it is installed."""
    ways = [Way("this process", 1, nullcontext)]
    ways += [Way(f"processes: {jobs}", jobs, partial(Pool, jobs)) for jobs in JOBS]
    if find_spec("distributed") is not None:
        ways += [Way(f"Dask local:{jobs}", jobs, partial(open_cluster, f"local:{jobs}")) for jobs in JOBS]
    return ways


def measure_all(seconds: float, say: Say = lambda _: None) -> dict[str, Any]:
    """Measure matches for about `seconds` seconds per contest and way; then tasks, and the store."""
    alone: dict[str, float] = {}
    rows: list[dict[str, Any]] = []
    tasks: list[dict[str, Any]] = []
    for way in list_ways():
        with way.open() as executor:
            for contest in CONTESTS:
                say(f"playing, {contest}: {way.name}")
                took = measure_matches(contest, way, executor, seconds)
                overhead = took.processor - alone.setdefault(contest, took.processor)
                row = {"per_second": 1 / took.wall, "processor_ms": 1000 * took.processor}
                rows.append({"contest": contest, "way": way.name} | row | {"overhead_ms": 1000 * overhead})
            if executor is not None:
                took = measure_tasks(executor)
                tasks.append({"way": way.name, "ms": 1000 * took.wall, "processor_ms": 1000 * took.processor})
    return {"matches": rows, "tasks": tasks, "store": measure_store(say)} | about()


def make_tasks(contest: str) -> Iterator[Task]:
    """Yield matches without end."""
    name, specs = CONTESTS[contest]
    game = load(name)
    for number in count():
        yield Task(game=game, name=name, specs=specs, number=number, seed=match_seed(0, number))


def measure_matches(contest: str, way: Way, executor: Executor | None, seconds: float) -> Seconds:
    """Return the seconds per match, after enough matches to warm up all workers."""
    tasks = make_tasks(contest)

    def play(matches: int) -> Seconds:
        clock = Seconds.now()
        for _ in play_all(islice(tasks, matches), executor, workers=way.workers):
            pass
        return clock.spent_per(matches)

    play(WARM * way.workers)
    took = play(WARM * way.workers)
    return play(max(WARM, int(seconds / took.wall)))


def measure_tasks(executor: Executor) -> Seconds:
    """Return the seconds per call that does nothing, with many at once."""
    executor.submit(abs, -1).result()
    clock = Seconds.now()
    for future in [executor.submit(abs, -1) for _ in range(TASKS)]:
        future.result()
    return clock.spent_per(TASKS)


def make_results(rows: int) -> Iterator[Result]:
    """Yield `rows` results of a tournament of three players, in the order in which they are played."""
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
    """Measure writing results and making a table of them, on the disk of temporary files."""
    results = make_results(ROWS)
    with TemporaryDirectory() as folder, Store(str(Path(folder) / "results.sqlite")) as store:
        say(f"writing {ROWS:,} results")
        single = time_writing(store, results, 1, SINGLE)
        portions = time_writing(store, results, PORTION, ROWS - SINGLE)
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
        say("filling the table")
        before, clock = peak_megabytes(), Seconds.now()
        tables = make_tables(STORED, store)
        table = clock.spent_per(1)
        return {
            "rows": tables.matches,
            "megabytes": size / 1e6,
            "one_by_one": single.as_rates(),
            "in_portions": portions.as_rates(),
            "table_seconds": table.wall,
            "table_processor_seconds": table.processor,
            "table_megabytes": peak_megabytes() - before,  # of memory, in addition to the memory used before
        }


def time_writing(store: Store, results: Iterator[Result], portion: int, rows: int) -> Seconds:
    """Return the seconds per result, for `rows` of them in portions; making them up is not counted."""
    wall = processor = 0.0
    for start in range(0, rows, portion):
        made = list(islice(results, min(portion, rows - start)))
        clock = Seconds(perf_counter(), process_time())
        store.add(made)
        wall += perf_counter() - clock.wall
        processor += process_time() - clock.processor
    return Seconds(wall / rows, processor / rows)


def processor_seconds() -> float:
    """Return the processor time of this process and of its running descendants, as far as the system tells it."""
    total = process_time()
    for pid in _list_descendants(os.getpid()):
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            total += sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")  # in its own code and in the system's
    return total


def _list_descendants(pid: int) -> list[int]:
    found: list[int] = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, file.read_text().split()):
                found += [child, *_list_descendants(child)]
    return found


def peak_megabytes() -> float:
    """Return the peak memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def as_table(result: dict[str, Any]) -> str:
    """Return the measurements as tables for people."""
    names = ("contest", "way", "per_second", "processor_ms", "overhead_ms")
    rows = [tuple(_show(row[name]) for name in names) for row in result["matches"]]
    matches = Table(("matches", "who plays", "per second", "processor ms each", "overhead ms each"), rows)
    tasks = [(row["way"], _show(row["ms"]), _show(row["processor_ms"])) for row in result["tasks"]]
    stored = result["store"]
    writing = [
        (f"written {how}", *(f"{stored[name][clock]:,.0f} per second" for clock in ("wall", "processor")))
        for how, name in (("one by one", "one_by_one"), (f"{PORTION:,} at once", "in_portions"))
    ]
    writing.append(("table", f"{stored['table_seconds']:.0f} s", f"{stored['table_processor_seconds']:.0f} s"))
    return "\n".join(
        [
            *matches.as_lines(),
            "",
            *Table(("tasks that do nothing", "ms each", "processor ms each"), tasks).as_lines(),
            "",
            *Table((f"{stored['rows']:,} results", "by the clock", "by processor time"), writing).as_lines(),
            f"the store has {stored['megabytes']:,.0f} MB; its table took {stored['table_megabytes']:.0f} MB of memory",
        ]
    )


def _show(value: str | float) -> str | float:
    return value if isinstance(value, str) else round(value, 2 if value < 100 else None)
