"""Files with joint moves: lists, traces, and what is neither."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from veil.cli.moves import read_moves
from veil.errors import VeilError

MOVES = [{"x": "(mark 1 1)", "o": "noop"}, {}]


def write(folder: Path, value: object) -> str:
    path = folder / "moves.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return str(path)


def test_a_list_and_a_trace_hold_the_same_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_moves(write(tmp_path, MOVES)) == MOVES
    rounds = [{"joint": joint, "state": ["a"], "legal": {"x": []}} for joint in MOVES] + [{"state": ["b"]}]
    trace = {"rounds": rounds, "roles": ["x", "o"], "terminal": False}
    assert read_moves(write(tmp_path, trace)) == MOVES
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(MOVES)))
    assert read_moves("-") == MOVES


@pytest.mark.parametrize("value", [[], {"rounds": []}, {"rounds": [{}]}])
def test_there_may_be_no_moves_at_all(value: object, tmp_path: Path) -> None:
    assert read_moves(write(tmp_path, value)) == []


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("[", "not JSON: Expecting value: line 1 column 2 (char 1)"),
        ("[" * 100_000, "not JSON: nested too deep"),
        (7, "not a list of rounds"),
        ({"x": "noop"}, "not a list of rounds"),
        ({"rounds": 7}, "not a list of rounds"),
        ([{}, "noop"], "round 2 is not an object of role: move"),
        ([{"x": 5}], "round 1 is not an object of role: move"),
        ([{}, {}, {"x": ["noop"]}], "round 3 is not an object of role: move"),
        ({"rounds": [{"joint": {"x": 5}}]}, "round 1 is not an object of role: move"),
        ({"rounds": [{}, 5]}, "round 2 is not an object of role: move"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_anything_else_is_refused_with_its_round(value: object, what: str, tmp_path: Path) -> None:
    name = write(tmp_path, value)
    with pytest.raises(VeilError) as caught:
        read_moves(name)
    (problem,) = caught.value.problems
    assert (problem.code, problem.message) == ("bad-moves-file", f"{name}: {what}")


def test_a_file_that_cannot_be_read_is_refused_in_the_same_way(tmp_path: Path) -> None:
    with pytest.raises(VeilError) as caught:
        read_moves(str(tmp_path / "nowhere.json"))
    assert caught.value.problems[0].code == "bad-moves-file"
