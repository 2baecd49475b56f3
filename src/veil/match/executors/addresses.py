"""`open_cluster`: an executor for an address, `tcp://scheduler:8786`, `tls://scheduler:8786` or `local:4`.

`local:N` starts a scheduler in this process and N workers on this machine, which end with this process. Each worker
has one thread and a memory limit. There is no dashboard, and they listen on loopback only. With the package
`cryptography` they use TLS with keys of their own, so other users of this machine cannot send them work.

For `tls://` the files are those that Dask's configuration names (`distributed.comm.tls`).
"""

from __future__ import annotations

import logging
import os
import re
import signal
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from veil.errors import Problem, check_kind, fail, problem
from veil.limits import check_limit
from veil.match.executors.cluster import CLUSTER_BATCHES, ClusterExecutor
from veil.match.executors.processes import defer_ctrl_c
from veil.signals import interruptible

LOCAL = re.compile(r"local:(\d{1,9})")
SCHEMES = ("tcp", "tls")
PORT = 8786  # of a scheduler, if the address has none
CONNECT_SECONDS = 10.0  # for a scheduler to answer, also after it was lost
MAX_WORKER_MEMORY = 4 << 30  # most bytes of a local worker; less if the machine has less memory per worker
TLS_FILES = {  # Dask's setting -> the variable that sets it
    "ca-file": "DASK_DISTRIBUTED__COMM__TLS__CA_FILE",
    "client.cert": "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT",
    "client.key": "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY",
}
LOCAL_SETTINGS = {
    "distributed.worker.daemon": False,  # isolated players are child processes of a worker
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.target": False,  # results are small and are sent at once: nothing has to go to disk
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,  # a worker that pauses would never continue
    "distributed.worker.memory.terminate": 0.95,
}


class ClusterAddress(NamedTuple):
    """The address of workers."""

    text: str  # as Dask writes it, and for messages
    local_workers: int = 0  # to be started on this machine; 0 if a scheduler runs already
    is_encrypted: bool = False


def read_address(text: str) -> ClusterAddress:
    """Parse the address of a cluster. Refuse anything else."""
    check_kind("address", text, str)
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


def find_exposure(address: str) -> Problem | None:
    """Return what others can do to a cluster at this address; None if only those who have its keys can send work."""
    place = read_address(address)
    if place.is_encrypted or (place.local_workers and has_keys()):
        return None
    return problem("cluster-without-keys" if place.local_workers else "cluster-open", None, address=place.text)


def has_keys() -> bool:
    """Return whether keys for TLS can be made here, which takes the package `cryptography`."""
    return find_spec("cryptography") is not None


@contextmanager
def open_cluster(
    address: str, *, batch_seconds: float = CLUSTER_BATCHES.seconds, isolated: bool = False
) -> Iterator[ClusterExecutor]:
    """Open an executor on the workers at an address: `with open_cluster("local:4") as workers: ...`.

    Work is sent in batches of about `batch_seconds`. With `isolated`, workers that may not start processes are refused.
    Unfinished work is cancelled at the end of the block.
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
    """Open a Dask client for the workers at an address."""
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
    """Refuse TLS without certificates. Dask would notice that much later."""
    _import_dask()
    import dask  # an optional package

    for name, variable in TLS_FILES.items():
        file = dask.config.get(f"distributed.comm.tls.{name}", None)
        if not file and name == "client.key":
            continue  # the key may be in the file of the certificate
        if not file:
            raise fail("bad-cluster", address=place.text, what=f"TLS needs files, and {variable} names none")
        if not os.path.isfile(file):
            raise fail("bad-cluster", address=place.text, what=f"there is no file {file}, which {variable} names")


@contextmanager
def _stay(address: str) -> Iterator[str]:
    """Yield the address of a running scheduler; nothing is started or ended."""
    yield address


@contextmanager
def _start_local(count: int) -> Iterator[Any]:
    """Run a scheduler and `count` workers on this machine until the end of the block."""
    distributed = _import_dask()
    import dask  # an optional package

    silence_logs()
    with dask.config.set(LOCAL_SETTINGS):
        with defer_ctrl_c():  # Ctrl-C must reach this process, not the workers
            cluster = distributed.LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                processes=True,
                memory_limit=_share_memory(count),
                dashboard_address="127.0.0.1:0",  # any free port, for a small server that cannot be turned off
                scheduler_kwargs={"dashboard": False},
                silence_logs=logging.CRITICAL,
                security=True if has_keys() else None,
            )
        try:
            yield cluster
        finally:
            with defer_ctrl_c():
                _end_workers(cluster)
                cluster.close(timeout=CONNECT_SECONDS)


def _share_memory(count: int) -> int:
    from distributed.system import MEMORY_LIMIT  # an optional package

    return min(MAX_WORKER_MEMORY, int(MEMORY_LIMIT) // count)


def _end_workers(cluster: Any) -> None:
    """Kill the worker processes. A worker that is asked to end would finish its match first."""
    for nanny in cluster.workers.values():
        nanny.auto_restart = False
        pid = getattr(nanny, "pid", None)
        if pid:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _import_dask() -> Any:
    """Import `distributed` as an untyped module, because it has few types. The import reads Dask's settings."""
    return import_module("distributed")


def silence_logs() -> None:
    """Turn off Dask's warnings and log messages, such as those about lost workers. Veil prints its own messages."""
    warnings.filterwarnings("ignore", "Sending large graph", UserWarning)  # policies of large games, once per pass
    for name in ("distributed", *(name for name in logging.root.manager.loggerDict if name.startswith("distributed."))):
        logging.getLogger(name).setLevel(logging.CRITICAL)
