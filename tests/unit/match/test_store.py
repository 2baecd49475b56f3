"""Results on disk: written once, never twice, for one kind of tournament, in a file that is a store."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from tests.unit.match.tables import refused
from veil.match.store import Result, Store, check_store

SETTINGS = {"seed": 1, "match": {"play_seconds": None}}


def result(number: int, game: str = "g", players: tuple[str, ...] = ("a", "b"), goal: int = 100) -> Result:
    return Result(
        game=game, players=players, number=number, goals=(goal, 100 - goal), errors=(0, 1), rounds=5, seconds=0.25
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.db"


def filled(path: Path, matches: int = 300) -> bytes:
    """A store with several pages; its bytes."""
    with Store(str(path)) as store:
        store.settle(SETTINGS)
        store.add(result(number, players=("x" * 40, "y" * 40)) for number in range(matches))
    return path.read_bytes()


def use(path: Path) -> list[Result]:
    """What a tournament does first."""
    check_store(str(path))
    with Store(str(path)) as store:
        store.settle(SETTINGS)
        return store.results()


def test_what_is_added_is_there_when_the_file_is_opened_again(path: Path) -> None:
    with Store(str(path)) as store:
        store.add([result(1), result(0)])
        store.add([result(0, game="f")])
    with Store(str(path)) as store:
        assert store.results() == [result(0, game="f"), result(0), result(1)]


def test_results_have_an_order_of_their_own() -> None:
    whole = [
        result(number, game, players) for game in "fg" for players in (("a", "b"), ("b", "a")) for number in range(12)
    ]
    shuffled = random.Random(0).sample(whole, len(whole))
    with Store() as store:
        store.add(shuffled)
        assert store.results() == whole


def test_the_file_is_in_wal_mode(path: Path) -> None:
    filled(path, 1)
    base = sqlite3.connect(path)
    assert base.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    base.close()


def test_no_match_is_written_twice(path: Path) -> None:
    with Store(str(path)) as store:
        store.add([result(0, goal=30)])
        store.add([result(0, goal=99), result(1), result(1, goal=5)])
        assert [entry.goals[0] for entry in store.results()] == [30, 100]


def test_the_same_players_in_other_seats_are_another_match() -> None:
    with Store() as store:
        store.add([result(0), result(0, players=("b", "a")), result(0, game="h")])
        assert len(store.results()) == 3


def test_a_name_may_hold_anything() -> None:
    odd = result(0, game='g"); DROP TABLE match; --', players=("policy:file=ü/'x'.json", '["'))
    with Store() as store:
        store.add([odd])
        assert store.results() == [odd]


def test_a_match_is_on_disk_when_it_has_been_added(path: Path) -> None:
    """Another connection sees it at once, so that a killed process has lost nothing."""
    with Store(str(path)) as store:
        store.add([])
        for number in range(3):
            store.add([result(number)])
            with Store(str(path)) as other:
                assert len(other.results()) == number + 1


def test_a_file_that_cannot_be_written_is_refused(path: Path) -> None:
    """Somebody else holds the lock and does not let go; the store waits, and gives up."""
    with Store(str(path)) as store:
        store._base.execute("PRAGMA busy_timeout = 10")
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        assert "locked" in refused("bad-store", lambda: store.add([result(0)]))
        holder.execute("ROLLBACK")
        holder.close()
        store.add([result(0)])
        assert len(store.results()) == 1


def test_settings_are_kept_and_others_refused(path: Path) -> None:
    with Store(str(path)) as store:
        store.settle(SETTINGS)
        store.settle(dict(reversed(SETTINGS.items())))  # the order does not matter
    with Store(str(path)) as store:
        store.settle(SETTINGS)
        message = refused("bad-store", lambda: store.settle({**SETTINGS, "seed": 2}))
    assert "other settings" in message
    assert str(path) in message


def test_two_processes_may_write_to_one_file(path: Path) -> None:
    with Store(str(path)) as one, Store(str(path)) as other:
        one.add([result(0)])
        other.add([result(1), result(0, goal=1)])
        assert one.results() == other.results() == [result(0), result(1)]


@pytest.mark.parametrize(
    "text", [b"hello world\n" * 1000, b"\x00" * 5000, b"SQLite format 3\x00 is what I am not" * 50]
)
def test_a_file_that_is_no_store_is_refused_and_left_as_it_is(text: bytes, path: Path) -> None:
    path.write_bytes(text)
    assert str(path) in refused("bad-store", lambda: use(path))
    assert path.read_bytes() == text


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    path.touch()
    assert use(path) == []


def test_a_file_that_was_cut_off_is_refused(path: Path) -> None:
    whole = filled(path)
    path.write_bytes(whole[: len(whole) // 2])
    refused("bad-store", lambda: use(path))


def test_a_file_with_damaged_pages_is_refused(path: Path) -> None:
    whole = filled(path)
    path.write_bytes(whole[:8192] + random.Random(0).randbytes(len(whole) - 8192))
    refused("bad-store", lambda: use(path))


@pytest.mark.parametrize(
    "command", ["CREATE TABLE match (x)", "CREATE TABLE tournament (x)", "UPDATE match SET goals = 'many'"]
)
def test_a_database_of_somebody_else_is_refused(command: str, path: Path) -> None:
    if command.startswith("UPDATE"):
        filled(path, 2)
    base = sqlite3.connect(path)
    base.execute(command)
    base.commit()
    base.close()
    refused("bad-store", lambda: use(path))


def test_the_place_of_a_store_is_checked_before_anything_is_played(tmp_path: Path) -> None:
    refused("bad-store", lambda: check_store(str(tmp_path)))
    refused("bad-store", lambda: check_store(str(tmp_path / "nowhere" / "x.db")))
    check_store(str(tmp_path / "x.db"))
    check_store("x.db")
