"""`--cluster`: workers on other machines, for commands with much work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from veil.cli.call import Call, Options
from veil.cli.options import limited_number
from veil.errors import fail, problem

if TYPE_CHECKING:
    from concurrent.futures import Executor

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
    float, limited_number("seconds", help="About how long what is sent to a worker of the cluster at once should take.")
]


@dataclass(kw_only=True)
class ClusterOptions(Options):
    """The options for a cluster of workers."""

    cluster: ClusterName = None
    batch_seconds: BatchSeconds = BATCH_SECONDS

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
        """Open the workers, or yield None without `--cluster`. At the end, warn of workers that were refused."""
        if self.cluster is None:
            yield None
            return
        from veil.match import open_cluster  # help needs none of it

        with open_cluster(self.cluster, batch_seconds=self.batch_seconds, isolated=isolated) as workers:
            try:
                yield workers
            finally:
                for address, why in sorted(workers.refused.items()):
                    call.warn(problem("worker-refused", worker=address, why=why))
