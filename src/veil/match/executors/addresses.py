"""`open_cluster`: an executor from an address, `tcp://scheduler:8786`, `tls://scheduler:8786` or `local:4`.

`local:N` starts a scheduler in this process and N workers on this machine, which end with it: one thread each, an
explicit limit of memory, no dashboard, loopback only. With the package `cryptography` they talk TLS with keys of their
own, so that nobody else on this machine can send them work.

For `tls://` the files are those that Dask's configuration names (`distributed.comm.tls`).
"""

from __future__ import annotations

import logging
import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from veil.errors import fail
from veil.limits import check_limit
from veil.match.executors.cluster import CLUSTER_BATCHES, ClusterExecutor
from veil.match.executors.processes import defer_ctrl_c
from veil.signals import interruptible

LOCAL = re.compile(r"local:(\d{1,9})")
SCHEMES = ("tcp", "tls")
PORT = 8786  # of a scheduler, unless the address says otherwise
CONNECT_SECONDS = 10.0  # for a scheduler to answer, and to come back when it was lost
MAX_WORKER_MEMORY = 4 << 30  # bytes of a local worker; less where the machine has less for each
TLS_FILES = {  # Dask's setting -> the variable that sets it
    "ca-file": "DASK_DISTRIBUTED__COMM__TLS__CA_FILE",
    "client.cert": "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT",
    "client.key": "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY",
}
LOCAL_SETTINGS = {
    "distributed.worker.daemon": False,  # isolated players are processes of a worker
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.target": False,  # results are small and leave at once: there is nothing to put on disk,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,  # and a worker that pauses would pause for ever
    "distributed.worker.memory.terminate": 0.95,
}


class ClusterAddress(NamedTuple):
    """Where workers are."""

    text: str  # as Dask wants it; for messages
    local_workers: int = 0  # that are started on this machine; 0 where a scheduler runs already
    is_encrypted: bool = False


def read_address(text: str) -> ClusterAddress:
    """The address of a cluster; what is none is refused."""
    given = text.strip()
    if local := LOCAL.fullmatch(given):
        check_limit("processes", int(local[1]), "local")
        return ClusterAddress(given, local_workers=int(local[1]))
    try:
        parts = urlsplit(given)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise fail("bad-cluster", address=given[:80], what=str(error)) from None
    if parts.scheme not in SCHEMES or not host or parts.path not in ("", "/") or parts.username or parts.query:
        raise fail("bad-cluster", address=given[:80] or "(nothing)", what="it is no address of a scheduler")
    place = f"[{host}]" if ":" in host else host
    return ClusterAddress(f"{parts.scheme}://{place}:{port or PORT}", is_encrypted=parts.scheme == "tls")


@contextmanager
def open_cluster(
    address: str, *, batch_seconds: float = CLUSTER_BATCHES.seconds, isolated: bool = False
) -> Iterator[ClusterExecutor]:
    """Workers at an address, as an executor: `with open_cluster("local:4") as workers: ...`.

    Work is sent in batches of about `batch_seconds`. Where players are to be `isolated`, workers have to be allowed
    processes of their own. What is not finished at the end of the block is given up.
    """
    place = read_address(address)
    check_limit("seconds", batch_seconds, "batch_seconds")
    if find_spec("distributed") is None:
        raise fail("no-dask")
    with _connect(place) as client:
        batching = CLUSTER_BATCHES._replace(seconds=batch_seconds)
        with ClusterExecutor(client, place.text, batching=batching, needs_children=isolated) as executor:
            yield executor


@contextmanager
def _connect(place: ClusterAddress) -> Iterator[Any]:
    """A Dask client for the workers at a place."""
    if place.is_encrypted:
        check_tls_files(place)
    with _start_local(place.local_workers) if place.local_workers else _stay(place.text) as scheduler:
        client = _open_client(place, scheduler)
        try:
            yield client
        finally:
            with defer_ctrl_c(), suppress(Exception):
                client.close(timeout=CONNECT_SECONDS)


def _open_client(place: ClusterAddress, scheduler: Any) -> Any:
    distributed = _import_dask()
    silence_logs()
    try:
        with interruptible():
            return distributed.Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError) as error:
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise fail("no-scheduler", address=place.text, reason=reason[0][:200]) from None


def check_tls_files(place: ClusterAddress) -> None:
    """Refuse TLS without certificates: Dask would say so much later."""
    _import_dask()
    import dask

    for name, variable in TLS_FILES.items():
        file = dask.config.get(f"distributed.comm.tls.{name}", None)
        if not file and name == "client.key":
            continue  # it may stand in the file of the certificate
        if not file:
            raise fail("bad-cluster", address=place.text, what=f"TLS needs files, and {variable} names none")
        if not os.path.isfile(file):
            raise fail("bad-cluster", address=place.text, what=f"there is no file {file}, which {variable} names")


@contextmanager
def _stay(address: str) -> Iterator[str]:
    """A scheduler that runs already is left as it is."""
    yield address


@contextmanager
def _start_local(count: int) -> Iterator[Any]:
    """A scheduler and so many workers on this machine, for the time of the block."""
    distributed = _import_dask()
    import dask

    silence_logs()
    with dask.config.set(LOCAL_SETTINGS):
        with defer_ctrl_c():  # Ctrl-C is for this process, and not for workers
            cluster = distributed.LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                processes=True,
                memory_limit=_share_memory(count),
                dashboard_address="127.0.0.1:0",  # of a small server that cannot be turned off; any free port
                scheduler_kwargs={"dashboard": False},
                silence_logs=logging.CRITICAL,
                security=True if find_spec("cryptography") else None,
            )
        try:
            yield cluster
        finally:
            with defer_ctrl_c():
                _end_workers(cluster)
                cluster.close(timeout=CONNECT_SECONDS)


def _share_memory(count: int) -> int:
    from distributed.system import MEMORY_LIMIT

    return min(MAX_WORKER_MEMORY, int(MEMORY_LIMIT) // count)


def _end_workers(cluster: Any) -> None:
    """End the worker processes at once, whatever they are doing: a worker that is asked finishes its match first."""
    for nanny in cluster.workers.values():
        nanny.auto_restart = False
        pid = getattr(nanny, "pid", None)
        if pid:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _import_dask() -> Any:
    """The package `distributed`, without its types: it has few. Importing it reads Dask's settings."""
    return import_module("distributed")


def silence_logs() -> None:
    """Workers that die and come back are our business; what matters is said in our own messages."""
    for name in ("distributed", *(name for name in logging.root.manager.loggerDict if name.startswith("distributed."))):
        logging.getLogger(name).setLevel(logging.CRITICAL)
