"""What Veil uses of Python's own processes that Python does not document."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import current_process, resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any

__all__ = [
    "SpawnContext",
    "SpawnProcess",
    "cached_property",
    "find_socket_folder",
    "list_processes",
    "start_resource_tracker",
]

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property:  # noqa: N801
        """`functools.cached_property` as it is since Python 3.12: without a lock that all objects share.

        With that lock, one game that takes a minute to ground would let all others wait.
        """

        def __init__(self, compute: Callable[[Any], Any]) -> None:
            self.compute, self.__doc__ = compute, compute.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __get__(self, owner: Any, kind: type | None = None) -> Any:
            """Return the value, which is computed once per object."""
            if owner is None:
                return self
            value = self.compute(owner)
            owner.__dict__[self.name] = value
            return value


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
