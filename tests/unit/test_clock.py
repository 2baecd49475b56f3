"""Deadlines on a clock that stands still except while somebody works."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from tests.support.fake_clock import FakeClock
from veil import clock
from veil.clock import has_passed, pace, show_seconds, split_portions


def work(fake: FakeClock, deadline: float, costs: list[float], first: int = 1) -> list[int]:
    """The pieces that were worked off, when the n-th unit of a piece costs as the list says, over and over."""
    sizes, done = [], 0
    for size in pace(deadline, first):
        sizes.append(size)
        for _ in range(size):
            fake.now += costs[done % len(costs)]
            done += 1
    return sizes


def test_a_deadline_passes_when_its_moment_comes(fake_clock: FakeClock) -> None:
    assert not has_passed(None)
    assert not has_passed(100.1)
    assert has_passed(100.0)
    assert has_passed(99.0)


def test_pieces_double_and_then_halve_with_the_time_that_is_left(fake_clock: FakeClock) -> None:
    assert work(fake_clock, 101.0, [1 / 128]) == [1, 2, 4, 8, 16, 32, 32, 16, 8, 4, 2, 1, 1]
    assert fake_clock.now == 101.0 - 1 / 128


def test_the_first_piece_comes_in_any_case_and_alone_if_it_is_late(fake_clock: FakeClock) -> None:
    assert work(fake_clock, 99.0, [5.0]) == [1]
    assert work(fake_clock, fake_clock.now + 1, [5.0], first=3) == [3]


@given(st.lists(st.floats(0.0005, 0.001), min_size=1, max_size=50))
def test_work_that_varies_twofold_ends_in_time_and_uses_most_of_it(costs: list[float]) -> None:
    fake = FakeClock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "perf_counter", fake)
        work(fake, 101.0, costs)
    assert 100.99 < fake.now <= 101.0 + 1e-9


def test_portions_without_a_deadline_are_all_there_is() -> None:
    assert list(split_portions(10, 4, None)) == [slice(0, 4), slice(4, 8), slice(8, 10)]
    assert list(split_portions(0, 4, None)) == [slice(0, 0)]


def test_portions_end_with_the_time(fake_clock: FakeClock) -> None:
    found = []
    for part in split_portions(1000, 100, 101.0, first=8):
        found.append(part)
        fake_clock.now += 0.01 * (part.stop - part.start)
    assert found[0] == slice(0, 8)
    assert all(before.stop == after.start for before, after in pairwise(found))
    assert 90 <= found[-1].stop <= 100
    assert [part.stop for part in split_portions(5, 100, 0.0, first=8)] == [5]  # the first, however late it is


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.4, "0 s"), (99, "99 s"), (100, "2 min"), (7200, "2.0 h"), (3.6e6, "1,000 h"), (1e16, "3e+12 h")],
)
def test_times_have_the_unit_that_suits_them(seconds: float, shown: str) -> None:
    assert show_seconds(seconds) == shown
