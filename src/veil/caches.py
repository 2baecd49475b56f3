"""`BoundedCache`: results that a process keeps for later, so many of them at most.

What is kept must be what anybody else would work out under the same key. A result that a clock has cut short is not: it
is not kept, or the clock is part of its key.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """The `most` results that were asked for last, by key. Several threads may ask."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._values: OrderedDict[K, V] = OrderedDict()  # the one that was asked for last stands last
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._values)

    def find(self, key: K) -> V | None:
        """Return the result that is kept under a key; None where there is none."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def keep(self, key: K, value: V) -> V:
        """Keep a result, which must not be None, and return it; those that nobody has asked for longest make room."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self.most:
                self._values.popitem(last=False)
        return value
