"""Matches: a match as data, drivers that run its players, logs, series on any executor, tournaments and their stores.

Modules, from the lowest layer to the highest: `table` (the match); `drivers` and `executors.isolated` (run players);
`referee` (`run_match`) and `resumable` (a match that can be continued); `tasks` and `series` (matches on any executor);
`tournament`, with its `store`, `contents` and `standings`. `exploitability` judges players, with `strategy_probe`
(asks a player for its strategies) and `search_store`.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
