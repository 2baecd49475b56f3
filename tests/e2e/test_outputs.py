"""Outputs of commands: tried before the work, never destroyed; results are shown even where they cannot be written."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.support.command import COMMAND, PATIENCE, errors_of, inside, refusal_of
from tests.support.every_command import COMMANDS, list_parameters
from veil.match import read_logs
from veil.match.store import Store

FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
SOLVE = ["solve", "kuhn_poker", "--iterations", "20"]
MATCH = ["match", "kuhn_poker", "--player", "first=first", "--player", "second=first", "--games", "2"]
TOURNAMENT = ["tournament", "kuhn_poker", "--players", "first", "random", "--games", "2"]
OUTPUTS = {"--policy-out": SOLVE, "--plot": SOLVE, "--records": MATCH}


pytestmark = pytest.mark.usefixtures("in_a_folder")


def name_output(option: str) -> str:
    return "out.png" if option == "--plot" else "out"


def test_the_outputs_of_all_commands_are_tried_here() -> None:
    words = {entry.word for command in COMMANDS for entry in list_parameters(command) if entry.takes_text}
    written = {word for word in words if word and any(part in word for part in ("out", "plot", "records", "store"))}
    assert written == {*OUTPUTS, "--out", "--store"}


@pytest.mark.parametrize("option", OUTPUTS)
def test_a_link_stays_a_link_and_its_target_is_written(option: str) -> None:
    name = name_output(option)
    Path("folder").mkdir()
    Path(name).symlink_to(f"folder/{name}")
    assert inside(*OUTPUTS[option], option, name).code == 0
    assert Path(name).is_symlink()
    assert Path("folder", name).stat().st_size > 0
    assert os.listdir("folder") == [name]


@pytest.mark.parametrize("option", OUTPUTS)
def test_a_device_is_written_through(option: str) -> None:
    name = name_output(option)
    Path(name).symlink_to("/dev/null")
    assert inside(*OUTPUTS[option], option, name).code == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert Path(name).is_symlink()


@pytest.mark.parametrize("option", OUTPUTS)
def test_a_pipe_gets_all_of_it(option: str) -> None:
    name, received = name_output(option), list[bytes]()
    os.mkfifo(name)
    reader = threading.Thread(target=lambda: received.append(Path(name).read_bytes()))
    reader.start()
    assert inside(*OUTPUTS[option], option, name).code == 0
    reader.join(PATIENCE)
    assert len(received[0]) > 100
    assert stat.S_ISFIFO(os.stat(name).st_mode)


@pytest.mark.parametrize("option", OUTPUTS)
@pytest.mark.parametrize("folder", [True, False], ids=["a folder", "in no folder"])
def test_what_cannot_be_written_is_refused_before_the_work(
    option: str, folder: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **options: object) -> None:
        raise AssertionError("too late")

    monkeypatch.setattr("veil.match.play_lineup", refuse)
    monkeypatch.setattr("veil.equilibrium.prepare", refuse)
    name = name_output(option)
    if folder:
        Path(name).mkdir()
    else:
        name = f"nowhere/{name}"
    assert f"cannot write {name}: " in refusal_of(inside(*OUTPUTS[option], option, name))


@pytest.mark.gate_cases(3)
@FULL
@pytest.mark.parametrize("option", OUTPUTS)
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_on_a_full_disk_the_result_is_on_the_screen_and_the_message_names_the_file(option: str, as_json: bool) -> None:
    name = name_output(option)
    Path(name).symlink_to("/dev/full")
    outcome = inside(*OUTPUTS[option], option, name, *(["--json"] if as_json else []))
    assert outcome.code == 2
    assert outcome.err == f"error: cannot write {name}: No space left on device\n"
    if as_json:
        assert outcome.json["failures"][0]["message"] == f"cannot write {name}: No space left on device"
        assert outcome.json["game"] == "kuhn_poker"
        assert outcome.json.get("policy_file") is None
    else:
        assert "exploitability" in outcome.out or "mean goal" in outcome.out
        assert "written to" not in outcome.out


@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_a_tournament_shows_its_tables_where_they_cannot_be_written(
    as_json: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("veil.cli.commands.tournament.check_folder", lambda name: None)
    Path("out").write_text("a file that came in between")
    outcome = inside(*TOURNAMENT, "--out", "out", *(["--json"] if as_json else []))
    assert outcome.code == 2
    assert "cannot write out" in outcome.err
    assert outcome.json["games"] if as_json else "| first " in outcome.out


def test_a_tournament_whose_store_is_full_shows_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    add, calls = Store.add, list[int]()

    def fill(self: Store, results: object, logs: object) -> None:
        calls.append(1)
        if len(calls) == 4:
            from veil.errors import fail

            raise fail("bad-store", name=self.path, what="database or disk is full")
        add(self, results, logs)  # type: ignore[arg-type]

    monkeypatch.setattr(Store, "add", fill)
    outcome = inside(*TOURNAMENT, "--store", "s.sqlite")
    assert outcome.code == 2
    assert "| first " in outcome.out
    assert "s.sqlite: database or disk is full" in outcome.err


def test_an_experiment_shows_its_table_where_it_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veil_lab.commands.reproduce.check_folder", lambda name: None)
    Path("out").write_text("a file that came in between")
    outcome = inside("reproduce", "its-fig2", "--quick", "--out", "out")
    assert outcome.code == 2
    assert outcome.out.startswith("its-fig2: ")
    assert "error: cannot write out: " in outcome.err


@pytest.mark.parametrize(("command", "option"), [(SOLVE, "--policy-out"), (SOLVE, "--plot"), (MATCH, "--records")])
def test_the_rules_are_not_written_over(command: list[str], option: str) -> None:
    name = "rules.png" if option == "--plot" else "rules.kif"
    text = Path(__file__).parents[2].joinpath("src/veil/games/rules/kuhn_poker.kif").read_text()
    Path(name).write_text(text)
    words = [f"./{name}" if word == "kuhn_poker" else word for word in command]
    assert "the command reads this file" in refusal_of(inside(*words, option, name))
    assert Path(name).read_text() == text


KILLER = """
import os, pathlib, signal

class Player:
    def start(self, seat): pass
    def offer(self, legal): self.legal = legal
    def play(self, observation):
        if observation is None:
            count = pathlib.Path("count")
            count.write_text(count.read_text() + "x" if count.exists() else "x")
            if len(count.read_text()) == 3:
                os.kill(os.getpid(), signal.SIGNAL)
        return self.legal[0]
    def stop(self, observation): pass
    def report(self): return {}
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_matches_that_are_over_are_kept_when_the_process_is_told_to_end(name: str, tmp_path: Path) -> None:
    Path("killer.py").write_text(KILLER.replace("SIGNAL", name))
    words = [*MATCH[:2], "--player", "first=own:file=killer.py", "--player", "second=first", "--games", "9"]
    start = "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
    command = [sys.executable, "-c", start, *COMMAND, *words, "--records", "r.jsonl"]
    done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == 128 + getattr(signal, name)
    assert errors_of(done.stderr) == "matches finished and written to r.jsonl: 2\ninterrupted\n"
    assert len(read_logs("r.jsonl")) == 2
    assert sorted(os.listdir(tmp_path)) == ["count", "killer.py", "r.jsonl"]


def test_a_policy_goes_to_standard_output_beside_the_result() -> None:
    with Path("out.txt").open("wb") as out:
        words = [*COMMAND, *SOLVE, "--policy-out", "/dev/stdout"]
        assert subprocess.run(words, stdout=out, timeout=PATIENCE, check=False).returncode == 0
    policy, _, result = Path("out.txt").read_text().partition("\n}\n")
    assert json.loads(policy + "}")["format"] == "veil policy 1"
    assert "exploitability" in result
