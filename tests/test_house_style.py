"""What a program can hold of how this house is written: sizes, docstrings, one name once, faces, figures in README."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from veil.belief import SAMPLERS
from veil.equilibrium import SOLVERS
from veil.games import FAMILIES
from veil.players import PLAYERS

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "veil"
MODULES = sorted(SOURCE.rglob("*.py"))
MAX_MODULE, MAX_FUNCTION, MAX_KERNEL = 600, 60, 80  # lines
MAX_POSITIONAL = 8  # parameters that can be given by place; more than six are looked at, kernels may have more
ROOMS = sorted(path.parent for path in SOURCE.rglob("__init__.py") if "lazy_face" in path.read_text(encoding="utf-8"))

Function = ast.FunctionDef | ast.AsyncFunctionDef


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_kernel(path: Path) -> bool:
    return path.stem.endswith("kernels")


def functions(tree: ast.Module) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


every_module = pytest.mark.parametrize("path", MODULES, ids=module_name)


@every_module
def test_a_module_has_one_idea_and_says_which(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)), "a module says at its top what it is"
    assert len(text.splitlines()) <= MAX_MODULE


@every_module
def test_functions_are_short_and_take_few_parameters(path: Path) -> None:
    most = MAX_KERNEL if is_kernel(path) else MAX_FUNCTION
    for node in functions(parsed(path)):
        assert (node.end_lineno or 0) - node.lineno < most, f"{node.name} is longer than {most} lines"
        if not is_kernel(path) and "cli" not in path.parts:
            assert len(node.args.args) <= MAX_POSITIONAL, f"{node.name}: a record is missing"


@every_module
def test_what_is_public_has_a_docstring(path: Path) -> None:
    tree = parsed(path)
    for node in tree.body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), node.name


def test_a_class_name_stands_for_one_thing() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name.lstrip("_")].append(module_name(path))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: module_name(room / "__init__.py"))
def test_a_face_says_the_same_to_type_checkers_and_at_run_time(room: Path) -> None:
    tree, face = parsed(room / "__init__.py"), import_module(module_name(room / "__init__.py"))
    typed = {
        alias.asname
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    at_run_time = set(face.__dir__())
    assert typed == at_run_time
    modules = {path.stem for path in room.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert at_run_time & modules == set(), "importing that module would hide the name"
    for name in at_run_time:
        assert getattr(face, name) is not None


# Dictionaries of a process that hold no results, or cannot grow.
FEW_ENTRIES = {
    "_engines": "veil.engine.lanes.native",  # as many as there are machines
    "REGISTERED": "veil.interop.openspiel.registering",  # OpenSpiel forgets no game either
    "_desks": "veil.server.web.analysing",  # one
    "_open": "veil.server.web.playing",  # one
    "_waiting": "veil.signals",  # as many as there are signals
}


def test_what_a_process_keeps_has_a_bound() -> None:
    """Results are kept by `lru_cache` with a size or by `BoundedCache`; `cache` is for functions without parameters."""
    for path in MODULES:
        for node in functions(parsed(path)):
            if {ast.unparse(decorator) for decorator in node.decorator_list} & {"cache", "functools.cache", "once"}:
                assert ast.unparse(node.args) == "", f"{path}:{node.lineno}: it keeps all of its results"
        for entry in parsed(path).body:
            value = getattr(entry, "value", None)
            if isinstance(value, ast.Dict) and not value.keys and isinstance(entry, ast.AnnAssign):
                name = ast.unparse(entry.target)
                assert name.isupper() or name in FEW_ENTRIES, f"{path}:{entry.lineno}: nothing bounds {name}"
                assert FEW_ENTRIES.get(name, module_name(path)) == module_name(path)


def test_commands_print_in_one_place() -> None:
    """What comes from outside is made visible there."""
    printing = {
        path.name
        for path in (SOURCE / "cli").glob("*.py")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    }
    assert printing == {"output.py"}


def test_pages_for_users_import_nothing_deeper_than_veil() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    for page in pages:
        deep = re.findall(
            r"^(?:>>> |\.\.\. )?from veil\.\S+ import|^(?:>>> )?import veil\.", page.read_text(), re.MULTILINE
        )
        assert deep == [], page.name


def test_sources_and_tests_name_no_document_that_is_not_here() -> None:
    for path in [*MODULES, *(ROOT / "tests").rglob("*.py"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]:
        if path == Path(__file__).resolve():
            continue
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\bDESIGN\b|\bSTYLE\.md\b|\bissue #?\d+", text), path


def test_the_figures_of_the_readme_are_those_of_the_tables() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    figures = {"games": len(FAMILIES), "players": len(PLAYERS.rows), "samplers": len(SAMPLERS.rows)}
    figures["solvers"] = len(SOLVERS.rows)
    for what, count in figures.items():
        assert re.findall(rf"\b(\d+) {what}\b", text) == [str(count)], what


# The tests themselves

TESTS = ROOT / "tests"
TEST_FILES = sorted(TESTS.rglob("test_*.py"))
# Unit tests of what several modules of a room do together, and of rules files, which are no modules.
TOPICS = {
    "": {"startup", "warm_up"},
    "belief": {"deadlines", "impossible"},
    "equilibrium": {"stopping"},
    "games": {"boards", "cards", "hunts", "matrix", "poker", "puzzles"},
    "match": {"unfinished"},
    "search": {"work"},
}
LEAST_WORDS = 3  # of the name of a test, `test` among them: who, and does what


def test_unit_tests_stand_where_their_module_stands() -> None:
    for path in (TESTS / "unit").rglob("test_*.py"):
        room, name = path.parent.relative_to(TESTS / "unit"), path.stem.removeprefix("test_")
        home = SOURCE / room / name
        is_topic = name in TOPICS.get("" if room == Path() else room.as_posix(), ())
        is_module = home.with_suffix(".py").is_file() or home.is_dir()
        assert is_module != is_topic, f"{path}: a module or a topic, and not both"


@pytest.mark.parametrize("room", ["engine/datalog", "engine/grounding", "engine/lanes"])
def test_every_module_below_the_engine_has_its_unit_tests(room: str) -> None:
    modules = {path.stem for path in (SOURCE / room).glob("*.py")} - {"__init__"}
    tested = {path.stem.removeprefix("test_") for path in (TESTS / "unit" / room).glob("test_*.py")}
    assert modules - tested == set()


def test_the_name_of_a_test_is_a_sentence() -> None:
    for path in TEST_FILES:
        names = [node.name for node in functions(parsed(path)) if node.name.startswith("test_")]
        assert [name for name in names if len(name.split("_")) < LEAST_WORDS] == [], path


def test_tests_import_helpers_and_never_other_tests() -> None:
    for path in TESTS.rglob("*.py"):
        modules = [node.module or "" for node in ast.walk(parsed(path)) if isinstance(node, ast.ImportFrom)]
        assert [name for name in modules if re.match(r"tests\b.*\.test_", name)] == [], path


def test_a_fixture_is_defined_once() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path in TESTS.rglob("*.py"):
        for node in functions(parsed(path)):
            if any("fixture" in ast.unparse(decorator) for decorator in node.decorator_list):
                homes[node.name].append(str(path.relative_to(TESTS)))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_a_silenced_type_error_names_what_it_silences() -> None:
    for path in [*MODULES, *TESTS.rglob("*.py")]:
        assert not re.search(r"#\stype: ignore(?!\[)", path.read_text(encoding="utf-8")), path
