"""What a program can hold of how this house is written: sizes, docstrings, one name once, faces, figures in README."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from itertools import filterfalse
from pathlib import Path

from veil.belief import SAMPLERS
from veil.equilibrium import SOLVERS
from veil.games import FAMILIES
from veil.players import PLAYERS

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "veil"
MODULES = sorted((ROOT / "src").rglob("*.py"))
MAX_MODULE, MAX_FUNCTION, MAX_KERNEL = 600, 60, 80  # lines
MAX_POSITIONAL = 8  # parameters that can be given by place; more than six are looked at, kernels may have more
ROOMS = sorted(path.parent for path in MODULES if path.with_suffix(".pyi").exists())

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


def place(path: Path, line: int = 1) -> str:
    """Where something stands, as editors open it."""
    return f"{path.relative_to(ROOT)}:{line}"


def refuse(offenders: Iterable[str]) -> None:
    """Fail with all offenders at once, one per line."""
    listed = list(offenders)
    assert not listed, "\n" + "\n".join(listed)


def test_a_module_has_one_idea_and_says_which() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in MODULES}
    refuse(
        f"{place(path)}: a module says at its top what it is" for path in MODULES if not ast.get_docstring(parsed(path))
    )
    long = {path: lines for path, text in texts.items() if (lines := len(text.splitlines())) > MAX_MODULE}
    refuse(f"{place(path, lines)}: longer than {MAX_MODULE} lines" for path, lines in long.items())


def test_functions_are_short() -> None:
    for most, paths in ((MAX_KERNEL, filter(is_kernel, MODULES)), (MAX_FUNCTION, filterfalse(is_kernel, MODULES))):
        refuse(
            f"{place(path, node.lineno)}: {node.name} is longer than {most} lines"
            for path in paths
            for node in functions(parsed(path))
            if (node.end_lineno or 0) - node.lineno >= most
        )


def test_functions_take_few_parameters() -> None:
    refuse(
        f"{place(path, node.lineno)}: {node.name}: a record is missing"
        for path in MODULES
        if not is_kernel(path) and "cli" not in path.parts
        for node in functions(parsed(path))
        if len(node.args.args) > MAX_POSITIONAL
    )


def test_what_is_public_has_a_docstring() -> None:
    refuse(
        f"{place(path, node.lineno)}: {node.name} has no docstring"
        for path in MODULES
        for node in parsed(path).body
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_") and not ast.get_docstring(node)
    )


# Rooms whose docstrings, comments and messages are plain English; a room that is rewritten is added here.
PLAIN_ROOMS = (
    "veil/_catalogue",
    "veil/belief",
    "veil/boards",
    "veil/cli",
    "veil/engine",
    "veil/environments",
    "veil/equilibrium",
    "veil/games",
    "veil/interop",
    "veil/lang",
    "veil/match",
    "veil/players",
    "veil/report",
    "veil/review",
    "veil/search",
    "veil/server",
    "veil/wire",
    "veil_lab",
)
PLAIN_MODULES = sorted(
    [*SOURCE.glob("*.py"), *(path for room in PLAIN_ROOMS for path in (SOURCE.parent / room).rglob("*.py"))]
)
NO_VERB = re.compile(r"(?:The|An?|One|All|Every|What|Whether|Who|Which|Where|How)\b|[\[(]")


def test_plain_english_names_the_number_and_says_what_something_does() -> None:
    refuse(find_lines(r"(?i)\bso many\b", PLAIN_MODULES))
    documented = (ast.Module, ast.ClassDef, *Function.__args__)
    refuse(
        f"{place(path, getattr(node, 'lineno', 1))}: a docstring begins with `The same`"
        for path in PLAIN_MODULES
        for node in ast.walk(parsed(path))
        if isinstance(node, documented) and (ast.get_docstring(node) or "").startswith("The same")
    )


def test_the_docstring_of_a_function_begins_with_a_verb() -> None:
    """What a program can tell: it begins with no article, no question word and no shape. Properties are nouns."""
    refuse(
        f"{place(path, node.lineno)}: {node.name} does not begin with a verb"
        for path in PLAIN_MODULES
        for node in functions(parsed(path))
        if not any("property" in ast.unparse(decorator) for decorator in node.decorator_list)
        and NO_VERB.match(ast.get_docstring(node) or "")
    )


def test_a_class_name_stands_for_one_thing() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name.lstrip("_")].append(place(path, node.lineno))
    refuse(f"{name} is defined at {', '.join(places)}" for name, places in homes.items() if len(places) > 1)


def test_a_face_says_the_same_to_type_checkers_and_at_run_time() -> None:
    assert len(ROOMS) > 20
    for room in ROOMS:
        stub, face = parsed(room / "__init__.pyi"), import_module(module_name(room / "__init__.py"))
        imported = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
        typed = {alias.asname for node in imported for alias in node.names} - {"__version__"}
        home = place(room / "__init__.pyi")
        refuse(f"{home}: {name} is not found at run time" for name in sorted(map(str, typed ^ set(face.__dir__()))))
        modules = {path.stem for path in room.iterdir() if path.suffix == ".py" or path.is_dir()}
        refuse(f"{home}: importing the module {name} would hide the name" for name in typed & modules)
        refuse(f"{home}: {name} is nothing" for name in typed if getattr(face, str(name)) is None)


def test_an_import_inside_a_function_says_why() -> None:
    """In a comment on its line, or on the line of the import just before it."""
    for path in MODULES:
        lines = ["", *path.read_text(encoding="utf-8").splitlines()]
        inside = {line for node in functions(parsed(path)) for line in range(node.lineno, (node.end_lineno or 0) + 1)}
        last, has_reason = 0, False  # the line of the import before, and whether it says why
        imports = sorted(
            (node for node in ast.walk(parsed(path)) if isinstance(node, ast.Import | ast.ImportFrom)),
            key=lambda node: node.lineno,
        )
        for node in imports:
            if node.lineno in inside:
                follows = not "".join(lines[last + 1 : node.lineno]).strip() and has_reason
                has_reason = follows or "  # " in lines[node.lineno] or "  # " in lines[node.end_lineno or node.lineno]
                assert has_reason, f"{place(path, node.lineno)}: {lines[node.lineno].strip()}"
                last = node.end_lineno or node.lineno


# Dictionaries of a process that hold no results, or cannot grow.
FEW_ENTRIES = {
    "_engines": "veil.engine.lanes.native",  # as many as there are machines
    "REGISTERED": "veil.interop.openspiel.registration",  # OpenSpiel forgets no game either
    "_sessions": "veil.server.web.jobs.analysis",  # one
    "_open": "veil.server.web.jobs.game_session",  # one
    "_callbacks": "veil.engine.lanes.raw_memory",  # as many as there are such functions
    "_held": "veil.environments.held_records",  # where kernels run as Python: as many as there were environments
    "_imported": "veil.plugins",  # as many as there are plug-in files
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
    refuse(
        f"{place(path, node.lineno)}: prints"
        for path in [*(SOURCE / "cli").rglob("*.py"), *(ROOT / "src/veil_lab/commands").glob("*.py")]
        if path.name != "output.py"
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    )


def find_lines(pattern: str, paths: Iterable[Path]) -> Iterator[str]:
    """Every line in which a pattern is found, as `file:line: text`."""
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if re.search(pattern, line):
                yield f"{place(path, number)}: {line.strip()}"


def test_pages_for_users_import_nothing_deeper_than_veil() -> None:
    folders = [ROOT / "docs" / name for name in ("start", "understand", "reference")]
    pages = [ROOT / "README.md", *(page for folder in folders for page in folder.glob("*.md"))]
    refuse(find_lines(r"^(?:>>> |\.\.\. )?from veil\.\S+ import|^(?:>>> )?import veil\.", pages))


def test_sources_and_tests_name_no_document_that_is_not_here() -> None:
    pages = [*MODULES, *(ROOT / "tests").rglob("*.py"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    pages.remove(Path(__file__).resolve())
    refuse(find_lines(r"\bDESIGN\b|\bSTYLE\.md\b|\bissue #?\d+", pages))


def test_parts_of_contracts_are_declared_and_not_found_out_by_name() -> None:
    parts = (
        "observe|offer|peek|meet|answer_seconds|close|known|strategies|effort|needs|opponents|is_told_all_moves|catch_up"
        "|allow|work|states_visited|samplers|decisions|players"
    )
    refuse(find_lines(rf'\b[gh][ae][ts]attr\([^"]*"(?:{parts})"', MODULES))
    # A class that implements a contract is known to its room alone.
    classes = "Cascade|ExactBelief|HyperPlayBelief|SearchPlayer|RandomPlayer|HumanPlayer|RemotePlayer|PolicyPlayer"
    refuse(find_lines(rf"isinstance\([^)]*\b(?:{classes})\b", MODULES))


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
    "match": {"unfinished", "walked_games"},
    "players": {"unknown_legal_moves"},
    "search": {"work"},
    "search/hyperplay2": {"as_printed"},
}
LEAST_WORDS = 3  # of the name of a test, `test` among them: who, and does what


def test_unit_tests_stand_where_their_module_stands() -> None:
    astray = []
    for path in (TESTS / "unit").rglob("test_*.py"):
        room, name = path.parent.relative_to(TESTS / "unit"), path.stem.removeprefix("test_")
        home = (SOURCE.parent if room.parts[:1] == ("veil_lab",) else SOURCE) / room / name
        is_topic = name in TOPICS.get("" if room == Path() else room.as_posix(), ())
        is_module = home.with_suffix(".py").is_file() or home.is_dir()
        if is_module == is_topic:
            astray.append(f"{place(path)}: a module or a topic, and not both")
    refuse(astray)


def test_every_module_below_the_engine_has_its_unit_tests() -> None:
    refuse(
        f"{place(path)}: has no tests"
        for room in ("engine/datalog", "engine/grounding", "engine/lanes")
        for path in (SOURCE / room).glob("*.py")
        if path.stem != "__init__" and not (TESTS / "unit" / room / f"test_{path.name}").exists()
    )


def test_the_name_of_a_test_is_a_sentence() -> None:
    refuse(
        f"{place(path, node.lineno)}: {node.name}"
        for path in TEST_FILES
        for node in functions(parsed(path))
        if node.name.startswith("test_") and len(node.name.split("_")) < LEAST_WORDS
    )


def test_tests_import_helpers_and_never_other_tests() -> None:
    refuse(
        f"{place(path, node.lineno)}: imports {node.module}"
        for path in TESTS.rglob("*.py")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ImportFrom) and re.match(r"tests\b.*\.test_", node.module or "")
    )


def test_a_fixture_is_defined_once() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path in TESTS.rglob("*.py"):
        for node in functions(parsed(path)):
            if any("fixture" in ast.unparse(decorator) for decorator in node.decorator_list):
                homes[node.name].append(place(path, node.lineno))
    refuse(f"{name} is defined at {', '.join(places)}" for name, places in homes.items() if len(places) > 1)


def test_a_silenced_type_error_names_what_it_silences() -> None:
    refuse(find_lines(r"#\stype: ignore(?!\[)", [*MODULES, *TESTS.rglob("*.py")]))
