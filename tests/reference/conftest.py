"""Tests of oracles: the first test of each file is in the gate, the others are nightly."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is nightly here; oracles change seldom, and every other suite uses them."""
    here = [item for item in items if item.path.parent == Path(__file__).parent]
    for _, in_file in groupby(here, key=lambda item: item.path):
        for item in list(in_file)[1:]:
            item.add_marker("nightly")
