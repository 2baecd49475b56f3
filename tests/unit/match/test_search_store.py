"""Searches on disk: what is added is there, in one order, once; damaged rows are refused."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from tests.support.refusals import refused
from veil.equilibrium import SlotWeights
from veil.match.search_store import SearchKey, SearchRow, SearchStore

SLOTS = 10


def row(number: int, place: int = 0, weight: float = 0.5) -> SearchRow:
    found = SlotWeights(np.array([2, 7], np.int32), np.array([weight, 1.0]))
    return SearchRow(SearchKey(number, place), 0.25, True, found)


def numbers(store: SearchStore) -> list[tuple[SearchKey, list[float]]]:
    return [(entry.key, entry.found.weights.tolist()) for entry in store.searches(SLOTS)]


def test_what_is_added_is_there_in_order_and_once(tmp_path: Path) -> None:
    path = str(tmp_path / "kept.db")
    with SearchStore(path) as store:
        store.add_searches([row(1), row(0, 3), row(0, 1)])
        store.add_searches([row(1, weight=9.0), row(2, weight=1 / 3)])
    with SearchStore(path) as store:
        assert [key for key, _ in numbers(store)] == [(0, 1), (0, 3), (1, 0), (2, 0)]
        assert [weights[0] for _, weights in numbers(store)] == [0.5, 0.5, 0.5, 1 / 3]
        assert store.keys() == {(0, 1), (0, 3), (1, 0), (2, 0)}
        (first, *_) = store.searches(SLOTS)
        assert (first.seconds, first.reported, first.found.slots.tolist()) == (0.25, True, [2, 7])


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE search SET slots = x'00'",
        "UPDATE search SET slots = 'text'",
        "UPDATE search SET weights = slots",
        "UPDATE search SET number = 'one'",
        "UPDATE search SET seconds = 'long'",
        "DROP TABLE search",
    ],
)
def test_a_damaged_file_is_refused(change: str, tmp_path: Path) -> None:
    path = tmp_path / "kept.db"
    with SearchStore(str(path)) as store:
        store.add_searches([row(0)])
    base = sqlite3.connect(path)
    base.execute(change)
    base.commit()
    base.close()
    with SearchStore(str(path)) as store:
        refused("bad-store", lambda: numbers(store))


def test_slots_beyond_the_game_and_weights_below_zero_are_refused() -> None:
    for slots, weights in (([2, 10], [1, 1]), ([-1, 2], [1, 1]), ([3, 3], [1, 1]), ([1, 2], [1, -1]), ([1], [np.nan])):
        with SearchStore() as store:
            found = SlotWeights(np.array(slots, np.int32), np.array(weights, float))
            store.add_searches([SearchRow(SearchKey(0, 0), 0.0, True, found)])
            refused("bad-store", lambda store=store: numbers(store))  # type: ignore[misc]
