"""Rule files for commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import ENDLESS, RACE


@pytest.fixture
def race(tmp_path: Path) -> Path:
    """A small game that ends."""
    path = tmp_path / "race.kif"
    path.write_text(RACE)
    return path


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """A game with infinitely many states, which no grounder gets through."""
    path = tmp_path / "endless.kif"
    path.write_text(ENDLESS)
    return path
