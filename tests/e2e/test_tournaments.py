"""Tournaments from outside: what is refused before anything is played, what is written, Ctrl-C, workers that die."""

from __future__ import annotations

import csv
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

import veil
from tests.support.archetypes import nightly_but
from tests.support.command import COMMAND, PATIENCE, RACE, count_stored, errors_of, inside
from tests.support.processes import NEEDS_PROC, WITH_CTRL_C, children, runs, wait_until
from veil.match import tournament
from veil_lab.papers import its

BOTH = ["tournament", "kuhn_poker", "exploding_bomb", "--players", "random", "first", "--games", "4"]


# Before anything is played


@pytest.fixture
def nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*words: object) -> None:
        raise AssertionError("too late")

    monkeypatch.setattr(tournament, "play_task", refuse)
    monkeypatch.setattr(its, "cutting_wire", refuse)


@pytest.mark.usefixtures("nothing_runs")
@pytest.mark.parametrize("command", [BOTH, ["reproduce", "its-fig2"]], ids=lambda words: words[0])
@pytest.mark.parametrize("out", ["", " ", "a file", "a file/below", "/proc/self/results"])
def test_a_folder_that_cannot_be_written_is_refused_first(
    command: list[str], out: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a file").touch()
    code, shown, message = inside(*command, "--out", out)
    assert (code, shown) == (2, "")
    assert message.startswith(f"error: cannot write {out.strip() or '(nothing)'}: ")
    assert [entry.name for entry in tmp_path.iterdir()] == ["a file"]


@pytest.mark.usefixtures("nothing_runs")
@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["kuhn_poker", "--players", "human", "random"], "a human cannot play in a tournament"),
        (["kuhn_poker", "--players", "random", "random:", " random"], "a player is named twice"),
        (["kuhn_poker", "kuhn_poker", "--players", "random"], "a game is named twice"),
        (["krieg_tictactoe", "krieg_tictactoe(size=3)", "--players", "random"], "a game is named twice"),
    ],
)
def test_tournaments_without_sense_are_refused(words: list[str], part: str) -> None:
    code, shown, message = inside("tournament", *words)
    assert (code, shown) == (2, "")
    assert message.startswith(f"error: {part}")
    assert message.count("\n") == 1


def test_a_store_is_not_taken_for_that_of_a_namesake(race: Path, tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    words: list[str | Path] = ["tournament", race, "--players", "random", "first", "--games", "3", "--store", store]
    assert inside(*words)[0] == 0
    race.write_text(RACE.replace("100", "60"))
    code, shown, message = inside(*words)
    assert (code, shown) == (2, "")
    assert f"other rules for {race}" in message


def test_the_database_of_somebody_else_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    with closing(sqlite3.connect(path)) as base:
        base.execute("CREATE TABLE notes (text)")
        base.commit()
    before = path.read_bytes()
    code, _, message = inside(*BOTH, "--store", path)
    assert (code, "not of matches" in message) == (2, True)
    assert path.read_bytes() == before


def test_a_folder_stands_for_its_rules_files(tmp_path: Path) -> None:
    for name in ("matching_pennies", "monty_hall"):
        (tmp_path / f"{name}.kif").write_text(veil.load(name).rules.source.text)
    (tmp_path / "notes.txt").write_text("no rules")
    code, whole, _ = inside("tournament", tmp_path, "--players", "random", "first", "--games", "1", "--json")
    given = [str(tmp_path / f"{name}.kif") for name in ("matching_pennies", "monty_hall")]
    assert (code, [table["game"] for table in json.loads(whole)["games"]]) == (0, given)
    (tmp_path / "empty").mkdir()
    code, _, message = inside("tournament", tmp_path / "empty", "--players", "random")
    assert (code, "holds no rules files" in message) == (2, True)


# What is shown and written


def test_the_files_hold_what_is_shown(tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder"
    code, whole, _ = inside(*BOTH, "--json", "--out", out)
    assert code == 0
    kuhn, bomb = json.loads(whole)["games"]
    with (out / "tournament.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["game", "player", "against", "mean", "ci95", "matches", "errors", "unfinished"]
    found = {(row["game"], row["player"], row["against"]): row for row in rows}
    assert len(found) == len(rows) == 4 + 2
    for table in (kuhn, bomb):
        for spec, entry in table["players"].items():
            row = found[table["game"], spec, ""]
            assert {name: float(row[name]) for name in entry} == entry
    for entry in kuhn["cross"]:
        assert float(found["kuhn_poker", entry["player"], entry["against"]]["mean"]) == entry["mean"]
    code, shown, _ = inside(*BOTH, "--out", out)
    assert code == 0
    assert "exploding_bomb: 4 matches per player" in (out / "tournament.md").read_text(encoding="utf-8")
    assert shown.endswith(f"\nwritten to {out}\n")


def test_when_the_files_cannot_be_written_after_all_the_table_has_been_shown(tmp_path: Path) -> None:
    (tmp_path / "tournament.csv").mkdir()
    code, shown, message = inside(*BOTH, "--out", tmp_path)
    assert code == 2
    assert "| random | " in shown
    assert message.startswith(f"error: cannot write {tmp_path}")


def test_matches_against_oneself_are_counted_once() -> None:
    _, whole, _ = inside("tournament", "kuhn_poker", "--players", "random", "--games", "6", "--json")
    found = json.loads(whole)
    assert found["matches"] == 6
    assert found["games"][0]["players"] == {
        "random": {"mean": 50.0, "ci95": None, "matches": 6, "unfinished": 0, "errors": 0}
    }


# Workers


@contextmanager
def started(*words: str | Path) -> Iterator[subprocess.Popen[bytes]]:
    """A command in a group of its own, as a shell starts it; nothing of it is left in the end."""
    command = [sys.executable, "-c", WITH_CTRL_C, *COMMAND, *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def workers(parent: int) -> list[int]:
    found = []
    for pid in children(parent):
        with suppress(OSError):
            if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
    return found


# A match of kuhn_poker takes no time, one of blind_breakthrough a minute and more.
LONG = ["tournament", "kuhn_poker", "blind_breakthrough", "--players", "random", "hyperplay:models=100,playouts=20000"]


@NEEDS_PROC
@pytest.mark.parametrize("seconds", nightly_but([0.3], [0.0, 0.3, 0.8]))
def test_ctrl_c_is_for_the_command_and_not_for_workers_that_boot(seconds: float) -> None:
    """As a terminal does it: all processes are told. Workers do not listen to anything yet."""
    with started(*LONG, "--jobs", "2") as process:
        assert wait_until(lambda: workers(process.pid))
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, errors_of(err)) == (130, b"", "interrupted\n")


@pytest.mark.gate_cases(1)
@NEEDS_PROC
@pytest.mark.parametrize("target", ["the whole group, as a terminal does", "the command alone, as kill does"])
def test_ctrl_c_waits_for_no_match_and_keeps_what_is_finished(target: str, tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    with started(*LONG, "--jobs", "2", "--store", store) as process:
        assert wait_until(lambda: count_stored(store) == 2)
        playing = workers(process.pid)
        (os.killpg if target.startswith("the whole group") else os.kill)(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, errors_of(err)) == (130, b"", "interrupted\n")
    assert len(playing) == 2
    assert not any(map(runs, playing))
    assert count_stored(store) == 2


@NEEDS_PROC
def test_a_worker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    words = [*BOTH[:-1], "100", "--json"]
    store = tmp_path / "store.sqlite"
    with started(*words, "--jobs", "2", "--store", store) as process:
        assert wait_until(lambda: count_stored(store))
        os.kill(workers(process.pid)[0], signal.SIGKILL)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors_of(err)) == (0, "")
    found, expected = json.loads(out), json.loads(inside(*words)[1])
    for entry in (*found["games"], *expected["games"]):
        del entry["rounds_per_second"]
    assert found["games"] == expected["games"]
    assert found["matches"] == expected["matches"] == count_stored(store) == 100 * 4
