"""Every page that shows Python is run: sessions as doctests, files that it tells the reader to save, commands."""

from __future__ import annotations

import doctest
import re
import shlex
import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import Any

import pytest
import typer

import veil as package
from tests.support.command import veil
from veil.belief import SAMPLERS
from veil.cli.main import _spread, build_app, list_commands
from veil.equilibrium import SOLVERS
from veil.errors import CATALOGUE
from veil.games import FAMILIES
from veil.lang import NOTATIONS
from veil.players import PLAYERS
from veil.plugins import Rows
from veil.search import OPPONENTS
from veil_lab.papers.exploit_table import SPECS

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("start", "how-to", "extending", "understand", "reference")
PAGES = sorted(page for folder in FOLDERS for page in (ROOT / "docs" / folder).glob("*.md"))
SESSIONS = [page for page in PAGES if ">>> " in page.read_text(encoding="utf-8") and page.stem != "ten-minutes"]
NOTEBOOKS = sorted(page for page in (ROOT / "examples").glob("*.md") if page.stem != "index")
IN_GATE = {"index", "policies", "gambit", "openspiel", "environments", "network", "cluster", "boards"}
IN_GATE |= {page.stem for page in PAGES if page.parent.name == "extending"}
NEEDS = {  # page -> what it can do nothing without
    "cluster": "distributed",
    "openspiel": "pyspiel",
    "gambit": "pyspiel",
}
CONSOLE = re.compile(r"^```console\n\$ veil (?P<words>.*)\n(?P<shown>(?:.*\n)*?)^```$", re.MULTILINE)
FILE = re.compile(r"^```(?:python)?\n(?:#|;;;) (?P<name>\w+\.\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def in_gate(pages: list[Path]) -> list[Any]:
    """These pages for a parametrization; all but those of the gate are nightly."""
    return [page if page.stem in IN_GATE else pytest.param(page, marks=pytest.mark.nightly) for page in pages]


@pytest.fixture(autouse=True)
def _tables_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that a page adds are gone after it."""
    tables: list[Rows[Any]] = [SAMPLERS.rows, SOLVERS.rows, PLAYERS.rows, OPPONENTS.rows, FAMILIES, NOTATIONS]
    for rows in tables:
        monkeypatch.setattr(rows, "_rows", dict(rows))


@pytest.mark.compiled("slow as Python", only=("cluster", "environments", "openspiel"))
@pytest.mark.parametrize("page", in_gate(SESSIONS), ids=lambda page: page.stem)
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
    assert runner.tries > 0


def save_files(text: str, folder: Path) -> list[str]:
    """Save the files that a page shows, and return the names of its modules."""
    for match in FILE.finditer(text):
        (folder / match["name"]).write_text(match["text"], encoding="utf-8")
    return [Path(match["name"]).stem for match in FILE.finditer(text)]


CONSOLES = [(page, match) for page in PAGES for match in CONSOLE.finditer(page.read_text(encoding="utf-8"))]
SHOWN = [
    pytest.param(page, match, marks=() if page.stem in IN_GATE else pytest.mark.nightly, id=page.stem)
    for page, match in CONSOLES
]


@pytest.mark.slow
@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize(("page", "shown"), SHOWN)
def test_a_command_that_a_page_shows_says_what_the_page_says(page: Path, shown: re.Match[str], tmp_path: Path) -> None:
    save_files(page.read_text(encoding="utf-8"), tmp_path)
    done = veil(*shlex.split(shown["words"]), cwd=tmp_path)
    assert done.code == 0, done.err
    assert doctest.OutputChecker().check_output(shown["shown"], done.out, doctest.ELLIPSIS), done.out


def test_every_page_about_a_plug_in_shows_it_on_the_command_line() -> None:
    plugged = {page.stem for page, shown in CONSOLES if shown["words"].startswith("--load ")}
    assert plugged == {page.stem for page in PAGES if page.parent.name == "extending"} - {"index"}


SHELLS = ("", "console", "sh")
BLOCK = re.compile(r"^( *)```(?P<language>[^\n`]*)\n(?P<text>.*?)^\1```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`veil ([a-z][a-z-]*)([^`]*)`")


def list_commands_of(page: Path) -> list[list[str]]:
    """The command lines that a page shows in blocks, without prompt and comment."""
    blocks = BLOCK.finditer(page.read_text(encoding="utf-8"))
    lines = (line.strip() for match in blocks if match["language"] in SHELLS for line in match["text"].splitlines())
    shown = (line.removeprefix("$ ") for line in lines)
    return [shlex.split(line.replace(" &", ""), comments=True) for line in shown if line.startswith("veil ")]


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES, *NOTEBOOKS], ids=lambda page: page.stem)
def test_every_command_that_a_page_shows_has_the_words_that_commands_take(page: Path) -> None:
    """Read by the parser of the command line, and not run; several lines of a page may stand for `...`."""
    for words in list_commands_of(page):
        rest = [word for word in words[1:] if word not in ("...", "--load") and not word.endswith((".py", "/..."))]
        name = next((word for word in rest if word in list_commands()), None)
        if name is None:
            assert rest[:1] in (["--help"], ["--version"], ["COMMAND"], []), words
            continue
        app: Any = typer.main.get_command(build_app([name]))
        app.commands[name].make_context(name, _spread(rest[rest.index(name) + 1 :]), resilient_parsing=False)


@cache
def find_options(name: str) -> set[str]:
    """All options of a command."""
    app: Any = typer.main.get_command(build_app([name]))
    return {
        option for parameter in app.commands[name].params for option in (*parameter.opts, *parameter.secondary_opts)
    }


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", ROOT / "SECURITY.md", *PAGES, *NOTEBOOKS], ids=lambda page: page.stem
)
def test_a_command_in_a_sentence_is_a_command_and_has_the_options_that_are_named(page: Path) -> None:
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    for name, rest in INLINE.findall(text):
        assert name in list_commands(), name
        assert find_options(name).issuperset(re.findall(r"(?<!\S)--[a-z-]+", rest)), f"veil {name}{rest}"


NOT_RUN = {  # words of a command -> why no test runs it as a page shows it
    "veil studio": "runs until Ctrl-C; tests/e2e/test_studio.py",
    "veil serve-player": "runs until Ctrl-C; tests/unit/server/ggp/test_player_server.py",
    "veil play": "asks a person; tests/e2e/test_play.py",
    "remote:": "asks a program elsewhere; tests/e2e/test_network.py",
    "--cluster t": "asks a scheduler elsewhere; tests/e2e/test_clusters.py",
    "its-table1 --out": "takes hours",
    "hyperplay-table2 --store": "takes hours",
    "hex.store": "takes minutes; tests/unit/equilibrium/streaming/test_walk_solver.py",
    "--policy hex.veil": "needs the file of the one before; the same tests",
}
GIVEN = {  # page -> a file with the first rules of the page
    "ten-minutes": "coin.kif",
    "design": "old_boxes.kif",
}
BORROWS = {"language": "how-to/design.md"}  # page -> the page that lets the reader save its files
SMALLER = re.compile(r"(--games|--matches|--iterations) \d+")  # run with two
RUN = [page for page in [ROOT / "README.md", *PAGES] if list_commands_of(page) and page.parent.name != "extending"]


@pytest.mark.nightly
@pytest.mark.compiled("searches and solves")
@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
def test_the_commands_of_a_page_run_one_after_the_other(page: Path, tmp_path: Path) -> None:
    """As a reader types them, in one folder with the files that the page lets the reader save; with few matches."""
    text = page.read_text(encoding="utf-8")
    save_files(
        (ROOT / "docs" / BORROWS[page.stem]).read_text(encoding="utf-8") if page.stem in BORROWS else text, tmp_path
    )
    if page.stem in GIVEN:
        first = next(match["text"] for match in BLOCK.finditer(text) if "(role " in match["text"])
        (tmp_path / GIVEN[page.stem]).write_text(first, encoding="utf-8")
    if shown := re.search(
        r"^>>> (class Switcher:\n(?:\.\.\. .*\n)+)", text, re.MULTILINE
    ):  # ten minutes: "call it Player"
        source = shown[1].replace("Switcher", "Player").replace("... ", "")
        (tmp_path / "switcher.py").write_text(source, encoding="utf-8")
    package.solve("kuhn_poker", "lp").policy.save(tmp_path / "learnt.json")  # the session of a page writes it
    for words in list_commands_of(page):
        line = shlex.join(words)
        if not any(part in " ".join(words) for part in NOT_RUN):
            done = veil(*shlex.split(SMALLER.sub(r"\1 2", line))[1:], cwd=tmp_path)
            assert done.code == 0, f"{line}\n{done.err}"


CELL = re.compile(r"^```\{code-cell\}\n(?::[^\n]*\n)*(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.nightly
@pytest.mark.compiled("searches and solves")
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda page: page.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(notebook: Path) -> None:
    pytest.importorskip("matplotlib")
    space: dict[str, Any] = {"__name__": "__main__"}
    cells = CELL.findall(notebook.read_text(encoding="utf-8"))
    assert any("assert" in cell for cell in cells)
    for number, cell in enumerate(cells, 1):
        exec(compile(cell, f"{notebook.name}, cell {number}", "exec"), space)


def first_cells(page: str, heading: str) -> list[str]:
    """What stands in backquotes in the first cells of the table whose heading begins like this."""
    lines = iter((ROOT / "docs" / page).read_text(encoding="utf-8").splitlines())
    table = dropwhile(lambda line: not line.startswith(f"| {heading} |"), lines)
    rows = takewhile(lambda line: line.startswith("|"), table)
    return [spec for row in rows for spec in re.findall(r"`([^`]+)`", row.split("|")[1])]


def test_the_tables_of_players_have_every_player_of_the_registry() -> None:
    assert {spec.partition(":")[0] for spec in first_cells("reference/players.md", "spec")} == set(PLAYERS)
    assert first_cells("understand/exploiting.md", "player") == list(SPECS)


def test_the_architecture_and_these_pages_name_the_same_contracts() -> None:
    architecture = (ROOT / "docs" / "understand" / "architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"^\d\. \*\*(?:Game )?(\w+)\*\* \(`", architecture, re.MULTILINE)
    index = (ROOT / "docs" / "extending" / "index.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| another .* \| `(\w+)`: .* \[(\w+)\]\((\w+)\.md\) \|$", index, re.MULTILINE)
    assert [contract.lower() for contract, _, _ in rows] == [name.lower() for name in named]
    assert {page for _, _, page in rows} == {page.stem for page in PAGES if page.parent.name == "extending"} - {"index"}
    assert len(rows) == 7


LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
GENERATED = {"commands.md", "python.md", "messages.md", "decisions.md"}  # by docs/generate.py


def test_links_of_all_pages_lead_to_files() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *NOTEBOOKS]
    dead = []
    for page in pages:
        if "_build" in page.parts or "generated" in page.parts or page.parent == ROOT / "docs" / "examples":
            continue
        home = ROOT / "docs" / "examples" if page in NOTEBOOKS else page.parent  # where the site has notebooks
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            path = (home / target).resolve()
            is_made = path.parent == ROOT / "docs" / "generated" and path.name in GENERATED
            is_notebook = path.parent == ROOT / "docs" / "examples" and (ROOT / "examples" / path.name).exists()
            if not (path.exists() or is_made or is_notebook):
                dead.append(f"{page.relative_to(ROOT)}: {target}")
    assert dead == []


def test_every_decision_has_a_room_and_a_status_and_names_what_replaced_it() -> None:
    generate, text = load_script("generate"), (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")
    entries = generate.read_decisions(text)
    assert len(entries) == len(re.findall("^## ", text, re.MULTILINE)) > 100
    assert not [entry.title for entry in entries if entry.room == generate.NOT_SORTED]
    assert len({entry.room for entry in entries}) < 15
    named = {name for entry in entries for name in re.findall(r"\*(.+)\*", entry.status)}
    assert named
    assert named <= {entry.title for entry in entries}


PLACE = re.compile(r"`([\w./-]+(?:\.py|\w/))`")
SOURCES = ("src", "tests", "benchmarks", "docs", "examples", "results")


def test_pages_name_files_and_folders_that_exist() -> None:
    """In backquotes, by the end of their path; pages about extending, and ten minutes, let the reader write files."""
    homes = [ROOT / folder for folder in SOURCES]
    found = [path for home in homes for path in (home, *home.rglob("*")) if "__pycache__" not in path.parts]
    places = [str(path) for path in found]
    missing = []
    for page in [*ROOT.glob("*.md"), *PAGES]:
        if page.parent.name == "extending" or page.stem in ("ten-minutes", "CHANGELOG"):
            continue
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        names = [name.rstrip("/") for name in PLACE.findall(text)]
        missing += [f"{page.stem}: {name}" for name in names if not any(p.endswith(f"/{name}") for p in places)]
    assert missing == []


def load_script(name: str) -> Any:
    """A module beside the pages, which is no part of a package."""
    spec = spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_generated_pages_name_every_command_every_public_name_and_every_message(tmp_path: Path) -> None:
    generate = load_script("generate")
    generate.write_pages(tmp_path / "pages")
    commands, python, messages = (
        (tmp_path / "pages" / name).read_text() for name in ("commands.md", "python.md", "messages.md")
    )
    assert all(f"\n## veil {name}\n" in commands for name in list_commands())
    assert all(f"\n### veil.{name}\n" in python for name in python_names())
    assert all(f"\n## {code}\n" in messages for code in CATALOGUE)


def test_the_glossary_has_the_words_that_the_studio_explains_and_no_type_is_shown_as_python_keeps_it() -> None:
    generate = load_script("generate")
    assert generate.GLOSSARY_PAGE.read_text(encoding="utf-8") == generate.make_glossary(), "python docs/generate.py"
    assert "ForwardRef" not in generate.make_python()


def python_names() -> set[str]:
    return {name for name in dir(package) if not name.startswith("_")}


def test_the_check_of_links_sees_dead_ones_and_what_is_loaded_from_elsewhere(tmp_path: Path) -> None:
    check = load_script("check_links")
    (tmp_path / "a.html").write_text(
        '<a href="b.html#there">b</a><h1 id="here">a</h1><a href="https://example.org">c</a>'
    )
    (tmp_path / "b.html").write_text('<p id="there">b</p><a href="a.html#here">a</a>')
    assert check.find_faults(tmp_path) == []
    (tmp_path / "c.html").write_text(
        '<a href="d.html">d</a><a href="a.html#gone">a</a><img src="x.png">'
        '<script src="https://example.org/x.js"></script>'
    )
    assert check.find_faults(tmp_path) == [
        "c.html: loads https://example.org/x.js",
        "c.html: there is no d.html",
        "c.html: there is no place a.html#gone",
        "c.html: there is no x.png",
    ]
