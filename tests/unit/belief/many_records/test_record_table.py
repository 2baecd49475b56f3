"""Records by number: against dictionaries of keys."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.games import game
from veil.belief.many_records import record_table
from veil.belief.many_records.record_table import Records
from veil.belief.many_records.records import UNKNOWN
from veil.belief.many_records.table_kernels import list_missing
from veil.engine import replay_histories
from veil.engine.lanes import START_KEY
from veil_lab.weak_play import weak_game

SPEC = "blind_breakthrough(width=4, height=5)"


def observe_games(records: Records, rounds: int = 4, games: int = 20) -> dict[tuple[int, int], tuple[int, int, bytes]]:
    """Let them hear of the first rounds of some games: (role, key) -> (key before, own move, percepts)."""
    machine = game(SPEC).machine
    known: dict[tuple[int, int], tuple[int, int, bytes]] = {}
    histories = np.stack([weak_game(game(SPEC), seed)[:rounds] for seed in range(games)])
    for played in replay_histories(machine, histories):
        for role, seen in enumerate(played.percepts):
            before, after = played.keys[:, role], played.next_keys[:, role]
            records.observe(role, before, played.joint[:, role], seen, after)
            for row in range(games):
                told = (int(before[row]), int(played.joint[row, role]), seen[row].tobytes())
                known.setdefault((role, int(after[row])), told)
    return known


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize("room", [1 << 10, 4])
def test_a_table_knows_what_a_dictionary_knows(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With little room at first, the table grows several times."""
    monkeypatch.setattr(record_table, "FIRST_ROOM", room)
    records = Records(game(SPEC).machine)
    known = observe_games(records)
    table, columns = records.arrays, game(SPEC).machine.percept_columns
    assert len(records) == len(known) + len(game(SPEC).roles)
    for (role, key), (before, own_move, percepts) in known.items():
        (number,) = records.find(role, np.array([key], np.uint64))
        words = columns[role + 1] - columns[role]
        assert (table.key[number], table.role[number], table.own_move[number]) == (key, role, own_move)
        assert table.key[table.before[number]] == before
        assert table.role[table.before[number]] == role
        assert table.round[number] == table.round[table.before[number]] + 1
        assert table.percepts[number, :words].tobytes() == percepts


@pytest.mark.compiled("slow as Python")
def test_to_hear_of_a_record_again_changes_nothing() -> None:
    records = Records(game(SPEC).machine)
    observe_games(records)
    first = [part.copy() for part in records.arrays]
    observe_games(records)
    for one, other in zip(first, records.arrays, strict=True):
        assert one.tolist() == other.tolist()


def test_a_key_that_nobody_was_told_of_is_an_error() -> None:
    records = Records(game(SPEC).machine)
    assert records.find(1, np.array([START_KEY])).tolist() == [1]
    with pytest.raises(KeyError):
        records.find(1, np.array([START_KEY, 12345], np.uint64))


@pytest.mark.compiled("slow as Python")
def test_what_is_missing_are_all_records_back_to_one_that_is_known() -> None:
    """Each once, earlier rounds first, as a set of paths says."""
    records, rng = Records(game(SPEC).machine), np.random.default_rng(0)
    observe_games(records)
    table = records.arrays
    table.num_worlds[: len(records)] = np.where(rng.random(len(records)) < 0.3, 1, UNKNOWN)
    table.num_worlds[: len(game(SPEC).roles)] = 1  # the starts
    for _ in range(20):
        numbers = rng.integers(0, len(records), 10)
        expected = set()
        for number in numbers.tolist():
            while table.num_worlds[number] == UNKNOWN:
                expected.add(number)
                number = int(table.before[number])
        missing = list_missing(table, numbers).tolist()
        assert len(missing) == len(expected)
        assert set(missing) == expected
        assert sorted(table.round[missing].tolist()) == table.round[missing].tolist()
