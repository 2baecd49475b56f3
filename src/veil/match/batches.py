"""How work is cut into portions for workers: so large that to send one costs little, so small that to lose one does.

An executor with a field `batching` says what suits it; processes of this machine take the usual.
"""

from __future__ import annotations

from typing import NamedTuple

BATCH_SECONDS = 0.2  # that a batch of matches should take
MAX_BATCH = 100  # matches of a batch


class Batching(NamedTuple):
    """What a batch should be like."""

    seconds: float = BATCH_SECONDS  # that it takes; a match that takes longer is a batch of its own
    most: int = MAX_BATCH  # matches in it, however short they are
