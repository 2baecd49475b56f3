"""Table 1 of the text on information sets: its figures, positions that are the same for all, cells that add up."""

from __future__ import annotations

from math import comb, perm
from pathlib import Path

import numpy as np
import pytest

from tests.support.archetypes import nightly_but
from tests.support.runs import make_report
from veil.belief import SAMPLERS, ExactBelief, Sampler, SamplerContext
from veil.engine.game import Game
from veil.engine.loader import load
from veil.games import write_pogddl
from veil.report import Report
from veil_lab.papers import isg_positions, isg_table1
from veil_lab.papers.isg_positions import CAP, CONTENDERS, Position, Yield, draw_position, run_contender
from veil_lab.papers.isg_table1 import PARTS, TableExtent, TablePart, sample_infosets
from veil_lab.result_cache import keep_pieces


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


@pytest.mark.compiled("slow as Python")
def test_a_busy_machine_takes_no_processor_time_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deadlines that come far too early by the wall clock: the sampler is asked again until its seconds are used up."""
    monkeypatch.setattr(isg_positions, "measure_slowness", lambda: 1e-6)
    position = draw_position(load("battleship(size=3, ships=1)"), np.random.default_rng(0))
    found = run_contender(position, CONTENDERS["CSP"], 60.0)
    assert (found.capped, found.every) == (position.wanted, position.size)


@pytest.mark.compiled("slow as Python")
def test_a_sampler_that_can_go_on_observes_its_record_once_though_deadlines_come_too_early(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(isg_positions, "measure_slowness", lambda: 1e-6)
    made, make = list[str](), SAMPLERS.make

    def note(spec: str, context: SamplerContext) -> Sampler:
        made.append(spec)
        return make(spec, context)

    monkeypatch.setattr(SAMPLERS, "make", note)
    position = draw_position(load("racko(slots=3, cards=9)"), np.random.default_rng(2))
    made.clear()
    found = run_contender(position, CONTENDERS["figure 5"], 60.0, stop_at_cap=True)
    assert found.capped == position.wanted
    assert made == [CONTENDERS["figure 5"].spec]


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize(("slots", "cards"), nightly_but([(2, 7)], [(2, 7), (2, 9), (3, 9)]))
def test_the_infoset_after_the_deal_of_racko_holds_all_orders_of_the_other_rack(slots: int, cards: int) -> None:
    """The other rack is any sequence of cards that are not in sight and that do not ascend, as the game has not ended.

    In the standard game, with 60 cards and 10 slots, these are more than ten billion.
    """
    game = load(f"racko(slots={slots}, cards={cards})")
    position = draw_first_decision(game)
    exact = ExactBelief(game.machine, position.role)
    for told in position.told:
        exact.observe(*told)
    assert exact.size == position.size == count_racks(slots, cards)
    assert count_racks(10, 60) > 10**10


def count_racks(slots: int, cards: int) -> int:
    """How many racks the other may have: own cards and the one on the pile are in sight."""
    hidden = cards - slots - 1
    return perm(hidden, slots) - comb(hidden, slots)


def draw_first_decision(game: Game) -> Position:
    """The first decision of the game: everything is dealt."""
    return min((draw_position(game, np.random.default_rng(seed)) for seed in range(40)), key=lambda one: len(one.told))


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
    [limits] = report.parts
    assert [row[0] for row in limits.rows] == list(CONTENDERS)
    for row in limits.rows:
        assert list(row[1:]) == sorted(row[1:])
        assert row[-1] == 4  # two positions of two cells: twenty seconds are enough for all
    assert "The authors' own files of gops are not at hand" in report.as_text()


@pytest.mark.nightly
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
    files, _ = report.parts
    assert files.name == "isg-table1-gops-files"
    assert [row[:3] for row in files.rows] == [(2, 1, name) for name in CONTENDERS]
    assert [row[3] for row in files.rows if row[2] in ("DFS", "CSP")] == [None, 8]
    assert [row[-1] for row in files.rows] == [row[4] for row in report.rows if row[:2] == (2, 1)]
    assert all(row[4] == row[5] for row in files.rows)


@pytest.mark.compiled("slow as Python")
def test_positions_in_a_store_are_not_measured_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    small = PARTS[2]._replace(rows=(2,), columns=(0,), csp=((7,),), dfs=((1,),))
    monkeypatch.setattr(isg_table1, "PARTS", (PARTS[0], small))
    drawn = list[Position]()

    def sample(positions: int) -> Report:
        return sample_infosets(seed=3, seconds=20.0, positions=positions, game="gops", authors=str(tmp_path))

    def draw(game: Game, rng: np.random.Generator, most: int | None) -> Position:
        drawn.append(draw_position(game, rng, most))
        return drawn[-1]

    monkeypatch.setattr(isg_table1, "draw_position", draw)
    with keep_pieces(str(tmp_path / "pieces.db")):
        once = sample(1)
        assert sample(1).rows == once.rows
        assert len(drawn) == 1
        assert sample(2).settings["positions"] == 2  # a second one is added
    assert len(drawn) == 2
    assert (once.name, once.columns[:2], once.settings["game"]) == ("isg-table1", ("bids", "extra"), "gops")


def test_some_games_of_the_table_can_be_run_without_the_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    measured = list[str]()

    def measure(part: TablePart, extent: TableExtent, every: dict[str, list[Yield]]) -> Report:
        measured.append(part.name)
        return make_report([], ("slots",), name=f"isg-table1-{part.name}")

    monkeypatch.setattr(isg_table1, "_measure_part", measure)
    report = sample_infosets(game="racko, gops", authors=str(tmp_path))
    assert measured == ["racko", "gops"]
    assert report.settings["game"] == "racko, gops"


@pytest.mark.slow
@pytest.mark.nightly
def test_the_quick_table_has_the_corners_of_all_three_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(isg_table1, "QUICK_POSITIONS", 1)
    report = sample_infosets(quick=True, seconds=0.1, authors=str(tmp_path))
    parts = [report, *report.parts]
    names = ["isg-table1", "isg-table1-battleship", "isg-table1-gops", "isg-table1-limits"]
    assert [part.name for part in parts] == names
    for part, expected in zip(parts[:-1], PARTS, strict=True):
        assert [row[:2] for row in part.rows[:: len(CONTENDERS)]] == expected.corners
        assert all(row[4] <= row[5] for row in part.rows)
