"""Fixtures for tests of any room."""

from __future__ import annotations

import pytest

from tests.support.fake_clock import FakeClock


@pytest.fixture
def fake_clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    """The clock of deadlines and of the drivers of matches; it stands still until a test moves it."""
    clock = FakeClock()
    for module in ("veil.clock", "veil.match.drivers"):
        monkeypatch.setattr(f"{module}.perf_counter", clock)
    return clock


WITHOUT_KERNELS = ("tests/reference/", "tests/unit/lang/", "tests/unit/games/", "tests/test_house_style.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that need no kernels come first: another process may have to compile those meanwhile."""
    items.sort(key=lambda item: not item.nodeid.startswith(WITHOUT_KERNELS))
