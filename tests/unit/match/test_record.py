"""Records of matches: the same bytes for the same seed, read back as they were, nonsense refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.match.tables import Puppet, game, refused
from veil.match.record import MatchRecord, read_records
from veil.match.referee import MatchConfig, run_match

SEATS = {"first": "hyperplay:models=5,playouts=3", "second": "random"}


def kuhn(seed: int, **options: object) -> MatchRecord:
    return run_match(game("kuhn_poker"), SEATS, seed, MatchConfig(**options))


def test_the_same_seed_gives_the_same_bytes() -> None:
    texts = [kuhn(seed, reports=True).as_lines() for seed in (1, 1, 2, 3)]
    assert texts[0] == texts[1]
    assert len(set(texts)) == 3


def test_a_record_is_a_head_a_line_per_round_and_an_end() -> None:
    record = kuhn(1)
    head, *rounds, end = [json.loads(line) for line in record.as_lines().splitlines()]
    assert head == {
        "format": "veil match 1",
        "game": "kuhn_poker",
        "rules": game("kuhn_poker").fingerprint,
        "roles": ["random", "first", "second"],
        "players": SEATS,
        "seed": 1,
        "settings": {"start_seconds": None, "play_seconds": None, "max_errors": 3, "isolated": False},
    }
    assert [entry["round"] for entry in rounds] == list(range(1, len(record.rounds) + 1))
    assert all(set(entry) == {"round", "moves", "sees"} for entry in rounds)
    assert end == {"goals": record.goals, "errors": {"first": 0, "second": 0}, "forfeited": [], "finished": True}


def test_times_are_written_only_where_a_clock_was_running() -> None:
    assert '"seconds"' not in kuhn(1).as_lines()
    timed = run_match(game("kuhn_poker"), {"first": "first", "second": "first"}, 1, MatchConfig(play_seconds=60.0))
    assert all(set(entry.seconds) == {"first", "second"} for entry in timed.rounds)
    assert '"seconds"' in timed.as_lines()


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    errors = Puppet("nonsense", None)
    bad = run_match(game("kuhn_poker"), {"first": "x", "second": "random"}, 5, players={"first": errors})
    cut = kuhn(4, max_rounds=2)
    forfeit = run_match(
        game("kuhn_poker"),
        {"first": "x", "second": "random"},
        5,
        MatchConfig(max_errors=0, reports=True),
        {"first": Puppet("nonsense")},
    )
    timed = run_match(game("kuhn_poker"), {"first": "first", "second": "first"}, 1, MatchConfig(play_seconds=60.0))
    records = [kuhn(1), kuhn(1, reports=True), bad, cut, forfeit, timed]
    path = tmp_path / "records.jsonl"
    path.write_text("".join(record.as_lines() for record in records), encoding="utf-8")
    assert read_records(str(path)) == records
    assert "".join(record.as_lines() for record in read_records(str(path))) == path.read_text()
    assert (bad.errors["first"], cut.finished, forfeit.forfeited) == (len(bad.rounds), False, ["first"])


HEAD = {
    "format": "veil match 1",
    "game": "g",
    "rules": "r",
    "roles": ["ann"],
    "players": {"ann": "first"},
    "seed": 0,
    "settings": {},
}
ROUND = {"round": 1, "moves": {"ann": "go"}, "sees": {"ann": []}}
END = {"goals": {"ann": 100}, "errors": {"ann": 0}, "forfeited": [], "finished": True}


def lines(*values: object) -> str:
    return "".join((value if isinstance(value, str) else json.dumps(value)) + "\n" for value in values)


def test_a_record_written_by_hand_is_read(tmp_path: Path) -> None:
    """So that what is refused below is refused for what is wrong with it."""
    path = tmp_path / "fine.jsonl"
    path.write_text(lines(HEAD, ROUND, END))
    (record,) = read_records(str(path))
    assert (record.goals, len(record.rounds)) == ({"ann": 100}, 1)


NONSENSE = {
    "nothing": "",
    "an empty line": lines(HEAD, "", ROUND, END),
    "no JSON": lines(HEAD, "round one", END),
    "half a line": lines(HEAD, ROUND)[:-20],
    "a number": lines(5),
    "a text": lines('"format"'),
    "a list": lines([]),
    "brackets without end": "[" * 100_000,
    "another format": lines({**HEAD, "format": "veil match 2"}, END),
    "no format": lines({"game": "kuhn_poker"}),
    "a round before the head": lines(ROUND, END),
    "an end before the head": lines(END),
    "a head without players": lines({key: value for key, value in HEAD.items() if key != "players"}),
    "a round without percepts": lines(HEAD, {"round": 1, "moves": {"ann": "go"}}, END),
    "an end without goals": lines(HEAD, ROUND, {"forfeited": [], "finished": True}),
    "goals that are a number": lines(HEAD, ROUND, {**END, "goals": 3}),
}
OUT_OF_SHAPE = {
    "no end": lines(HEAD, ROUND),
    "players that are a list": lines({**HEAD, "players": ["ann"]}, ROUND, END),
    "a round without the role's move": lines(HEAD, {**ROUND, "moves": {}}, END),
    "percepts that are numbers": lines(HEAD, {**ROUND, "sees": {"ann": [5]}}, END),
    "reports that are a number": lines(HEAD, {**ROUND, "reports": 3}, END),
    "goals of nobody": lines(HEAD, ROUND, {**END, "goals": {}}),
}


@pytest.mark.parametrize(
    "text",
    [pytest.param(text, id=case) for case, text in {**NONSENSE, **OUT_OF_SHAPE}.items()],
)
def test_what_is_no_record_is_refused_with_one_message(text: str, tmp_path: Path) -> None:
    path = tmp_path / "nonsense.jsonl"
    path.write_text(text)
    assert str(path) in refused("bad-match", lambda: read_records(str(path)))


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    refused("unreadable-file", lambda: read_records(str(tmp_path / "none.jsonl")))
    refused("unreadable-file", lambda: read_records(str(tmp_path)))
    refused("unreadable-file", lambda: read_records("a\0b"))
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    refused("unreadable-file", lambda: read_records(str(tmp_path / "binary")))


def test_the_line_that_is_wrong_is_named(tmp_path: Path) -> None:
    path = tmp_path / "wrong.jsonl"
    path.write_text(lines(HEAD, ROUND, "oops", END))
    assert "line 3" in refused("bad-match", lambda: read_records(str(path)))


def test_a_match_that_was_cut_off_does_not_cost_the_others(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_text(lines(HEAD, ROUND, END) + lines(HEAD, ROUND))
    assert len(read_records(str(path))) == 1
