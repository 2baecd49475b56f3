"""The size of batches of tasks for workers. Sending a batch should cost little time, and so should losing one.

An executor whose workers come and go has its own sizes (`CountsWorkers`). Processes of this machine use the defaults.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

from veil.parts import OptionalPart

BATCH_SECONDS = 0.2  # wanted duration of a batch of matches
MAX_BATCH = 100  # most matches of a batch


class Batching(NamedTuple):
    """The wanted size of a batch."""

    seconds: float = BATCH_SECONDS  # duration; a longer match is a batch of its own
    most: int = MAX_BATCH  # most matches in it


class CountsWorkers(OptionalPart):
    """An executor that knows how many workers it has, and how large a batch should be."""

    batching: Batching = Batching()

    @abstractmethod
    def count_workers(self) -> int:
        """Return the number of its workers now, at least 1."""
