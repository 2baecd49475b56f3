"""Plug-ins: files that `--load` and `VEIL_LOAD` name, and rows that installed packages declare as entry points."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tests.support.command import PATIENCE, inside, refusal_of, veil
from tests.support.refusals import problem_of
from veil import plugins
from veil.equilibrium import SOLVERS
from veil.errors import VeilError
from veil.games import FAMILIES, Family, instantiate
from veil.match.contents import SourceWatch
from veil.match.executors.installation import describe_installation, find_differences
from veil.players import PLAYERS, list_searchers, make_player
from veil.plugins import Rows, add_plugins, fingerprint_plugins, load_plugins
from veil.registry import Row
from veil.server.web.host.browser_players import find_refusal, list_players

PLAYER = """
from veil.players import PLAYERS
from veil.players.simple import FirstPlayer, NoConfig
from veil.registry import Row

print("the plug-in runs")
PLAYERS.add("plugged", Row(__name__, "NoConfig", "FirstPlayer", "of a plug-in", frozenset({"legal moves"})))


def probe(say):
    return [name for name in PLAYERS if name.startswith("plug")]
"""
ROW = Row("veil.players.simple", "NoConfig", "FirstPlayer", "the row of a package", frozenset({"legal moves"}))
A_NUMBER = 7


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test loads and adds is gone after it."""
    for rows in (PLAYERS.rows, SOLVERS.rows, FAMILIES):
        monkeypatch.setattr(rows, "_rows", dict(rows._rows))
    monkeypatch.setattr(plugins, "_imported", {})
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delenv("VEIL_LOAD", raising=False)
    modules = set(sys.modules)
    yield
    os.environ.pop("VEIL_LOAD", None)
    for name in set(sys.modules) - modules:
        if name.startswith("plugged"):
            del sys.modules[name]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "plugged_player.py"
    path.write_text(PLAYER)
    return path


def declare(monkeypatch: pytest.MonkeyPatch, group: str, **values: str) -> None:
    """Let packages declare these entry points in a group, and nothing in others."""
    entries = {name: EntryPoint(name, value, group) for name, value in values.items()}
    monkeypatch.setattr(plugins, "find_entries", lambda asked: entries if asked == group else {})


# Files


def test_a_file_of_the_environment_is_loaded_when_a_name_is_not_known(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VEIL_LOAD", str(file))
    make_player("first")
    assert "plugged_player" not in sys.modules
    assert type(make_player("plugged")).__name__ == "FirstPlayer"
    assert PLAYERS["plugged"].home == "plugged_player"


def test_a_list_of_all_rows_has_those_of_files(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VEIL_LOAD", f"{os.pathsep}{file}")
    assert "plugged" in list(PLAYERS)
    assert len(PLAYERS.rows) == len(list(PLAYERS))


def test_files_that_are_loaded_are_known_to_processes_that_are_started_later(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(file.parent)
    other = file.with_name("plugged_other.py")
    other.write_text("")
    monkeypatch.setenv("VEIL_LOAD", other.name)
    add_plugins([file.name, str(file)])
    load_plugins()
    assert os.environ["VEIL_LOAD"] == f"{other}{os.pathsep}{file}"
    output = capsys.readouterr()
    assert (output.out, output.err) == ("", "the plug-in runs\n")  # once


FAULTS = {  # what stands in a file -> where and what is said
    "x = 1\ny = (\n": ("2:5", "SyntaxError: '(' was never closed", "    y = (\n        ^"),
    "def f():\n    return 1 / 0\nf()\n": ("2:12", "ZeroDivisionError: division by zero", "        return 1 / 0\n"),
    "import sys\nsys.exit(3)\n": ("2:1", "SystemExit: 3", "    sys.exit(3)\n    ^"),
    "import veil\n\nveil.load('chess9')": (
        "3:1",
        "VeilError: there is no game and no file called chess9",
        "    veil.load('chess9')",
    ),
    "import not_there_at_all": ("1:1", "ModuleNotFoundError: No module named 'not_there_at_all'", "    import not"),
}


@pytest.mark.parametrize("text", FAULTS, ids=lambda text: FAULTS[text][1].partition(":")[0])
def test_a_fault_in_a_file_is_one_message_with_file_and_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "plugged_fault.py"
    path.write_text(text)
    where, what, shown = FAULTS[text]
    message = refusal_of(inside("--load", path, "games"))
    assert message.startswith(f"error: {path}:{where}: the plug-in plugged_fault.py cannot be loaded: {what}")
    assert shown in message
    assert message.count("error:") == 1


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("absent.py", "there is no such file"),
        ("folder.py", "there is no such file"),
        ("rules.kif", "a plug-in is a Python file"),
        ("two.dots.py", "without another dot"),
        ("random.py", "there is another Python module called random"),
        ("sys.py", "there is another Python module called sys"),
        ("__main__.py", "there is another Python module called __main__"),
        (f"a{os.pathsep}b.py", "which separates the names in VEIL_LOAD"),
        ("nul\0.py", "there is no such file"),
    ],
)
def test_what_is_no_plug_in_file_is_refused(name: str, what: str, tmp_path: Path) -> None:
    (tmp_path / "folder.py").mkdir()
    for real in ("rules.kif", "two.dots.py", "random.py", "sys.py", "__main__.py"):
        (tmp_path / real).write_text("")
    with pytest.raises(VeilError, match="the plug-in") as caught:
        add_plugins([str(tmp_path / name)])
    assert what in str(caught.value)
    assert "VEIL_LOAD" not in os.environ


def test_the_fingerprint_of_a_file_belongs_to_what_a_tournament_is_played_with(file: Path) -> None:
    add_plugins([str(file)])
    fingerprint = fingerprint_plugins()["plugged_player.py"]
    assert SourceWatch({}, {}).fingerprints == {"contents of plugged_player.py": fingerprint}
    here = describe_installation.__wrapped__()
    there = {name: value for name, value in here.items() if "plug-in" not in name}
    said = f"the plug-in plugged_player.py is missing there and {fingerprint} here"
    assert find_differences(here, there) == said


@pytest.mark.gate_cases(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["match", "monty_hall", "--player", "contestant=plugged", "--isolated"],
        ["tournament", "kuhn_poker", "--players", "plugged", "random", "--games", "2", "--jobs", "2"],
    ],
    ids=["isolated players", "jobs"],
)
def test_workers_know_the_plug_ins(words: list[str], file: Path) -> None:
    done = veil("--load", file, *words, "--json")
    assert done.code == 0, done.err
    assert "plugged" in done.out


STUDIO = """
import asyncio
from veil.server.web.host.workers import StudioWorker

worker = StudioWorker(4.0)
print(asyncio.run(worker.call("plugged_player:probe", {}, 100.0)).decode())
worker.end()
"""


@pytest.mark.slow
def test_workers_of_the_studio_know_the_plug_ins(file: Path) -> None:
    variables = os.environ | {"VEIL_LOAD": str(file)}
    done = subprocess.run(
        [sys.executable, "-c", STUDIO], capture_output=True, text=True, env=variables, timeout=PATIENCE
    )
    assert done.stdout == '["plugged"]\n', done.stderr


def test_a_browser_may_name_players_of_plug_in_files_and_not_those_of_packages(file: Path) -> None:
    add_plugins([str(file)])
    assert find_refusal("plugged") is None
    named = [name for name, _ in list_players()]
    assert named == ["random", "first", "solve", "its", *list_searchers(), "plugged"]
    PLAYERS.add("foreign", Row("some_package.player", "NoConfig", "Player", "of somebody"))
    assert find_refusal("foreign") == find_refusal("openspiel:os:system") == "studio-foreign"


# Packages


def test_a_row_that_a_package_declares_is_known_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    declare(monkeypatch, "veil.players", packed=f"{__name__}:ROW")
    assert PLAYERS["packed"] == ROW
    assert type(make_player("packed")).__name__ == "FirstPlayer"
    assert "packed" in inside("players").out


def test_a_game_that_a_package_declares_is_known_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    declare(monkeypatch, "veil.games", boxes="veil.games.families.puzzles:PUZZLES")
    with pytest.raises(VeilError, match="is no Family"):
        instantiate("boxes")
    made = Rows("game", {}, Family, "veil.games")
    assert "boxes" in made
    assert list(made) == ["boxes"]


def test_packages_are_not_looked_at_for_names_that_veil_has(monkeypatch: pytest.MonkeyPatch) -> None:
    def look(group: str) -> dict[str, EntryPoint]:
        raise AssertionError(group)

    monkeypatch.setattr(plugins, "find_entries", look)
    make_player("hyperplay:models=5")
    instantiate("kuhn_poker")
    assert "rules.kif" not in FAMILIES  # nor for what cannot be a name
    assert "" not in FAMILIES
    with pytest.raises(AssertionError, match=r"veil\.solvers"):
        SOLVERS.parse("simplex")


def test_names_are_listed_without_the_packages_being_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    declare(monkeypatch, "veil.players", absent="package_that_is_not_there:ROW")
    assert "absent" in PLAYERS.names()
    assert "the players are random" in str(problem_of(lambda: make_player("alphazero")).hint)


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("package_that_is_not_there:ROW", "No module named 'package_that_is_not_there'"),
        (f"{__name__}:A_NUMBER", "is no Row"),
        (f"{__name__}:NOTHING", "AttributeError"),
    ],
)
def test_a_row_that_cannot_be_imported_is_refused(value: str, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    declare(monkeypatch, "veil.players", broken=value)
    problem = problem_of(lambda: make_player("broken"))
    assert problem.code == "bad-package-row"
    assert what in problem.message
    assert "entry point of veil.players" in str(problem.hint)


def test_a_row_that_is_added_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="there is a player called random already"):
        PLAYERS.add("random", ROW)
