"""Matches: a match as data, drivers that run its players, logs, series on any executor, tournaments and their stores.

`table` (the match) <- `drivers`, `executors.isolated` (who runs players) <- `referee` (`run_match`), `resumable` (a
match that is taken up again) <- `tasks`, `series` (matches anywhere) <- `tournament`, with its `store`, `contents` and
`standings`; and `exploitability` of players, with `strategy_probe` (asks for strategies) and its `search_store`.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
