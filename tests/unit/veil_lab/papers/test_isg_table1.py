"""Table 1 of the text on information sets: its figures, positions that are the same for all, cells that add up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from veil.belief import ExactBelief
from veil.engine.loader import load
from veil.games import write_pogddl
from veil_lab.papers import isg_table1
from veil_lab.papers.isg_positions import CAP, CONTENDERS, draw_position, run_contender
from veil_lab.papers.isg_table1 import PARTS, sample_infosets


def test_the_table_has_the_cells_of_the_text() -> None:
    """59 cells; sums of the printed table: 3,337 for Racko, and 5,800 for GOPS."""
    racko, battleship, gops = PARTS
    assert [len(part.cells) for part in PARTS] == [20, 19, 20]
    assert [len(part.corners) for part in PARTS] == [4, 3, 4]
    assert sum(racko.find_theirs("CSP", cell) or 0 for cell in racko.cells) == 3337
    assert sum(gops.find_theirs("CSP", cell) or 0 for cell in gops.cells) == 5800
    assert racko.find_theirs("DFS", (6, 40)) == 30
    assert battleship.find_theirs("CSP", (2, 8)) == 2161
    assert battleship.find_theirs("DFS", (2, 6)) is None  # not legible in the text
    assert battleship.find_theirs("ASP", (2, 8)) is None


def test_a_position_is_a_decision_and_comes_again_with_its_seed() -> None:
    game = load("racko(slots=2, cards=9)")
    one, two = (draw_position(game, np.random.default_rng(4)) for _ in range(2))
    assert (one.role, one.size) == (two.role, two.size)
    assert all((a[1] == b[1]).all() and a[::2] == b[::2] for a, b in zip(one.told, two.told, strict=True))
    assert game.roles[one.role] != "random"
    assert not one.told[-1][2]  # the game goes on


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize("seed", range(3))
def test_every_sampler_finds_all_of_a_small_infoset(seed: int) -> None:
    position = draw_position(load("battleship(size=3, ships=1)"), np.random.default_rng(seed))
    exact = ExactBelief(position.game.machine, position.role)
    for told in position.told:
        exact.observe(*told)
    assert exact.size == position.size
    for contender in CONTENDERS.values():
        found = run_contender(position, contender, 120.0)
        assert (found.capped, found.every) == (min(CAP, exact.size), exact.size)
        assert found.seconds is not None
        assert 0 < found.capped_states <= found.every_states


def test_a_sampler_without_time_finds_nothing() -> None:
    position = draw_position(load("gops(bids=4, extra=10, deal=early)"), np.random.default_rng(0))
    found = run_contender(position, CONTENDERS["DFS"], 0.0)
    assert (found.capped, found.every, found.seconds) == (0, 0, None)


@pytest.mark.compiled("slow as Python")
def test_the_report_adds_up_and_names_what_is_ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two small cells of GOPS in the place of the table."""
    small = PARTS[2]._replace(rows=(2,), columns=(0, 1), csp=((7, 8),), dfs=((1, None),))
    monkeypatch.setattr(isg_table1, "PARTS", (small,))
    monkeypatch.setattr(isg_table1, "POSITIONS", 2)
    report = sample_infosets(seed=3, seconds=20.0, authors=str(tmp_path))
    assert report.settings["seconds"] == 20.0
    assert len(report.rows) == 2 * len(CONTENDERS)
    for row in report.rows:
        cells = dict(zip(("bids", "extra", "sampler", "theirs", "capped", "of"), row[:6], strict=True))
        assert cells["capped"] <= cells["of"] <= 2 * CAP
        assert cells["capped"] <= row[7]
        assert row[6] <= row[8]
        assert cells["capped"] == cells["of"]
    assert [row[3] for row in report.rows if row[2] in ("DFS", "CSP")] == [1, 7, None, 8]
    assert "deal=early" in report.as_text()
    assert "The authors' own files of gops are not at hand" in report.as_text()


@pytest.mark.compiled("slow as Python")
def test_files_of_a_size_are_measured_beside_our_rules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A domain and a problem of ours under the names of the authors' files."""
    text = write_pogddl("gops(bids=2, extra=1, deal=early)")
    cut = text.index("(define (problem")
    (tmp_path / "Gops.pog").write_text(text[:cut], encoding="utf-8")
    (tmp_path / "gops-2.1.pog").write_text(text[cut:], encoding="utf-8")
    small = PARTS[2]._replace(rows=(2,), columns=(0, 1), csp=((7, 8),), dfs=((1, None),))
    monkeypatch.setattr(isg_table1, "PARTS", (small,))
    monkeypatch.setattr(isg_table1, "POSITIONS", 1)
    report = sample_infosets(seed=3, seconds=20.0, authors=str(tmp_path))
    [files] = report.parts
    assert files.name == "isg-table1-gops-files"
    assert [row[:3] for row in files.rows] == [(2, 1, name) for name in CONTENDERS]
    assert [row[3] for row in files.rows if row[2] in ("DFS", "CSP")] == [None, 8]
    assert [row[-1] for row in files.rows] == [row[4] for row in report.rows if row[:2] == (2, 1)]
    assert all(row[4] == row[5] for row in files.rows)


@pytest.mark.slow
@pytest.mark.nightly
def test_the_quick_table_has_the_corners_of_all_three_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(isg_table1, "QUICK_POSITIONS", 1)
    report = sample_infosets(quick=True, seconds=0.1, authors=str(tmp_path))
    parts = [report, *report.parts]
    assert [part.name for part in parts] == ["isg-table1", "isg-table1-battleship", "isg-table1-gops"]
    for part, expected in zip(parts, PARTS, strict=True):
        assert [row[:2] for row in part.rows[:: len(CONTENDERS)]] == expected.corners
        assert all(row[4] <= row[5] for row in part.rows)
