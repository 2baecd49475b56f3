"""Numbers beyond reason in every option of every command, and processes to which the system allows little."""

from __future__ import annotations

import inspect
import json
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
import typer

from tests.support.command import COMMAND, PATIENCE, RACE, Outcome, inside, outcome_of, refusal_of
from tests.support.processes import NEEDS_PROC, WITH_CTRL_C, hears, wait_until
from veil.cli.main import build_app, find_function, list_commands

ABSURD = ("9223372036854775808", "100000000000000000000000000000000", "-1", "nan", "inf", "1e300")


def numeric_options() -> list[tuple[str, str]]:
    """(command, option) of everything that takes a number, as the parser has it."""
    found = []
    for name in list_commands():
        group: Any = typer.main.get_command(build_app([name]))
        taken = inspect.signature(find_function(name)).parameters
        kinds = {key: get_args(entry.annotation)[0] for key, entry in taken.items()}
        numbers = {key for key, kind in kinds.items() if {int, float} & {kind, *get_args(kind)}}
        found += [(name, option.opts[0]) for option in group.commands[name].params if option.name in numbers]
    return found


def words_before(command: str) -> list[str]:
    """What a command needs besides; nothing of it is read before a bad number is refusal_of."""
    needed = {
        "infoset": ["kuhn_poker", "--role", "first", "--record", "none"],
        "evaluate": ["kuhn_poker", "--policy", "none"],
        "exploit": ["kuhn_poker", "--player", "random"],
        "play": ["kuhn_poker", "--as", "first"],
        "replay": ["none"],
        "serve-player": ["first"],
        "tournament": ["kuhn_poker", "--players", "random"],
        "tune": ["ii_goofspiel", "--vary", "cards=3,4"],
    }
    return needed.get(command, [] if command in ("games", "players", "samplers", "solvers") else ["kuhn_poker"])


@pytest.mark.gate_cases(40)
@pytest.mark.parametrize(("command", "option"), numeric_options())
def test_a_number_beyond_reason_is_refused_at_once_by_every_option_of_every_command(command: str, option: str) -> None:
    words = words_before(command)
    if command == "bench":
        words = ["engine"]
    if command == "reproduce":
        words = []
    for value in ABSURD:
        message = refusal_of(inside(command, *words, option, value))
        known = (
            f"{option} must be a number" in message
            or "should be a valid integer" in message
            or "not a valid int" in message
        )
        assert known, message


def limited(limit: Callable[[], None], *words: str | Path) -> Outcome:
    """A command in a process that the system allows little."""
    done = subprocess.run(
        [*COMMAND, *map(str, words)], input=b"[]", capture_output=True, timeout=PATIENCE, preexec_fn=limit, check=False
    )
    return outcome_of(done.returncode, done.stdout, done.stderr)


def memory(megabytes: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


def processor(seconds: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


@pytest.mark.parametrize("limit", [memory(5800), processor(40)], ids=["ulimit -v 6000000", "ulimit -t 40"])
def test_games_are_ground_and_played_under_the_usual_limits_of_a_cluster(
    tmp_path: Path, limit: Callable[[], None]
) -> None:
    rules = tmp_path / "race.kif"
    rules.write_text(RACE)
    match = ["match", str(rules), "--player", "red=hyperplay", "--player", "blue=random"]
    assert inside(*match).code == 0  # its kernels are compiled, which is no part of the limits
    done = limited(limit, *match, "--isolated")
    assert (done.code, "Traceback" in done.err) == (0, False), done.err
    assert "error" not in done.out


def test_isolated_players_live_in_less_memory_than_they_were_promised(tmp_path: Path) -> None:
    rules = tmp_path / "race.kif"
    rules.write_text(RACE)
    done = limited(memory(2500), "match", rules, "--player", "red=random", "--player", "blue=random", "--isolated")
    assert (done.code, "error" in done.out) == (0, False), done


def test_a_command_without_memory_says_so() -> None:
    words = ["infoset", "kuhn_poker", "--role", "first", "--moves", "-", "--sampler", "hyperplay", "--count", "1000000"]
    message = refusal_of(limited(memory(900), *words))
    assert "there is not enough memory: the system allows this process 0.9 GB" in message


@pytest.mark.nightly
def test_a_command_without_processor_time_says_so() -> None:
    words = ["sim", "connect_four", "--playouts", "1000000000", "--max-seconds", "100000"]
    done = limited(processor(5), *words)  # it may say how far it is
    assert done.code == 2
    assert "error: the processor time that the system allows this process is used up" in done.err
    assert "Traceback" not in done.err


def test_the_limits_that_a_message_names_are_options_of_the_command() -> None:
    words = ["tournament", "kuhn_poker", "--players", "random"]
    message = refusal_of(inside(*words, "--max-seconds", "0.001"))
    options = [option for option in ("--max-rules", "--max-seconds", "--max-memory") if option in message]
    assert options == ["--max-rules", "--max-seconds", "--max-memory"]
    limits = ["--max-rules", "100000", "--max-seconds", "50", "--max-memory", "2"]
    assert inside(*words, *limits, "--games", "1").code == 0
    words = ["match", "kuhn_poker", "--player", "first=solve:max_nodes=10", "--player", "second=random"]
    assert "solve:max_nodes=..." in refusal_of(inside(*words))


def test_a_tree_that_is_too_large_is_known_at_once() -> None:
    for command in (["tree", "--max-nodes", "50000000"], ["solve", "--max-nodes", "50000000"]):
        message = refusal_of(inside(command[0], "krieg_tictactoe", *command[1:]))
        assert "more than 50,000,000 nodes: about 1.7e+10, as 512 random walks say" in message
        assert "raise --max-nodes" in message


@NEEDS_PROC
def test_ctrl_c_is_heard_while_a_million_models_search(tmp_path: Path) -> None:
    moves = tmp_path / "moves.json"
    moves.write_text(json.dumps([{"xplayer": "(mark 1 1)"}, {"oplayer": "(mark 1 1)"}, {"oplayer": "(mark 2 2)"}]))
    words = ["infoset", "krieg_tictactoe", "--role", "oplayer", "--moves", str(moves), "--sampler", "hyperplay"]
    command = [sys.executable, "-c", WITH_CTRL_C, *COMMAND, *words, "--count", "1000000", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert wait_until(lambda: hears(process.pid, signal.SIGTERM))  # Python itself has no handler for this one
        try:
            process.wait(3)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode in (0, 130), errors
    assert b"Traceback" not in errors


@pytest.mark.parametrize("megabytes", [400, 500])
def test_too_little_address_space_is_said_at_once(megabytes: int) -> None:
    """Libraries asked for memory for ever, and no signal but -9 ended the command."""
    message = refusal_of(limited(memory(megabytes), "solve", "kuhn_poker"))
    assert f"there is not enough memory: the system allows this process {megabytes / 1024:.1f} GB" in message


@pytest.mark.parametrize("words", [["--isolated"], []])
def test_too_few_files_are_said_at_once_and_nothing_is_left(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (12, 12))  # noqa: E731
    command = ["match", "--player", "first=random", "--player", "second=random"] if words else ["tournament"]
    more = words or ["--players", "random", "--jobs", "2"]
    message = refusal_of(limited(few, command[0], "kuhn_poker", *command[1:], *more))
    assert "the system allows this process 12 open files, and that is too few" in message
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_the_studio_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("VEIL_STUDIO", str(tmp_path / "file" / "studio"))
    message = refusal_of(inside("studio", "--no-browser", "--port", "0"))
    assert "standard output" not in message
    assert str(tmp_path / "file") in message
