"""Fixtures for the tests of lanes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.throwaway_kernels import INNER, OUTER
from veil.engine.lanes import cache, kernel_cache


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(kernel_cache, "choose_folder", lambda: str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_said", set())
    (tmp_path / "inner.py").write_text(INNER)
    (tmp_path / "outer.py").write_text(OUTER)
    return tmp_path / "cache"
