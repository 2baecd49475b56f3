"""Rule files for commands, and folders for what they write."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import ENDLESS, RACE, VAST


@pytest.fixture
def race(tmp_path: Path) -> Path:
    """A small game that ends."""
    path = tmp_path / "race.kif"
    path.write_text(RACE)
    return path


@pytest.fixture
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is where commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """A game with infinitely many states, which no grounder gets through."""
    path = tmp_path / "endless.kif"
    path.write_text(ENDLESS)
    return path


@pytest.fixture
def vast(tmp_path: Path) -> Path:
    """A game with a billion moves: with the highest limit, the grounder works on it until it has no memory."""
    path = tmp_path / "vast.kif"
    path.write_text(VAST)
    return path
