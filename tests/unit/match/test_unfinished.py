"""Matches that the limit of rounds has ended: counted, shown, and in no mean; also those of old stores."""

from __future__ import annotations

import json
import sqlite3
from functools import partial
from pathlib import Path

import pytest

from tests.support.command import inside
from tests.support.refusals import refused
from veil.match import MatchConfig, run_match, run_tournament
from veil.match.standings import Mean, compute_standings, mean_goal, mean_of
from veil.match.store import FORM, FORM_BEFORE, Result, Store
from veil.report import standings_as_json, standings_as_text

# Ends when chance says so, in every second match or so; otherwise never.
PERHAPS = """
(role random) (role x) (role y) (init start)
(<= (legal random end) (true start))
(<= (legal random go_on) (true start))
(<= (legal random noop) (not (true start)))
(legal x wait) (legal y wait)
(<= (next over) (does random end))
(<= (next going) (true start) (not (does random end)))
(<= (next going) (true going))
(<= terminal (true over))
(<= (goal x 100) (true over))
(<= (goal x 50) (not (true over)))
(<= (goal y 0) (true over))
(<= (goal y 50) (not (true over)))
"""
NEVER = PERHAPS.replace("(<= (legal random end) (true start))\n", "")
SHORT = MatchConfig(max_rounds=30)
OLD_MATCH = """
CREATE TABLE match (
    game TEXT NOT NULL, players TEXT NOT NULL, number INTEGER NOT NULL,
    goals TEXT NOT NULL, errors TEXT NOT NULL, rounds INTEGER NOT NULL, seconds REAL NOT NULL,
    PRIMARY KEY (game, players, number)
)
"""


def result(number: int, finished: bool, goals: tuple[int, int] = (100, 0)) -> Result:
    return Result(
        game="g",
        players=("a", "b"),
        number=number,
        goals=goals,
        errors=(0, 0),
        rounds=4,
        seconds=0.5,
        finished=finished,
    )


def test_unfinished_matches_are_counted_and_not_averaged() -> None:
    results = [result(0, True), result(1, False, (50, 50)), result(2, True, (40, 60)), result(3, False, (50, 50))]
    (table,) = compute_standings(results, ["g"], "ab")
    assert table.unfinished == 2
    assert table.overall["a"] == Mean(70.0, mean_of([100, 40]).half, 2, unfinished=2)
    assert table.cross["b", "a"] == Mean(30.0, mean_of([0, 60]).half, 2, unfinished=2)


def test_where_no_match_has_ended_there_is_no_mean() -> None:
    (table,) = compute_standings([result(0, False, (50, 50))], ["g"], "ab")
    assert table.overall["a"] == Mean(None, None, 0, unfinished=1)
    assert str(table.overall["a"]) == "-"
    with pytest.raises(ValueError, match="no match has ended"):
        _ = table.overall["a"].known


def test_the_mean_goal_of_logs_leaves_unfinished_ones_out() -> None:
    logs = [run_match(PERHAPS, {"x": "first", "y": "first"}, seed, SHORT) for seed in range(8)]
    unfinished = sum(not log.finished for log in logs)
    assert 0 < unfinished < 8
    assert mean_goal(logs, "x") == Mean(100.0, None, 8 - unfinished, unfinished)


def test_a_tournament_counts_them_in_table_json_and_store(tmp_path: Path) -> None:
    store = str(tmp_path / "results.db")
    play = partial(run_tournament, PERHAPS, ("first", "random"), matches=6, match=SHORT, store=store)
    results, (table,) = play()
    unfinished = sum(not entry.finished for entry in results)
    assert 0 < unfinished < len(results)
    assert table.unfinished == unfinished
    assert f"{unfinished} matches have not ended and are in no mean" in standings_as_text([table])
    shown = standings_as_json(table)
    assert shown["unfinished"] == shown["players"]["first"]["unfinished"] == unfinished
    assert shown["players"]["first"]["matches"] == len(results) - unfinished
    assert play().results == results  # read again, none is played twice


def test_a_tournament_in_which_nothing_ends_has_a_table_all_the_same() -> None:
    _, (table,) = run_tournament(NEVER, ["first", "random"], matches=1, match=SHORT)
    assert [line.split("|")[2].strip() for line in standings_as_text([table]).splitlines()[4:]] == ["-", "-"]
    assert standings_as_json(table)["players"]["random"]["mean"] is None


@pytest.mark.compiled("slow as Python")
def test_the_command_shows_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veil.match.MatchConfig", partial(MatchConfig, max_rounds=1200))  # of 10,000
    rules = tmp_path / "never.kif"
    rules.write_text(NEVER, encoding="utf-8")
    words = ("match", rules, "--player", "x=first", "--player", "y=first", "--games", "2")
    plain, data = inside(*words), inside(*words, "--json")
    assert "never: 2 matches, 2 of them unfinished" in plain.out
    assert "first: no match has ended" in plain.out
    assert "mean goal" not in plain.out
    assert "2 of 2 matches did not end within 1,200 rounds" in plain.err
    assert data.json["unfinished"] == 2
    assert data.json["goals"] == {role: {"mean": None, "ci95": None} for role in "xy"}


def make_old_store(path: Path, settings: object) -> None:
    """A store of the form before, with a match of 12 rounds and one of 30."""
    with Store(str(path)) as store:
        store.check_identity({}, {"rules for g": "0123"})
        columns = "game, players, number, goals, errors, rounds, seconds"
        store._base.executescript(f"DROP TABLE match; {OLD_MATCH}; PRAGMA user_version={FORM_BEFORE}")
        for number, rounds in enumerate((12, 30)):
            row = ("g", '["a", "b"]', number, "[100, 0]", "[0, 0]", rounds, 0.5)
            store._base.execute(f"INSERT INTO match ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        store._base.execute("UPDATE tournament SET settings = ?", (json.dumps(settings),))


def test_an_old_store_is_brought_up_to_date_by_its_limit_of_rounds(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    make_old_store(path, {"seed": 0, "match": {"max_rounds": 30, "play_seconds": None}})
    for _ in range(2):
        with Store(str(path)) as store:
            assert [(entry.rounds, entry.finished) for entry in store.results()] == [(12, True), (30, False)]
    with Store(str(path)) as store:
        store.add([result(7, False)])
        assert store.results()[2] == result(7, False)
    base = sqlite3.connect(path)
    assert base.execute("PRAGMA user_version").fetchone() == (FORM,)
    base.close()


@pytest.mark.parametrize("settings", [{"seed": 0}, {"match": {"max_rounds": "many"}}, [1]])
def test_an_old_store_that_does_not_say_its_limit_is_refused(tmp_path: Path, settings: object) -> None:
    path = tmp_path / "old.db"
    make_old_store(path, settings)
    assert str(path) in refused("bad-store", lambda: Store(str(path)))


def test_a_row_that_has_neither_ended_nor_not_is_refused() -> None:
    with Store() as store:
        store.add([result(0, True)])
        store._base.execute("UPDATE match SET finished = 2")
        assert "neither ended nor not ended" in refused("bad-store", store.results)
