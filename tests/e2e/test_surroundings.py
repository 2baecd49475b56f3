"""Where a command runs makes no difference: directory, locale, terminal, environment."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.command import COMMAND, PATIENCE, RACE, refusal_of, veil

UMLAUTS = RACE.replace("red", "wei\N{LATIN SMALL LETTER SHARP S}").replace("step", "\N{RIGHTWARDS ARROW}")


def surroundings(**changes: str) -> dict[str, str]:
    """The environment of the tests with some changes; variables that would steer Python are left out."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LC_", "LANG"))}
    return {**plain, **changes}


@pytest.mark.skipif(os.name != "posix", reason="elsewhere the directory of a process cannot be removed")
def test_the_directory_may_be_gone(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    command = ["sh", "-c", 'rmdir "$0" && exec "$@"', str(gone), *COMMAND]
    checked = subprocess.run([*command, "check", "tic_tac_toe"], cwd=gone, capture_output=True, timeout=PATIENCE)
    assert checked.returncode == 0, checked
    gone.mkdir()
    missed = subprocess.run([*command, "check", "rules.kif"], cwd=gone, capture_output=True, timeout=PATIENCE)
    assert missed.returncode == 2
    assert b"cannot read rules.kif: No such file" in missed.stderr


@pytest.mark.nightly
def test_nothing_is_written_to_the_directory(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    try:
        assert veil("check", "tic_tac_toe", cwd=tmp_path).code == 0
        assert veil("trace", "tic_tac_toe", cwd=tmp_path).code == 0
        assert list(tmp_path.iterdir()) == []
    finally:
        tmp_path.chmod(0o755)


@pytest.mark.nightly
def test_modules_in_the_directory_do_not_confuse_the_grounder(tmp_path: Path) -> None:
    for name in ("clingo", "pickle", "resource", "veil"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')\n")
    command = shutil.which("veil", path=str(Path(COMMAND[0]).parent))
    if command is None:
        pytest.skip("the command is not installed beside the interpreter")
    done = subprocess.run([command, "check", "tic_tac_toe"], cwd=tmp_path, capture_output=True, timeout=PATIENCE)
    assert done.returncode == 0, done


def test_a_path_relative_to_the_directory_is_found(race: Path, tmp_path: Path) -> None:
    (tmp_path / "noname").write_text(RACE)
    assert veil("check", race.name, cwd=tmp_path).code == 0
    assert veil("check", "noname", cwd=tmp_path).code == 0


@pytest.mark.parametrize("locale", [{}, {"LC_ALL": "C"}], ids=str)
def test_names_beyond_ascii_print_in_every_locale(locale: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "race.kif"
    path.write_text(UMLAUTS, encoding="utf-8")
    outcome = veil("trace", path, "--json", env=surroundings(**locale))
    assert outcome.code == 0
    assert outcome.json["roles"] == ["wei\N{LATIN SMALL LETTER SHARP S}", "blue"]
    assert "\N{RIGHTWARDS ARROW}" in outcome.json["rounds"][0]["legal"]["blue"]


@pytest.mark.parametrize("columns", ["1", "30", "wide"])
def test_text_fits_any_terminal(columns: str) -> None:
    outcome = veil("trace", "tic_tac_toe", env=surroundings(COLUMNS=columns))
    assert outcome.code == 0
    assert outcome.out.splitlines()[0] == "round 1"
    assert "(mark 1 1)" in " ".join(outcome.out.split())
    if columns == "30":
        assert max(map(len, outcome.out.splitlines())) <= 40


@pytest.mark.nightly
def test_an_empty_environment_will_do() -> None:
    assert veil("check", "tic_tac_toe", env={}).code == 0


@pytest.mark.skipif(os.name != "posix", reason="uses a shell to close a file")
def test_standard_input_may_be_closed() -> None:
    command = ["sh", "-c", 'exec "$@" <&-', "sh", *COMMAND, "check", "tic_tac_toe"]
    done = subprocess.run(command, capture_output=True, timeout=PATIENCE)
    assert done.returncode == 0, done


def test_a_device_without_end_is_no_game() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("there is no /dev/zero")
    assert "larger than 64 MB" in refusal_of(veil("check", "/dev/zero"))
