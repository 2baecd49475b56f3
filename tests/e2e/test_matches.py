"""Matches from outside: match, replay, play and tournament as processes; a tournament killed again and again."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import COMMAND, PATIENCE, count_stored, inside, refusal_of, veil
from tests.support.processes import NEEDS_PROC, members
from veil.players.contract import LEGAL_MOVES, Observation
from veil.players.roster import PLAYERS
from veil.players.simple import FirstPlayer, NoConfig as NoConfig
from veil.registry import Row

BOMB = ["exploding_bomb", "--player", "agent=hyperplay2"]
KUHN = ["kuhn_poker", "--player", "first=hyperplay:models=5,playouts=3", "--player", "second=random"]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three matches of the bomb, with what the agent thought."""
    path = tmp_path_factory.mktemp("records") / "bomb.jsonl"
    done = veil("match", *BOMB, "--games", "3", "--records", path, "--explain", "--json", "--seed", "4")
    assert done.code == 0
    assert done.err == ""
    whole = done.json
    assert whole == {
        "game": "exploding_bomb",
        "seed": 4,
        "players": whole["players"],
        "games": 3,
        "unfinished": 0,
        "reasons": {"agent": {}},
        "goals": {"agent": {"mean": 90.0, "ci95": None}},
        "moves": {"agent": whole["moves"]["agent"]},
        "errors": {"agent": 0},
        "forfeits": {"agent": 0},
        "walls": {},
        "records": str(path),
    }
    assert whole["moves"]["agent"]["ask"] == whole["moves"]["agent"]["noop"] == 3
    assert list(whole["moves"]["agent"].values()) == sorted(whole["moves"]["agent"].values(), reverse=True)
    return path


def test_the_same_seed_writes_the_same_bytes(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.jsonl", "b.jsonl", "c.jsonl")]
    shown = []
    for path, seed in zip(paths, ("3", "3", "4"), strict=True):
        words: list[str | Path] = ["match", *KUHN, "--games", "4", "--seed", seed, "--records", path]
        if path is paths[0]:  # one of them in a process of its own
            done = veil(*words)
            assert (done.code, done.err) == (0, "")
            shown.append(done.out)
        else:
            shown.append(inside(*words)[1])
    texts = [path.read_text() for path in paths]
    assert texts[0] == texts[1] != texts[2]
    assert shown[0].split()[:-1] == shown[1].split()[:-1]  # wherever the lines are broken; the last word is the file
    assert shown[0].startswith("kuhn_poker: 4 matches (in goals, chips = goal - 50)\n")
    assert "hyperplay:models=5,playouts=3: mean goal" in shown[0]


def test_isolated_players_play_the_same_match(tmp_path: Path) -> None:
    words = ("match", "exploding_bomb", "--player", "agent=hyperplay:models=5,playouts=3", "--json", "--seed", "2")
    apart = veil(*words, "--isolated")
    assert (apart.code, apart.err) == (0, "")
    assert apart.json == json.loads(inside(*words)[1])


def test_the_referee_sees_everything_and_a_role_only_its_own(records: Path) -> None:
    whole = veil("replay", records, "--match", "2")
    assert (whole.code, whole.err) == (0, "")
    assert "(arm " in whole.out
    assert "thinks ask 90.0, wait" in whole.out
    assert "agent 90" in whole.out
    code, own, _ = inside("replay", records, "--match", "2", "--as", "agent")
    assert code == 0
    assert "(arm " not in own
    assert "ask; sees " in own
    assert own.count("round ") == whole.out.count("round ") == 3


def test_replay_as_json_is_the_record(records: Path) -> None:
    _, out, _ = inside("replay", records, "--json")
    found = json.loads(out)
    lines = [json.loads(line) for line in records.read_text().splitlines()[:5]]
    whole = {**lines[0], "rounds": found["rounds"], **lines[4]}
    assert found == {key: value for key, value in whole.items() if key not in ("format", "roles", "settings")}
    assert found["rounds"] == [{key: value for key, value in line.items() if key != "round"} for line in lines[1:4]]
    assert found["goals"] == lines[4]["goals"] == {"agent": 90}
    _, out, _ = inside("replay", records, "--json", "--as", "agent")
    assert set(json.loads(out)) == set(found)
    assert [set(entry) for entry in json.loads(out)["rounds"]] == [{"move", "sees"}] * 3


def test_a_record_that_was_cut_off_is_replayed_or_refused(records: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_text("\n".join(records.read_text().splitlines()[:3]) + "\n")
    for view in ([], ["--json"], ["--as", "agent"], ["--as", "agent", "--json"]):
        assert inside("replay", path, *view)[0] in (0, 2)


class FailingPlayer(FirstPlayer):
    """Cannot decide anything."""

    def play(self, observation: Observation | None) -> str:
        raise ZeroDivisionError("nothing to divide by")


class InterruptedPlayer(FirstPlayer):
    """Plays some matches to their end; in the next one somebody presses Ctrl-C."""

    matches = 0

    def play(self, observation: Observation | None) -> str:
        if self.matches == 0:
            raise KeyboardInterrupt
        return super().play(observation)

    def stop(self, observation: Observation | None) -> None:
        type(self).matches -= 1


@pytest.fixture
def _more_players(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, player in (("fails", FailingPlayer), ("interrupted", InterruptedPlayer)):
        row = Row(__name__, "NoConfig", player.__name__, "", frozenset({LEGAL_MOVES}))
        monkeypatch.setitem(PLAYERS.rows, name, row)


FAILS = ["krieg_tictactoe", "--player", "xplayer=fails", "--player", "oplayer=first"]


@pytest.mark.usefixtures("_more_players")
def test_errors_and_forfeits_are_told_wherever_a_match_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "records.jsonl"
    code, out, _ = inside("match", *FAILS, "--games", "2", "--json", "--records", path)
    assert code == 0
    assert json.loads(out)["errors"] == {"xplayer": 8, "oplayer": 0}
    assert json.loads(out)["forfeits"] == {"xplayer": 2, "oplayer": 0}
    _, out, _ = inside("match", *FAILS, "--games", "2")
    assert "8 errors, the first: ZeroDivisionError: nothing to divide by\n" in out
    assert out.count("forfeited 2 of 2 matches\n") == 1
    assert inside("match", *FAILS)[1].count("forfeited\n") == 1
    assert "  forfeited  xplayer\n" in inside("replay", path)[1]
    assert "forfeited" not in inside("replay", path, "--as", "oplayer")[1]
    own = json.loads(inside("replay", path, "--as", "xplayer", "--json")[1])
    assert (own["errors"], own["forfeited"], own["finished"]) == ({"xplayer": 4}, ["xplayer"], True)
    assert [entry["error"] for entry in own["rounds"] if "error" in entry] == [
        "ZeroDivisionError: nothing to divide by"
    ] * 4
    words = ("play", "krieg_tictactoe", "--as", "oplayer", "--against", "fails")
    _, out, _ = inside(*words, "--explain", text="1\n" * 9)
    assert "xplayer: 4 errors, the first: ZeroDivisionError: nothing to divide by\nxplayer: forfeited\n" in out
    assert out.count("(in place of an error: ZeroDivisionError") == 4


OVER = """
(role ann) (legal ann (look 1)) (<= (next (seen ?n)) (does ann (look ?n))) (goal ann 50) (init (seen 0))
(<= terminal (true (seen 1)))
"""
STUCK = """
(role ann) (<= (legal ann go) (true (at 1))) (init (at 1)) (<= (next (at 2)) (true (at 1)))
(<= terminal (true (at 3))) (goal ann 50)
"""


@pytest.mark.usefixtures("_more_players")
def test_records_are_replaced_only_by_matches_that_were_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("over.kif").write_text(OVER)
    Path("stuck.kif").write_text(STUCK)
    assert inside("solve", "kuhn_poker", "--iterations", "5", "--policy-out", "k.json")[0] == 0
    assert inside("match", "over.kif", "--player", "ann=first", "--records", "keep.jsonl")[0] == 0
    files = {path: path.read_text() for path in tmp_path.iterdir()}
    other_rules = ["krieg_tictactoe", "--player", "xplayer=policy:file=k.json", "--player", "oplayer=random"]
    kuhn = ["kuhn_poker", "--player", "first=policy:file=k.json", "--player", "second=first"]
    for words, part in (
        ([*other_rules, "--records", "keep.jsonl"], "k.json"),
        (["stuck.kif", "--player", "ann=first", "--records", "keep.jsonl"], "no legal move"),
        (["stuck.kif", "--player", "ann=first", "--records", "new.jsonl"], "no legal move"),
        (["over.kif", "--player", "ann=first", "--records", "over.kif"], "cannot write over.kif: the command reads"),
        (["over.kif", "--player", "ann=first", "--records", tmp_path / "over.kif"], "the command reads this file"),
        ([*kuhn, "--records", "k.json"], "cannot write k.json: the command reads this file"),
    ):
        code, _, message = inside("match", *words)
        assert (code, part in message) == (2, True), message
        assert {path: path.read_text() for path in tmp_path.iterdir()} == files
    words = ["match", "over.kif", "--player", "ann=interrupted", "--games", "9", "--records", "keep.jsonl"]
    assert inside(*words) == (130, "", "interrupted\n")
    assert {path: path.read_text() for path in tmp_path.iterdir()} == files
    monkeypatch.setattr(InterruptedPlayer, "matches", 2)
    assert inside(*words) == (130, "", "matches finished and written to keep.jsonl: 2\ninterrupted\n")
    assert "2 matches, not 3" in inside("replay", "keep.jsonl", "--match", "3")[2]
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in files}


def test_a_file_with_the_name_of_a_bundled_game_is_not_its_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        words = ["exploding_bomb", "--player", "agent=first", "--records", "exploding_bomb"]
        assert inside("match", *words)[0] == 0


def test_long_names_of_roles_stand_apart_from_what_they_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = "the_only_one_who_plays"
    Path("long.kif").write_text(OVER.replace("ann", name))
    for game, role, move in (("long.kif", name, "(look 1)"), ("monty_hall", "contestant", "(choose 1)")):
        code, out, _ = inside("match", game, "--player", f"{role}=first", "--records", "x.jsonl")
        assert (code, f"\n  {role} " in out) == (0, True)
        assert re.search(rf"\n  {role}  +{re.escape(move)}\n", inside("replay", "x.jsonl")[1])


def test_thoughts_about_forced_moves_leave_no_empty_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = inside("play", "kuhn_poker", "--as", "first", "--against", "pimc", "--explain", text="bet\nbet\n")
    assert code == 0
    assert "  1. second  played noop\n  2. second  played noop\n" in out
    assert "" not in out.splitlines()
    assert " 0 playouts" not in out


def test_a_human_plays_by_numbers() -> None:
    """Asks, and then cuts what was seen: 1 is blue, 2 is red. What is no number on the list is asked for again."""
    red = veil("play", "exploding_bomb", "--as", "agent", "--seed", "1", text="7\n1\n2\n")
    blue = inside("play", "exploding_bomb", "--as", "agent", "--seed", "1", text="1\n1\n")
    assert (red.code, blue.code, red.err, blue.err) == (0, 0, "", "")
    assert "1 ask" in red.out
    assert "2 wait" in red.out
    assert "a number from the list" in red.out
    assert ("agent sees red" in red.out) != ("agent sees blue" in red.out)
    goals = {"red": "agent 90", "blue": "agent 0"}
    assert goals["red" if "sees red" in red.out else "blue"] in red.out.splitlines()[-1]
    assert goals["blue" if "sees red" in red.out else "red"] in blue.out.splitlines()[-1]


@pytest.mark.parametrize("text", ["", "what\n1\n"], ids=["at once", "in the middle"])
def test_when_the_input_ends_so_does_the_game(text: str) -> None:
    message = refusal_of(inside("play", "exploding_bomb", "--as", "agent", text=text))
    assert message == "error: nobody answers for agent: the input has ended\n"


def test_a_human_against_the_machine_may_ask_for_its_thoughts() -> None:
    words = ["play", "kuhn_poker", "--as", "first", "--against", "hyperplay:models=5,playouts=3", "--explain"]
    done = inside(*words, text="bet\nbet\n")
    assert (done.code, done.err) == (0, "")
    assert "first sees (card " in done.out
    assert "from -2 chips to +2 chips, as high as you can" in done.out
    assert any(
        f"the game is over: first {chips}" in done.out for chips in ("+1 chip,", "-1 chip,", "+2 chips,", "-2 chips,")
    )
    assert "thinks bet" in done.out or "thinks pass" in done.out


# Bad input: in a process once for every command, then in this one. A traceback would be an exception here.

BAD = {
    "match, in a process": (["match", "kuhn_poker", "--player", "first=random"], "nobody plays second"),
    "replay, in a process": (["replay", "nowhere.jsonl"], "nowhere.jsonl"),
    "play, in a process": (["play", "kuhn_poker", "--as", "third"], "third"),
    "tournament, in a process": (["tournament", "kuhn_poker", "--players", "random", "nobody"], "nobody"),
    "an unknown game": (["match", "no_such_game", "--player", "agent=random"], "no_such_game"),
    "an unknown player": (["match", "exploding_bomb", "--player", "agent=who"], "who"),
    "an unknown option": (["match", "exploding_bomb", "--player", "agent=random:x=1"], "x=1"),
    "a value out of range": (["match", "exploding_bomb", "--player", "agent=hyperplay:models=0"], "models"),
    "no role": (["match", "exploding_bomb", "--player", "random"], "ROLE=SPEC"),
    "no spec": (["match", "exploding_bomb", "--player", "agent="], "ROLE=SPEC"),
    "two players for a role": (
        ["match", "exploding_bomb", "--player", "agent=random", "--player", "agent=first"],
        "two players",
    ),
    "a player for random": (
        ["match", "exploding_bomb", "--player", "agent=random", "--player", "random=first"],
        "referee",
    ),
    "a cheat": (["match", "exploding_bomb", "--player", "agent=cheat"], "--allow-cheat"),
    "a cheat in its own process": (
        ["match", "exploding_bomb", "--player", "agent=cheat", "--allow-cheat", "--isolated"],
        "process of its own",
    ),
    "a human in its own process": (["match", "exploding_bomb", "--player", "agent=human", "--isolated"], "human"),
    "no clock": (["match", *BOMB, "--play-clock", "0"], "--play-clock"),
    "a clock that is no number": (["match", *BOMB, "--start-clock", "nan"], "--start-clock"),
    "no games": (["match", *BOMB, "--games", "0"], "--games"),
    "records that cannot be written": (["match", *BOMB, "--records", "no/such/folder/x.jsonl"], "no/such/folder"),
    "a policy that is not there": (["match", "exploding_bomb", "--player", "agent=policy:file=none.json"], "none.json"),
    "a file that is no record": (["replay", "pyproject.toml"], "pyproject.toml"),
    "a folder": (["replay", "src"], "src"),
    "to play random": (["play", "kuhn_poker", "--as", "random"], "referee"),
    "to play nobody": (["play", "kuhn_poker"], "--as"),
    "against nobody": (["play", "kuhn_poker", "--as", "first", "--against", "nobody"], "nobody"),
    "a player twice": (["tournament", "kuhn_poker", "--players", "random", "random"], "twice"),
    "no players": (["tournament", "kuhn_poker"], "--players"),
    "a tournament of cheats": (["tournament", "kuhn_poker", "--players", "random", "cheat"], "--allow-cheat"),
    "a store that is a folder": (["tournament", "kuhn_poker", "--players", "random", "--store", "src"], "src"),
    "a store nowhere": (["tournament", "kuhn_poker", "--players", "random", "--store", "no/x.db"], "no/x.db"),
    "a store that is a text": (
        ["tournament", "kuhn_poker", "--players", "random", "--store", "pyproject.toml"],
        "not a database",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_with_one_message(case: str) -> None:
    words, part = BAD[case]
    if case.endswith("in a process"):
        message = refusal_of(veil(*words))
    else:
        code, out, message = inside(*words)
        assert (code, out) == (2, "")
    assert part in message
    assert message.count("error: ") == 1
    assert message.startswith("error: ")


@pytest.mark.parametrize("words", [["match", "exploding_bomb", "--player", "agent=human"], ["play", "x", "--as", "y"]])
def test_nobody_plays_at_the_terminal_where_only_json_is_printed(words: list[str]) -> None:
    code, out, message = inside(*words, "--json")
    assert code == 2
    assert "JSON" in message
    assert json.loads(out)["ok"] is False


def test_a_record_without_a_match_of_that_number_is_refused(records: Path) -> None:
    code, _, message = inside("replay", records, "--match", "4")
    assert (code, "3 matches" in message) == (2, True)
    code, _, message = inside("replay", records, "--as", "random")
    assert (code, "agent" in message) == (2, True)


# Tournaments

TOURNAMENT = [
    "tournament",
    "exploding_bomb",
    "kuhn_poker",
    "--players",
    "random",
    "first",
    "hyperplay:models=5,playouts=3",
    "--games",
    "30",
    "--seed",
    "6",
    "--json",
]
MATCHES = 30 * (3 + 6)


def without_speed(whole: dict[str, Any]) -> dict[str, Any]:
    """What must be the same, however and how often it was interrupted."""
    tables = [{key: value for key, value in table.items() if key != "rounds_per_second"} for table in whole["games"]]
    return {"matches": whole["matches"], "games": tables}


@pytest.fixture(scope="module")
def undisturbed() -> dict[str, Any]:
    done = veil(*TOURNAMENT)
    assert (done.code, done.err) == (0, "")
    return done.json


def test_a_tournament_says_who_met_whom(undisturbed: dict[str, Any]) -> None:
    assert set(undisturbed) == {"matches", "games", "ranking", "store"}
    assert (undisturbed["matches"], undisturbed["store"]) == (MATCHES, None)
    bomb, kuhn = undisturbed["games"]
    assert set(bomb) == {"game", "players", "cross", "rounds_per_second", "unfinished"}
    assert [table["game"] for table in (bomb, kuhn)] == ["exploding_bomb", "kuhn_poker"]
    assert {spec: entry["matches"] for spec, entry in bomb["players"].items()} == dict.fromkeys(TOURNAMENT[4:7], 30)
    assert {spec: entry["matches"] for spec, entry in kuhn["players"].items()} == dict.fromkeys(TOURNAMENT[4:7], 120)
    assert bomb["cross"] == []
    assert len(kuhn["cross"]) == 6
    means = {(entry["player"], entry["against"]): entry["mean"] for entry in kuhn["cross"]}
    assert all(means[pair] + means[pair[::-1]] == pytest.approx(100) for pair in means)
    assert all(entry["errors"] == 0 for table in (bomb, kuhn) for entry in table["players"].values())


def killed(words: list[str | Path], moment: Callable[[], bool], the_parent_only: bool = False) -> bool:
    """Run a command until the moment has come, and kill it; whether it was still running then."""
    process = subprocess.Popen(
        [*COMMAND, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        end = time.monotonic() + PATIENCE
        while process.poll() is None and not moment():
            assert time.monotonic() < end
            time.sleep(0.01)
        running = process.poll() is None
        if running and the_parent_only:
            process.kill()
            process.wait()
            while members(process.pid):  # its workers see that it has gone
                assert time.monotonic() < end
                time.sleep(0.05)
        return running
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@NEEDS_PROC
def test_a_tournament_that_is_killed_again_and_again_ends_as_if_nothing_had_happened(
    undisturbed: dict[str, Any], tmp_path: Path
) -> None:
    """Five times. Twice while it gets ready; with one process and with two, once of them the parent alone, whose
    workers must not stay behind; at any moment of a match, or of writing it down."""
    rng, path = random.Random(11), tmp_path / "store.db"
    words: list[str | Path] = [*TOURNAMENT, "--store", path]
    counts: list[int] = []

    def after_seconds(seconds: float) -> Callable[[], bool]:
        end = time.monotonic() + seconds
        return lambda: time.monotonic() > end

    def after_matches(more: int) -> Callable[[], bool]:
        wanted, pause = count_stored(path) + more, rng.random() * 0.03

        def has_come() -> bool:
            if count_stored(path) < wanted:
                return False
            time.sleep(pause)
            return True

        return has_come

    for number in range(5):
        jobs = ["--jobs", "2" if number in (1, 2, 3) else "1"]
        moment = after_seconds(rng.uniform(0.2, 1.5)) if number in (0, 1) else after_matches(rng.randint(2, 12))
        assert killed([*words, *jobs], moment, the_parent_only=number == 3)
        counts.append(count_stored(path))
    assert counts == sorted(counts)
    assert 6 <= counts[-1] < MATCHES
    done = veil(*words)
    assert (done.code, done.err) == (0, "")
    assert without_speed(done.json) == without_speed(undisturbed)
    assert count_stored(path) == MATCHES
    base = sqlite3.connect(path)
    assert base.execute("SELECT count(*) FROM (SELECT DISTINCT game, players, number FROM match)").fetchone() == (
        MATCHES,
    )
    base.close()
