"""`BoundedCache`: a limited number of results that a process keeps for later.

A cached result must be the result that anyone would compute under the same key. A result that a clock has cut short is
not: it is not cached, or the clock is part of its key.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """The `most` results that were used last, by key. Several threads may ask."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._values: OrderedDict[K, V] = OrderedDict()  # the most recently used one is last
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._values)

    def find(self, key: K) -> V | None:
        """Return the result of a key; None if there is none."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def keep(self, key: K, value: V) -> V:
        """Store a result, which must not be None, and return it; the least recently used ones make room."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self.most:
                self._values.popitem(last=False)
        return value
