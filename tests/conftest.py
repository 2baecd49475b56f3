"""Fixtures for tests of any room."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from time import monotonic
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

from tests.support.fake_clock import FakeClock
from veil.match import referee

# A loaded machine is no fault of what is tested.
settings.register_profile("no deadlines", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no deadlines")


@pytest.fixture(scope="session", autouse=True)
def _studio_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The studio and the referee's key of whoever runs the tests are left alone."""
    with pytest.MonkeyPatch.context() as patches:
        patches.setenv("VEIL_KEY", str(tmp_path_factory.mktemp("key") / "referee.key"))
        patches.setenv("VEIL_STUDIO", str(tmp_path_factory.mktemp("studio")))
        yield


@pytest.fixture(scope="session", autouse=True)
def no_long_collections() -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """What the referee does for matches with a clock, and does not do here: to look through thousands of tests for
    garbage takes half a second, before each match."""
    with pytest.MonkeyPatch.context() as patches:
        original = referee._no_long_collections
        patches.setattr(referee, "_no_long_collections", nullcontext)
        yield original


@pytest.fixture
def fake_clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    """The clock of deadlines and of the drivers of matches; it stands still until a test moves it."""
    clock = FakeClock()
    for module in ("veil.clock", "veil.match.drivers"):
        monkeypatch.setattr(f"{module}.perf_counter", clock)
    return clock


WITHOUT_KERNELS = ("tests/reference/", "tests/unit/lang/", "tests/unit/games/", "tests/test_house_style.py")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--part 3/10` runs part 3 of parts 0 to 9, and so does `--part 13/10`."""
    parser.addoption("--part", help="NUMBER/PARTS: run one part of the selected tests, chosen by their names")
    parser.addoption("--minutes", type=float, help="tests that have not begun by then are skipped")


STARTED = monotonic()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what there is no time for, and what does not run as Python."""
    minutes = item.config.getoption("minutes")
    if minutes is not None and monotonic() > STARTED + 60 * minutes:
        pytest.skip(f"{minutes:g} minutes are over")
    _skip_compiled(item)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Tests that need no kernels come first: another process may have to compile those meanwhile."""
    _leave_out_cases(items)
    yield
    items.sort(key=lambda item: not item.nodeid.startswith(WITHOUT_KERNELS))
    if config.getoption("part"):
        number, parts = map(int, config.getoption("part").split("/"))
        chosen = {item for item in items if _number(item) % parts == number % parts}
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = [item for item in items if item in chosen]


def _leave_out_cases(items: list[pytest.Item]) -> None:
    """Of a test that is marked `gate_cases(N)`, N cases stay in `make test`, always the same; others are nightly."""
    cases: defaultdict[tuple[object, str], list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("gate_cases") and not item.get_closest_marker("nightly"):
            cases[item.parent, item.name.partition("[")[0]].append(item)
    for group in cases.values():
        marker = group[0].get_closest_marker("gate_cases")
        assert marker is not None
        for item in sorted(group, key=_number)[marker.args[0] :]:
            item.add_marker("nightly")


def _number(item: pytest.Item) -> int:
    """A number that depends on nothing but the name of a test."""
    return crc32(item.nodeid.encode())


def pytest_configure(config: pytest.Config) -> None:
    """Where kernels run as Python, words wrap round as they do in machine code; NumPy would warn of each."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        config.addinivalue_line("filterwarnings", "ignore:overflow encountered:RuntimeWarning")


def _skip_compiled(item: pytest.Item) -> None:
    """Where kernels run as Python, tests marked `compiled(reason, only)` are skipped and say why; only = parts of the
    names of those cases that are meant."""
    marker = item.get_closest_marker("compiled")
    if marker and os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        is_meant = any(part in item.name for part in marker.kwargs.get("only", [""]))
        if is_meant:
            pytest.skip(f"needs compiled kernels: {marker.args[0]}")
