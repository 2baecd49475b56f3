"""What Veil uses of Python's own processes that Python does not document."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import current_process, resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess

__all__ = ["SpawnContext", "SpawnProcess", "find_socket_folder", "list_processes", "start_resource_tracker"]


def find_socket_folder() -> str | None:
    """The temporary folder through which this process talks to the server it forks from; None where there is none."""
    folder: str | None = current_process()._config.get("tempdir")  # type: ignore[attr-defined]
    return folder


def list_processes(pool: ProcessPoolExecutor) -> list[BaseProcess]:
    """The processes of a pool that it has started and not ended."""
    return list((pool._processes or {}).values())


def start_resource_tracker() -> None:
    """Start the process that removes what others leave behind, if it does not run."""
    resource_tracker.ensure_running()
