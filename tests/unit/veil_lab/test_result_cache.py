"""Pieces of experiments on disk: found once, the same afterwards, and nobody else's."""

from __future__ import annotations

from concurrent.futures import Executor
from pathlib import Path

import pytest

from tests.support.games import game
from veil import VeilError
from veil.match import MatchConfig, Store, Task, play_all
from veil_lab import series
from veil_lab.result_cache import get, get_or_compute, keep_pieces, put
from veil_lab.series import play_series

SPECS = {"first": "oos:iterations=20", "second": "random"}
REPORTS = MatchConfig(reports=True)


def test_a_piece_is_found_once_and_the_same_afterwards(tmp_path: Path) -> None:
    path, found = str(tmp_path / "pieces.db"), []

    def find() -> tuple[float, float]:
        found.append(1)
        return 0.1, 1 / 3

    for _ in range(2):
        with keep_pieces(path):
            assert get_or_compute({"point": 1}, tuple[float, float], find) == (0.1, 1 / 3)
    assert len(found) == 1


def test_without_a_store_nothing_is_kept() -> None:
    with keep_pieces(None):
        put({"point": 1}, 5)
        assert get({"point": 1}, int) is None


def test_a_series_goes_on_from_the_matches_that_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kuhn, path = game("kuhn_poker"), str(tmp_path / "pieces.db")
    alone = play_series(kuhn, SPECS, 6, 3, REPORTS)
    played = []

    def count(tasks: list[Task], executor: Executor | None) -> object:
        played.append(len(tasks))
        return play_all(tasks, executor)

    monkeypatch.setattr(series, "play_all", count)
    for matches in (4, 6, 6, 2):
        with keep_pieces(path):
            kept = play_series(kuhn, SPECS, matches, 3, REPORTS)
        assert kept.efforts == alone.efforts[:matches]
        assert [log.as_lines() for log in kept.logs] == [log.as_lines() for log in alone.logs[:matches]]
    assert played == [4, 2, 0, 0]


def test_another_seed_player_or_way_of_holding_matches_is_another_piece(tmp_path: Path) -> None:
    kuhn = game("kuhn_poker")
    others = SPECS | {"second": "first"}
    with keep_pieces(str(tmp_path / "pieces.db")):
        play_series(kuhn, SPECS, 2, 3, REPORTS)
        assert play_series(kuhn, others, 2, 3, REPORTS).logs[0].players == others
        assert play_series(kuhn, SPECS, 2, 4, REPORTS) == play_series(kuhn, SPECS, 2, 4, REPORTS)
        assert not any(entry.reports for entry in play_series(kuhn, SPECS, 2, 3).logs[0].rounds)


def test_files_of_others_are_refused_and_left_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "tournament.db"
    with Store(str(path)):
        pass
    before = path.read_bytes()
    with pytest.raises(VeilError, match="not of pieces of experiments"), keep_pieces(str(path)):
        pass
    assert path.read_bytes() == before


def test_a_piece_of_another_shape_is_refused(tmp_path: Path) -> None:
    with keep_pieces(str(tmp_path / "pieces.db")):
        put({"point": 1}, "three")
        with pytest.raises(VeilError, match="no store of pieces of experiments"):
            get({"point": 1}, int)
