"""Faces: names are found when they are asked for, once, and nothing else is there."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

FACE = """
from veil.faces import lazy_face
__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
"""
NAMES = """
from made_room.inner import (
    Thing as Thing,
    answer as answer,
)
from made_room.other import late as late
"""


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A package with a face, made for one test."""
    folder = tmp_path / "made_room"
    folder.mkdir()
    (folder / "__init__.py").write_text(FACE)
    (folder / "__init__.pyi").write_text(NAMES)
    (folder / "inner.py").write_text("answer = 42\n\nclass Thing:\n    pass\n")
    (folder / "other.py").write_text("late = []\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield "made_room"
    for name in [name for name in sys.modules if name.startswith("made_room")]:
        del sys.modules[name]


def test_a_module_is_imported_when_one_of_its_names_is_used(room: str) -> None:
    face = __import__(room)
    assert f"{room}.inner" not in sys.modules
    assert face.answer == 42
    assert f"{room}.inner" in sys.modules
    assert f"{room}.other" not in sys.modules


def test_a_name_is_looked_up_once(room: str) -> None:
    face = __import__(room)
    assert face.late is face.late
    assert "late" in vars(face)


def test_a_face_lists_its_names_and_refuses_others(room: str) -> None:
    face = __import__(room)
    assert dir(face) == face.__all__ == ["Thing", "answer", "late"]
    with pytest.raises(AttributeError, match="module 'made_room' has no attribute 'question'"):
        _ = face.question
