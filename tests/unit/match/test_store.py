"""Results on disk: written once, never twice, for one kind of tournament, in a file that is a store."""

from __future__ import annotations

import contextlib
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.support.refusals import refused
from veil.match.store import FORM, Result, Store, check_store

SETTINGS = {"seed": 1, "match": {"play_seconds": None}}
SOURCES = {"rules for g": "0123"}


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
        store.check_identity(SETTINGS, SOURCES)
        store.add(result(number, players=("x" * 40, "y" * 40)) for number in range(matches))
    return path.read_bytes()


def use(path: Path) -> list[Result]:
    """What a tournament does first."""
    check_store(str(path))
    with Store(str(path)) as store:
        store.check_identity(SETTINGS, SOURCES)
        return store.results()


def changed(path: Path, *commands: str) -> bytes:
    """Somebody else writes to the file; its bytes afterwards."""
    base = sqlite3.connect(path)
    for command in commands:
        base.execute(command)
    base.commit()
    base.close()
    return path.read_bytes()


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
        store.check_identity(SETTINGS, SOURCES)
        store.check_identity(dict(reversed(SETTINGS.items())), SOURCES)  # the order does not matter
    with Store(str(path)) as store:
        store.check_identity(SETTINGS, SOURCES)
        message = refused("bad-store", lambda: store.check_identity({**SETTINGS, "seed": 2}, SOURCES))
    assert "other settings" in message
    assert str(path) in message


def test_what_stands_behind_a_name_is_kept_and_anything_else_refused(path: Path) -> None:
    with Store(str(path)) as store:
        store.check_identity(SETTINGS, {"rules for g": "0123"})
    with Store(str(path)) as store:
        other = {"rules for f": "1", "rules for g": "4567"}
        assert "other rules for g" in refused("bad-store", lambda: store.check_identity(SETTINGS, other))
        store.check_identity(
            SETTINGS, {"rules for f": "2"}
        )  # what came with the refusal was not written; new names may join
        refused("bad-store", lambda: store.check_identity(SETTINGS, {"rules for f": "1"}))
        store.check_identity(SETTINGS, {"rules for g": "0123", "rules for f": "2"})


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
    "commands",
    [
        ["CREATE TABLE match (x)"],
        ["CREATE TABLE tournament (x)"],
        ["CREATE TABLE notes (text)", "INSERT INTO notes VALUES ('mine')"],
        ["PRAGMA journal_mode=WAL", "CREATE TABLE notes (text)"],
        ["PRAGMA application_id=7", "PRAGMA user_version=2"],
        ["PRAGMA user_version=9"],
    ],
)
def test_a_database_of_somebody_else_is_refused_and_left_as_it_is(commands: list[str], path: Path) -> None:
    before = changed(path, *commands)
    assert "not of matches" in refused("bad-store", lambda: use(path))
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_what_somebody_else_has_not_finished_is_left_to_them(path: Path) -> None:
    """The last changes of a database in WAL mode are in a second file; whoever opens and closes it ends that."""
    base = sqlite3.connect(path, isolation_level=None)
    base.execute("PRAGMA journal_mode=WAL")
    base.execute("CREATE TABLE notes (text)")
    copies = [path.with_name(name) for name in ("copy.db", "copy.db-wal")]
    for copy, suffix in zip(copies, ("", "-wal"), strict=True):
        copy.write_bytes(Path(f"{path}{suffix}").read_bytes())
    base.close()
    before = [copy.read_bytes() for copy in copies]
    refused("bad-store", lambda: use(copies[0]))
    assert [copy.read_bytes() for copy in copies] == before


def test_a_store_that_does_not_know_the_rules_is_refused_and_left_as_it_is(path: Path) -> None:
    """The tables of the first form, word by word."""
    before = changed(
        path,
        "PRAGMA journal_mode=WAL",
        "CREATE TABLE tournament (name TEXT PRIMARY KEY, settings TEXT NOT NULL)",
        "CREATE TABLE match (game TEXT NOT NULL, players TEXT NOT NULL, number INTEGER NOT NULL, goals TEXT NOT NULL, "
        "errors TEXT NOT NULL, rounds INTEGER NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (game, players, number))",
        """INSERT INTO match VALUES ('g', '["a", "b"]', 0, '[100, 0]', '[0, 0]', 5, 0.25)""",
    )
    assert "older Veil" in refused("bad-store", lambda: use(path))
    assert path.read_bytes() == before


def test_a_store_of_a_later_form_is_refused(path: Path) -> None:
    filled(path, 2)
    changed(path, f"PRAGMA user_version={FORM + 1}")
    assert "another version" in refused("bad-store", lambda: use(path))


@pytest.mark.parametrize("stop", ["application_id", "journal_mode", "user_version"])
def test_a_store_that_was_killed_while_it_was_made_is_made_again(
    stop: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(sqlite3.Connection):
        def execute(self, command: str, *rest: Any) -> sqlite3.Cursor:
            if command.startswith(f"PRAGMA {stop}=") or (stop == "user_version" and "synchronous" in command):
                raise KeyboardInterrupt
            return super().execute(command, *rest)

    connect = sqlite3.connect
    with monkeypatch.context() as broken:
        broken.setattr(sqlite3, "connect", lambda *words, **options: connect(*words, **options, factory=Killed))
        with pytest.raises(KeyboardInterrupt):
            Store(str(path))
    assert use(path) == []


@pytest.mark.parametrize(
    "change",
    [
        "goals = 'many'",
        "goals = '[1]'",
        """goals = '["a", "b"]'""",
        "goals = '[null, null]'",
        "goals = '[1.5, 2]'",
        "goals = '[true, false]'",
        "goals = '{}'",
        "goals = ''",
        "goals = 7",
        "goals = x'00ff'",
        "goals = '" + "[" * 100_000 + "'",
        "errors = '[]'",
        "errors = '[0, -1]'",
        """players = '"ab"'""",
        "players = '[1, 2]'",
        """players = '["a",  "b"]', number = 1 - number""",
        "number = number - 1",
        "rounds = 'few'",
        "seconds = 'long'",
        "seconds = 9e999",
        "game = x'00'",
    ],
    ids=lambda change: change[:30],
)
def test_a_store_with_a_damaged_row_is_refused(change: str, path: Path) -> None:
    with Store(str(path)) as store:
        store.check_identity(SETTINGS, SOURCES)
        store.add([result(0), result(1)])
    changed(path, f"UPDATE match SET {change} WHERE number = 0")
    assert str(path) in refused("bad-store", lambda: use(path))


def test_the_place_of_a_store_is_checked_before_anything_is_played(tmp_path: Path) -> None:
    refused("bad-store", lambda: check_store(str(tmp_path)))
    refused("bad-store", lambda: check_store(str(tmp_path / "nowhere" / "x.db")))
    refused("bad-store", lambda: check_store("/dev/null"))
    refused("bad-store", lambda: check_store(""))
    refused("bad-store", lambda: check_store("x" * 5000))
    check_store(str(tmp_path / "x.db"))
    check_store("x.db")


def test_memory_has_no_name(tmp_path: Path) -> None:
    """What SQLite would take for memory is a file like any other."""
    with contextlib.chdir(tmp_path), Store(":memory:") as store:
        store.add([result(0)])
    assert [entry.name for entry in tmp_path.iterdir()] == [":memory:"]


# Pairing by pairing, for tables


def test_matches_of_a_pairing_are_counted_listed_and_read_in_the_order_of_their_numbers() -> None:
    with Store() as store:
        store.add([result(number, goal=number) for number in (7, 2, 5, 12)])
        store.add([result(1, players=("b", "a")), result(3, game="f")])
        pairing = ("g", ("a", "b"))
        assert store.pairings() == [("f", ("a", "b")), pairing, ("g", ("b", "a"))]
        assert [store.count(*pairing, matches) for matches in (0, 5, 6, 10**15)] == [0, 1, 2, 4]
        assert store.numbers(*pairing, 5, 12) == {5, 7}
        scores = list(store.scores(*pairing, 12))
        assert [score.number for score in scores] == [2, 5, 7]
        assert (
            scores
            == [entry.score for entry in store.results() if entry.players == ("a", "b") and entry.game == "g"][:3]
        )
        assert list(store.scores("nobody", ("a",), 9)) == []


@pytest.mark.parametrize(
    "program",
    [
        "CREATE TRIGGER t AFTER INSERT ON match BEGIN DELETE FROM match; END",
        "CREATE VIEW v AS SELECT * FROM match",
    ],
)
@pytest.mark.parametrize("read_only", [False, True])
def test_a_store_with_programs_of_somebody_else_is_refused_and_left_alone(
    program: str, read_only: bool, tmp_path: Path
) -> None:
    path = tmp_path / "foreign.sqlite"
    with Store(str(path)):
        pass
    with contextlib.closing(sqlite3.connect(path)) as base:
        base.execute(program)
        base.commit()
        assert "which a store does not have" in refused("bad-store", lambda: Store(str(path), read_only=read_only))


def test_a_full_disk_is_not_called_a_file_that_is_no_store(tmp_path: Path) -> None:
    with Store(str(tmp_path / "store.sqlite")) as store:
        store._base.execute("PRAGMA max_page_count=1")  # as if the disk were full
        results = [
            Result(
                game="g" * 3000,
                players=("a",),
                number=number,
                goals=(1,),
                errors=(0,),
                rounds=1,
                seconds=0.0,
                finished=True,
            )
            for number in range(20)
        ]
        message = refused("bad-store", lambda: store.add(results))
    assert "database or disk is full" in message
    assert "it is no store" not in message
