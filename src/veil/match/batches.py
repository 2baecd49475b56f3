"""The size of batches of tasks for workers. Sending a batch should cost little time, and so should losing one.

An executor may have a field `batching` with its own sizes. Processes of this machine use the defaults.
"""

from __future__ import annotations

from typing import NamedTuple

BATCH_SECONDS = 0.2  # wanted duration of a batch of matches
MAX_BATCH = 100  # most matches of a batch


class Batching(NamedTuple):
    """The wanted size of a batch."""

    seconds: float = BATCH_SECONDS  # duration; a longer match is a batch of its own
    most: int = MAX_BATCH  # most matches in it
