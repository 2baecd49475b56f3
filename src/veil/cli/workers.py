"""`--cluster`: workers on other machines, for commands with much work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from veil.cli.call import Call, Options
from veil.cli.options import limited_number
from veil.cli.output import print_problems
from veil.errors import Problem, fail, problem

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from veil.equilibrium import PreparedGame, Walk

BATCH_SECONDS = 1.0  # equal to that of the executor, which takes long to import; a test checks it

ClusterName = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Work on a Dask cluster: tcp://host:8786, tls://host:8786, or local:4 for 4 workers of its own here.",
    ),
]
BatchSeconds = Annotated[
    float, limited_number("seconds", help="About how many seconds of work a worker of the cluster gets at a time.")
]


@dataclass(kw_only=True)
class ClusterChoice(Options):
    """The option for a cluster of workers."""

    cluster: ClusterName = None

    def check(self, jobs: int = 1) -> None:
        """Refuse a wrong address, or `--jobs` together with a cluster, before any work begins."""
        if self.cluster is None:
            return
        from veil.match import read_address  # help needs none of it

        read_address(self.cluster)
        if jobs != 1:
            raise fail("bad-option", what="--jobs are processes of this machine; with --cluster its workers play")

    @contextmanager
    def open(self, call: Call, *, isolated: bool = False) -> Iterator[Executor | None]:
        """Open the workers, or yield None without `--cluster`.

        Once they answer, say what others can do to them. At the end, warn of workers that were refused.
        """
        if self.cluster is None:
            yield None
            return
        from veil.match import find_exposure, open_cluster  # help needs none of it

        exposure = find_exposure(self.cluster)
        with open_cluster(self.cluster, batch_seconds=self._seconds, isolated=isolated) as workers:
            print_problems([exposure] if exposure else [])  # now, as the work may take hours
            try:
                yield workers
            finally:
                for address, why in sorted(workers.refused.items()):
                    call.warn(problem("worker-refused", worker=address, why=why))

    @property
    def _seconds(self) -> float:
        """About how long a batch should take."""
        return BATCH_SECONDS


@dataclass(kw_only=True)
class ClusterOptions(ClusterChoice):
    """The options for a cluster of workers that take batches of matches."""

    batch_seconds: BatchSeconds = BATCH_SECONDS

    @property
    def _seconds(self) -> float:
        return self.batch_seconds


def describe_traffic(prepared: PreparedGame | Walk) -> Problem:
    """Return a note on the bytes that a walk has sent to its workers and received."""
    from veil.equilibrium import PreparedGame  # help needs none of it

    if isinstance(prepared, PreparedGame) or prepared.crew is None:
        return problem("cluster-unused", game=prepared.game.name)
    return problem("cluster-traffic", sent=prepared.crew.sent / 1e6, received=prepared.crew.received / 1e6)
