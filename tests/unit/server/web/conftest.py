"""A studio for every test of its pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.studio import StudioClient, games_loaded_once, open_studio


@pytest.fixture(scope="module")
def _loaded_once() -> Iterator[None]:
    with games_loaded_once():
        yield


@pytest.fixture
def studio(tmp_path: Path, _loaded_once: None) -> Iterator[StudioClient]:
    """A studio whose workers are this process."""
    with open_studio(tmp_path / "studio") as client:
        yield client
