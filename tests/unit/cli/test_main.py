"""The table of commands: what is imported for a command line, how words are read, what comes out at the end."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

from veil.cli import main
from veil.cli.main import COMMANDS, find_added, find_function, list_commands, run

LOADED = """
import sys
from veil.cli.main import build_app
build_app(sys.argv[1:])
print(*sorted(name for name in sys.modules if name.startswith(("veil.cli.", "numpy", "numba")) and name.count(".") < 4))
"""


def test_every_command_is_a_function_of_its_module() -> None:
    for name in list_commands():
        assert callable(find_function(name))


def test_the_commands_of_the_laboratory_come_in_as_anybodys_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert {"bench", "reproduce"} <= set(find_added())
    assert run(["--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "bench Measure the speed of a part of Veil" in shown
    assert "reproduce Run the papers' experiments." in shown
    assert run(["reproduce", "--json"]) == 0


def test_a_command_of_a_package_that_cannot_be_read_is_listed_without_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = EntryPoint("odd", "package_that_is_not_there.module:odd", "veil.commands")
    monkeypatch.setattr(main, "find_added", lambda: {"odd": entry})
    assert run(["--help"]) == 0
    assert "odd" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "there", "absent"),
    [
        (["--help"], set(), {"veil.cli.commands.games", "veil.cli.commands.sim", "veil.cli.call", "numpy"}),
        (["games"], {"veil.cli.commands.games"}, {"veil.cli.commands.sim", "veil.cli.game_call", "numpy"}),
        (["replay", "x.jsonl"], {"veil.cli.commands.replay"}, {"veil.cli.commands.match", "numpy"}),
        (["check", "x"], {"veil.cli.commands.check", "veil.cli.game_call"}, {"veil.cli.commands.solve", "numba"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_only_what_a_command_line_names_is_imported(words: list[str], there: set[str], absent: set[str]) -> None:
    done = subprocess.run([sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert there <= loaded
    assert not absent & loaded


def test_the_overview_lists_every_command_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for name, entry in COMMANDS.items():
        assert f"{name} {entry.summary}" in shown


def test_the_overview_is_the_same_whichever_command_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    run(["--help"])
    shown = capsys.readouterr().out
    run(["--help", "sim"])
    assert capsys.readouterr().out == shown


def test_a_command_runs_wherever_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--", "games", "monty_hall", "--json"]) == 0
    assert capsys.readouterr().out.startswith('{"games": ')


def test_players_may_follow_each_other() -> None:
    spread = main._spread(["tournament", "a", "--players", "x", "y:z=1", "--games", "3", "--players", "w"])
    assert spread == ["tournament", "a", "--players", "x", "--players", "y:z=1", "--games", "3", "--players", "w"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, main.InterruptedCommandError])
def test_ctrl_c_ends_with_130_and_one_word(
    error: type[BaseException], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*words: object) -> None:
        raise error

    monkeypatch.setattr("veil.cli.main.build_app", interrupt)
    assert run(["games"]) == 130
    assert capsys.readouterr() == ("", "interrupted\n")


def test_a_usage_error_has_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games", "--colour"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: No such option: --colour")
    assert "  hint: `veil games --help` lists its arguments and options" in err
    assert run(["--colour"]) == 2
    assert "  hint: `veil --help` lists the commands" in capsys.readouterr().err
