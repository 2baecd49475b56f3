"""Standings of a tournament as text, JSON, CSV and files."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from veil.errors import VeilError
from veil.match.ranking import Estimate, PairedDifference, Ranking
from veil.match.standings import Mean, Standings
from veil.report import standings
from veil.report.standings import (
    ranking_as_json,
    standings_as_csv,
    standings_as_json,
    standings_as_text,
    write_standings,
)

KUHN = Standings(
    game="kuhn_poker",
    players=("random", "first"),
    overall={"random": Mean(50.5, 1.25, 40), "first": Mean(49.5, None, 40)},
    cross={("random", "first"): Mean(50.5, 1.25, 40), ("first", "random"): Mean(49.5, None, 40)},
    errors={"random": 0, "first": 12},
    rounds_per_second=1234.5,
)
ALONE = Standings(
    game="exploding_bomb",
    players=("random",),
    overall={"random": Mean(45.0, 2.0, 10)},
    cross={},
    errors={"random": 0},
    rounds_per_second=10.0,
)


def test_the_text_is_a_cross_table_per_game() -> None:
    assert standings_as_text([KUHN, ALONE]).splitlines() == [
        "kuhn_poker: 40 matches per player, 1,234 rounds per second; in goals, chips = goal - 50; "
        "± is half of a 95 % interval",
        "",
        "| player | mean goal  | against random | against first | errors |",
        "|--------|------------|---------------:|---------------|-------:|",
        "| random | 50.5 ± 1.2 |              - | 50.5 ± 1.2    |      0 |",
        "| first  | 49.5       |           49.5 | -             |     12 |",
        "",
        "exploding_bomb: 10 matches per player, 10 rounds per second; ± is half of a 95 % interval",
        "",
        "| player | mean goal  | errors |",
        "|--------|------------|-------:|",
        "| random | 45.0 ± 2.0 |      0 |",
    ]


RANKING = Ranking(
    players=("random", "first"),
    games=("kuhn_poker", "leduc_poker"),
    numbers=20,
    mean_ranks={"random": 1.0, "first": 2.0},
    mean_goals={"random": 55.0, "first": 45.0},
    elo={"random": Estimate(1520.4, 12.0), "first": Estimate(1479.6, 12.0)},
    differences=[PairedDifference("random", "first", Estimate(10.0, 3.25), True)],
)


def test_a_ranking_comes_after_the_tables() -> None:
    assert standings_as_text([KUHN], RANKING).splitlines()[-6:] == [
        "over 2 games: goals ahead on the same 20 seeds; * marks differences that chance does not explain, "
        "all together with 95 % (Holm)",
        "",
        "| player | mean rank | Elo       | ahead of first |",
        "|--------|----------:|-----------|----------------|",
        "| random |      1.00 | 1520 ± 12 | 10.0 ± 3.2*    |",
        "| first  |      2.00 | 1480 ± 12 | -              |",
    ]
    assert ranking_as_json(RANKING)["differences"] == [
        {"player": "random", "other": "first", "mean": 10.0, "ci95": 3.25, "shown": True}
    ]
    assert [row["player"] for row in ranking_as_json(RANKING)["players"]] == ["random", "first"]


def test_json_has_means_intervals_and_errors() -> None:
    assert standings_as_json(KUHN) == {
        "game": "kuhn_poker",
        "players": {
            "random": {"mean": 50.5, "ci95": 1.25, "matches": 40, "unfinished": 0, "errors": 0},
            "first": {"mean": 49.5, "ci95": None, "matches": 40, "unfinished": 0, "errors": 12},
        },
        "cross": [
            {"player": "random", "against": "first", "mean": 50.5, "ci95": 1.25, "matches": 40, "unfinished": 0},
            {"player": "first", "against": "random", "mean": 49.5, "ci95": None, "matches": 40, "unfinished": 0},
        ],
        "rounds_per_second": 1234.5,
        "unfinished": 0,
    }


def test_csv_has_a_line_per_player_and_one_per_pair() -> None:
    rows = list(csv.reader(io.StringIO(standings_as_csv([KUHN, ALONE]))))
    assert rows[0] == ["game", "player", "against", "mean", "ci95", "matches", "errors", "unfinished"]
    assert rows[1:] == [
        ["kuhn_poker", "random", "", "50.5", "1.25", "40", "0", "0"],
        ["kuhn_poker", "first", "", "49.5", "", "40", "12", "0"],
        ["kuhn_poker", "random", "first", "50.5", "1.25", "40", "", "0"],
        ["kuhn_poker", "first", "random", "49.5", "", "40", "", "0"],
        ["exploding_bomb", "random", "", "45.0", "2.0", "10", "0", "0"],
    ]


def test_the_files_hold_text_csv_and_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (extra `plots`)")
    write_standings([KUHN, ALONE], tmp_path)
    assert (tmp_path / "tournament.md").read_text(encoding="utf-8") == standings_as_text([KUHN, ALONE]) + "\n"
    assert (tmp_path / "tournament.csv").read_text(encoding="utf-8") == standings_as_csv([KUHN, ALONE])
    assert (tmp_path / "tournament.png").read_bytes().startswith(b"\x89PNG")
    assert len(list(tmp_path.iterdir())) == 3


def test_without_matplotlib_there_is_no_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standings, "has_matplotlib", lambda: False)
    write_standings([KUHN], tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tournament.csv", "tournament.md"]


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "tournament.csv").mkdir()
    with pytest.raises(VeilError, match=r"cannot write .*tournament.csv: Is a directory"):
        write_standings([KUHN], tmp_path)
