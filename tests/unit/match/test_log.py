"""Logs of matches: the same bytes for the same seed, read back as they were, nonsense refused."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.support.games import game
from tests.support.matches import Puppet
from tests.support.refusals import refused
from veil.match.config import MatchConfig
from veil.match.log import LogWriter, MatchLog, read_logs
from veil.match.referee import run_match

SEATS = {"first": "hyperplay:models=5,playouts=3", "second": "random"}


def kuhn(seed: int, **options: Any) -> MatchLog:
    return run_match(game("kuhn_poker"), SEATS, seed, MatchConfig(**options))


def test_the_same_seed_gives_the_same_bytes() -> None:
    texts = [kuhn(seed, reports=True).as_lines() for seed in (1, 1, 2, 3)]
    assert texts[0] == texts[1]
    assert len(set(texts)) == 3


def test_a_record_is_a_head_a_line_per_round_and_an_end() -> None:
    log = kuhn(1)
    head, *rounds, end = [json.loads(line) for line in log.as_lines().splitlines()]
    assert head == {
        "format": "veil match 1",
        "game": "kuhn_poker",
        "rules": game("kuhn_poker").fingerprint,
        "roles": ["random", "first", "second"],
        "players": SEATS,
        "seed": 1,
        "settings": {"start_seconds": None, "play_seconds": None, "max_errors": 3, "isolated": False},
    }
    assert [entry["round"] for entry in rounds] == list(range(1, len(log.rounds) + 1))
    assert all(set(entry) == {"round", "moves", "sees"} for entry in rounds)
    assert end == {"goals": log.goals, "errors": {"first": 0, "second": 0}, "forfeited": [], "finished": True}


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
    logs = [kuhn(1), kuhn(1, reports=True), bad, cut, forfeit, timed]
    path = tmp_path / "records.jsonl"
    path.write_text("".join(log.as_lines() for log in logs), encoding="utf-8")
    assert read_logs(str(path)) == logs
    assert "".join(log.as_lines() for log in read_logs(str(path))) == path.read_text()
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
    (log,) = read_logs(str(path))
    assert (log.goals, len(log.rounds)) == ({"ann": 100}, 1)


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
    "a number and nothing else": "5",
}
OUT_OF_SHAPE = {
    "no end": lines(HEAD, ROUND),
    "players that are a list": lines({**HEAD, "players": ["ann"]}, ROUND, END),
    "a round without the role's move": lines(HEAD, {**ROUND, "moves": {}}, END),
    "percepts that are numbers": lines(HEAD, {**ROUND, "sees": {"ann": [5]}}, END),
    "reports that are a number": lines(HEAD, {**ROUND, "reports": 3}, END),
    "a report of nobody": lines(HEAD, {**ROUND, "reports": {"bob": {}}}, END),
    "an error of nobody": lines(HEAD, {**ROUND, "errors": {"bob": "late"}}, END),
    "errors that are numbers": lines(HEAD, {**ROUND, "errors": {"ann": 1}}, END),
    "times that are texts": lines(HEAD, {**ROUND, "seconds": {"ann": "long"}}, END),
    "goals of nobody": lines(HEAD, ROUND, {**END, "goals": {}}),
    "a goal that is true": lines(HEAD, ROUND, {**END, "goals": {"ann": True}}),
    "forfeits of nothing": lines(HEAD, ROUND, {**END, "forfeited": [1, {}]}),
    "a forfeit of nobody": lines(HEAD, ROUND, {**END, "forfeited": ["bob"]}),
    "an end that is no yes or no": lines(HEAD, ROUND, {**END, "finished": "no"}),
    "a seed that is a list": lines({**HEAD, "seed": [1]}, ROUND, END),
    "a seed that is true": lines({**HEAD, "seed": True}, ROUND, END),
    "a game without a name": lines({**HEAD, "game": None}, ROUND, END),
    "settings that are a text": lines({**HEAD, "settings": "fast"}, ROUND, END),
    "a role twice": lines({**HEAD, "roles": ["ann", "ann"]}, ROUND, END),
    "roles that are objects": lines({**HEAD, "roles": [{}]}, ROUND, END),
    "a player without a role": lines({**HEAD, "players": {"bob": "first"}}, ROUND, END),
    "the second round first": lines(HEAD, {**ROUND, "round": 2}, ROUND, END),
    "a round twice": lines(HEAD, ROUND, ROUND, END),
    "a round without a number": lines(HEAD, {**ROUND, "round": "1"}, END),
    "a round after the end": lines(HEAD, ROUND, END, {**ROUND, "round": 2}),
    "two ends": lines(HEAD, ROUND, END, END),
    "a match without an end before another": lines(HEAD, ROUND, HEAD, ROUND, END),
}
PYTHON = (
    "Expecting",
    "argument of",
    "object is",
    "unhashable",
    "not iterable",
    "indices",
    "index out",
    "NoneType",
    "'",
)


@pytest.mark.parametrize(
    "text",
    [pytest.param(text, id=case) for case, text in {**NONSENSE, **OUT_OF_SHAPE}.items()],
)
def test_what_is_no_record_is_refused_with_one_message(text: str, tmp_path: Path) -> None:
    path = tmp_path / "nonsense.jsonl"
    path.write_text(text)
    message = refused("bad-match", lambda: read_logs(str(path)))
    assert str(path) in message
    assert not any(word in message for word in PYTHON)  # nothing that only its authors understand


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    refused("unreadable-file", lambda: read_logs(str(tmp_path / "none.jsonl")))
    refused("unreadable-file", lambda: read_logs(str(tmp_path)))
    refused("unreadable-file", lambda: read_logs("a\0b"))
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    refused("unreadable-file", lambda: read_logs(str(tmp_path / "binary")))


def test_the_line_that_is_wrong_is_named(tmp_path: Path) -> None:
    path = tmp_path / "wrong.jsonl"
    path.write_text(lines(HEAD, ROUND, "oops", END))
    assert "line 3" in refused("bad-match", lambda: read_logs(str(path)))


def test_a_match_that_was_cut_off_does_not_cost_the_others(tmp_path: Path) -> None:
    path, first = tmp_path / "cut.jsonl", lines(HEAD, ROUND, END)
    second = lines(HEAD, ROUND, END)
    for length in range(len(second) - 1):  # without its last line feed, it is still whole
        path.write_text(first + second[:length])
        assert len(read_logs(str(path))) == 1
    path.write_text(first + second[:-1])
    assert len(read_logs(str(path))) == 2


def test_a_line_that_was_written_to_its_end_is_damaged_and_not_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "damaged.jsonl"
    path.write_text(lines(HEAD, ROUND, END) + lines(HEAD, ROUND)[:-20] + "\n")
    assert "line 5: it is no JSON object" in refused("bad-match", lambda: read_logs(str(path)))


def test_what_editors_leave_in_a_file_does_no_harm(tmp_path: Path) -> None:
    path, text = tmp_path / "edited.jsonl", lines(HEAD, ROUND, END)
    for edited in (text + "\n", text + " \n\n", "\ufeff" + text, text.replace("\n", "\r\n")):
        path.write_text(edited, encoding="utf-8", newline="")
        assert len(read_logs(str(path))) == 1


def test_names_may_hold_what_unicode_calls_the_end_of_a_line(tmp_path: Path) -> None:
    path, name = tmp_path / "names.jsonl", "a\u2028b\u0085c"
    path.write_text(lines(json.dumps({**HEAD, "game": name}, ensure_ascii=False), ROUND, END), encoding="utf-8")
    assert [log.game for log in read_logs(str(path))] == [name]


def test_matches_that_nobody_plays_are_counted_in_full(tmp_path: Path) -> None:
    path = tmp_path / "alone.jsonl"
    match = lines(
        {**HEAD, "roles": ["random"], "players": {}},
        {**ROUND, "moves": {"random": "go"}, "sees": {}},
        {**END, "goals": {}, "errors": {}},
    )
    path.write_text(3 * match)
    assert len(read_logs(str(path))) == 3


def test_a_report_may_be_anything(tmp_path: Path) -> None:
    path = tmp_path / "reports.jsonl"
    for report in (None, "fine", [1], {"values": {"go": 60.0}}):
        path.write_text(lines(HEAD, {**ROUND, "reports": {"ann": report}}, END))
        assert read_logs(str(path))[0].rounds[0].reports == {"ann": report}


# Writing: what was there before is safe until there is something better.

OLD = "what was there before\n"


def test_matches_take_the_place_of_what_was_there_when_the_writer_is_done(tmp_path: Path) -> None:
    path, log = tmp_path / "records.jsonl", kuhn(1)
    path.write_text(OLD)
    path.chmod(0o600)
    with LogWriter(str(path)) as out:
        out.add(log)
        assert path.read_text() == OLD
        out.add(log)
    assert read_logs(str(path)) == [log, log]
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("there", [True, False])
def test_without_a_match_nothing_is_written(there: bool, tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    if there:
        path.write_text(OLD)
    with pytest.raises(KeyboardInterrupt), LogWriter(str(path)):
        raise KeyboardInterrupt
    assert [entry.read_text() for entry in tmp_path.iterdir()] == [OLD] * there


def test_what_was_finished_before_an_interruption_is_kept(tmp_path: Path) -> None:
    path, log = tmp_path / "records.jsonl", kuhn(1)
    path.write_text(OLD)
    with suppress(KeyboardInterrupt), LogWriter(str(path)) as out:
        out.add(log)
        raise KeyboardInterrupt
    assert read_logs(str(path)) == [log]
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link_and_a_pipe_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    path, link, log = tmp_path / "folder" / "records.jsonl", tmp_path / "link.jsonl", kuhn(1)
    link.symlink_to(path)
    with LogWriter(str(link)) as out:
        out.add(log)
    assert link.is_symlink()
    assert read_logs(str(path)) == [log]
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with LogWriter(str(pipe)) as out:
        out.add(log)
    assert os.read(reader, 1_000_000).decode() == log.as_lines()
    os.close(reader)
    assert pipe.is_fifo()


@pytest.mark.parametrize("name", ["", ".", "no/such/folder.jsonl", "file/below", "a\0b", "x" * 300, "loop"])
def test_a_place_that_cannot_be_written_is_refused_at_once(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text(OLD)
    Path("loop").symlink_to("loop")
    refused("unwritable-file", lambda: LogWriter(name))
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file", "loop"]


def test_a_file_that_is_protected_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text(OLD)
    path.chmod(0o444)

    def protected(name: Path, flags: int) -> int:  # root may write everything, so that the mode alone does not show it
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", protected)
    refused("unwritable-file", lambda: LogWriter(str(path)))
    assert path.read_text() == OLD
