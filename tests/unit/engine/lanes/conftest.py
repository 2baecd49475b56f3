"""Folders for compiled code that a test may fill and damage."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.throwaway_kernels import INNER, OUTER
from veil.engine.lanes import cache, kernel_cache


@pytest.fixture
def code_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The empty folder in which the machine code of games is kept during this test."""
    monkeypatch.setenv("VEIL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_said", set())
    return tmp_path / "cache"


@pytest.fixture
def kernel_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The empty folder in which kernels are kept during this test; beside it two files with a kernel each."""
    monkeypatch.setattr(kernel_cache, "choose_folder", lambda: str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_said", set())
    (tmp_path / "inner.py").write_text(INNER)
    (tmp_path / "outer.py").write_text(OUTER)
    return tmp_path / "cache"
