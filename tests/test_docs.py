"""Every page that shows Python is run: sessions as doctests, files that it tells the reader to save, commands."""

from __future__ import annotations

import doctest
import re
import shlex
import sys
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import veil
from veil.belief import SAMPLERS
from veil.equilibrium import SOLVERS
from veil.games import FAMILIES
from veil.lang import NOTATIONS
from veil.players import PLAYERS
from veil.plugins import Rows
from veil.search import OPPONENTS
from veil_lab.papers.exploit_table import SPECS

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(page for folder in ("extending", "how-to") for page in (ROOT / "docs" / folder).glob("*.md"))
PAGES.append(ROOT / "docs" / "explanation" / "boards.md")
NEEDS = {  # page -> what it can do nothing without
    "cluster": "distributed",
    "openspiel": "pyspiel",
    "gambit": "pyspiel",
}
CONSOLE = re.compile(r"^```console\n\$ veil (?P<words>.*)\n(?P<shown>(?:.*\n)*?)^```$", re.MULTILINE)
FILE = re.compile(r"^```(?:python)?\n(?:#|;;;) (?P<name>\w+\.\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def _tables_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that a page adds are gone after it."""
    tables: list[Rows[Any]] = [SAMPLERS.rows, SOLVERS.rows, PLAYERS.rows, OPPONENTS.rows, FAMILIES, NOTATIONS]
    for rows in tables:
        monkeypatch.setattr(rows, "_rows", dict(rows))


@pytest.mark.compiled("slow as Python", only=("cluster", "environments", "openspiel"))
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_shows_is_what_happens(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page.stem in NEEDS:
        pytest.importorskip(NEEDS[page.stem], reason=f"{NEEDS[page.stem]} is not installed")
    text = page.read_text(encoding="utf-8")
    modules = save_files(text, tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    try:
        test = doctest.DocTestParser().get_doctest(text, {"folder": tmp_path}, page.name, str(page), 0)
        runner = doctest.DocTestRunner()
        output: list[str] = []
        runner.run(test, out=output.append)
    finally:
        for module in modules:
            sys.modules.pop(module, None)
    assert runner.failures == 0, "".join(output)
    assert runner.tries > 0 or page.stem == "index", "a page without a session shows nothing"


def save_files(text: str, folder: Path) -> list[str]:
    """Save the files that a page shows, and return the names of its modules."""
    for match in FILE.finditer(text):
        (folder / match["name"]).write_text(match["text"], encoding="utf-8")
    return [Path(match["name"]).stem for match in FILE.finditer(text)]


CONSOLES = [(page, match) for page in PAGES for match in CONSOLE.finditer(page.read_text(encoding="utf-8"))]


@pytest.mark.slow
@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize(("page", "shown"), CONSOLES, ids=[page.stem for page, _ in CONSOLES])
def test_a_command_that_a_page_shows_says_what_the_page_says(page: Path, shown: re.Match[str], tmp_path: Path) -> None:
    save_files(page.read_text(encoding="utf-8"), tmp_path)
    done = veil(*shlex.split(shown["words"]), cwd=tmp_path)
    assert done.code == 0, done.err
    assert doctest.OutputChecker().check_output(shown["shown"], done.out, doctest.ELLIPSIS), done.out


def test_every_page_about_a_plug_in_shows_it_on_the_command_line() -> None:
    plugged = {page.stem for page, shown in CONSOLES if shown["words"].startswith("--load ")}
    assert plugged == {page.stem for page in PAGES if page.parent.name == "extending"} - {"index"}


def first_cells(page: str, heading: str) -> list[str]:
    """What stands in backquotes in the first cells of the table whose heading begins like this."""
    lines = iter((ROOT / "docs" / page).read_text(encoding="utf-8").splitlines())
    table = dropwhile(lambda line: not line.startswith(f"| {heading} |"), lines)
    rows = takewhile(lambda line: line.startswith("|"), table)
    return [spec for row in rows for spec in re.findall(r"`([^`]+)`", row.split("|")[1])]


def test_the_tables_of_players_have_every_player_of_the_registry() -> None:
    assert {spec.partition(":")[0] for spec in first_cells("players.md", "spec")} == set(PLAYERS)
    assert first_cells("exploiting.md", "player") == list(SPECS)


def test_the_architecture_and_these_pages_name_the_same_contracts() -> None:
    architecture = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"^\d\. \*\*(?:Game )?(\w+)\*\* \(`", architecture, re.MULTILINE)
    index = (ROOT / "docs" / "extending" / "index.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| another .* \| `(\w+)`: .* \[(\w+)\]\((\w+)\.md\) \|$", index, re.MULTILINE)
    assert [contract.lower() for contract, _, _ in rows] == [name.lower() for name in named]
    assert {page for _, _, page in rows} == {page.stem for page in PAGES if page.parent.name == "extending"} - {"index"}
    assert len(rows) == 7
