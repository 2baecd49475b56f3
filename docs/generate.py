"""Pages that are generated: commands from their own help, Python from docstrings, messages, decisions by room.

`python docs/generate.py FOLDER` writes them; `make docs` does it before it builds the site. The glossary is written
into `docs/reference`, where people read it without the site as well.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
import textwrap
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import typer.main

import veil
from veil.cli.main import COMMANDS, build_app, find_added
from veil.faces import IMPORT, NAME
from veil.server.web.pages.glossary import GLOSSARY

ROOT = Path(__file__).resolve().parents[1]
MESSAGES = ROOT / "tests" / "golden" / "messages.txt"
DECISIONS = ROOT / "docs" / "decisions.md"
GLOSSARY_PAGE = ROOT / "docs" / "reference" / "glossary.md"
ENTRY = re.compile(r"^## (?P<date>\d{4}-\d\d-\d\d) · (?P<title>.*)\n(?:\*(?P<room>[^*·]+) · (?P<status>.+)\*\n)?", re.M)
ROOMS = {  # home of a public name -> heading of its section, in the order of the page
    "veil.engine": "Games, states, records",
    "veil.search": "What a role can know",
    "veil.belief": "What a role can know",
    "veil.equilibrium": "Whole games",
    "veil.match": "Matches and tournaments",
    "veil.players": "Players",
    "veil.boards": "Boards and drawn trees",
    "veil.display": "Pictures",
    "veil.review": "For designers",
    "veil.server.ggp": "On the network",
    "veil.errors": "Errors",
}
NOT_SORTED = "not sorted yet"


def write_pages(folder: Path) -> None:
    """Write all generated pages into a folder."""
    pages = {"commands.md": make_commands(), "python.md": make_python(), "messages.md": make_messages()}
    pages |= make_decisions(DECISIONS.read_text(encoding="utf-8"))
    write_folder(folder, pages)


def copy_notebooks(folder: Path) -> None:
    """Copy the notebooks of the repository into a folder beside the pages, from where their links lead to them."""
    paths = (ROOT / "examples").glob("*.md")
    write_folder(folder, {path.name: path.read_text(encoding="utf-8") for path in paths})


def write_folder(folder: Path, pages: dict[str, str]) -> None:
    """Let a folder hold these pages and no others; those that did not change keep their time."""
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.md"):
        if path.name not in pages:
            path.unlink()
    for name, text in pages.items():
        write_page(folder / name, text)


def write_page(path: Path, text: str) -> None:
    """Write a page unless it is as it should be: one that did not change keeps its time."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def make_glossary() -> str:
    """Return the page of the words that the studio explains as well."""
    head = "# Glossary\n\nOne word has one meaning on all pages. The studio explains the same words.\n"
    words = (
        f"{word}\n" + textwrap.fill(escape(GLOSSARY[word]), 120, initial_indent=": ", subsequent_indent="  ") + "\n"
        for word in sorted(GLOSSARY, key=str.casefold)
    )
    return "\n".join((head, *words))


# Commands


def make_commands() -> str:
    """Return the page of all commands, from the texts that `--help` prints."""
    names = [*COMMANDS, *find_added()]
    parts = [
        "# Commands\n\nThis page is made from the help of the commands. `veil COMMAND --help` prints the same. "
        "Every command that answers takes `--json`; wrong input ends with one message and exit code 2.\n"
    ]
    for name in names:
        app: Any = typer.main.get_command(build_app([name]))
        command = app.commands[name]
        context = command.make_context(name, [], resilient_parsing=True)
        usage = " ".join(command.collect_usage_pieces(context))
        parts.append(
            f"## veil {name}\n\n```text\nveil {name} {usage}\n```\n\n{escape(inspect.cleandoc(command.help or ''))}\n"
        )
        rows = [row for parameter in command.get_params(context) if (row := _describe(parameter, context))]
        parts.append("| option | meaning |\n|---|---|\n" + "".join(f"| `{left}` | {right} |\n" for left, right in rows))
    return "\n".join(parts)


def _describe(parameter: Any, context: Any) -> tuple[str, str] | None:
    """Return a parameter and its meaning for a table; None for `--help`."""
    if parameter.param_type_name == "option":
        record = parameter.get_help_record(context)
        if record is None or "--help" in parameter.opts:
            return None
        return _cell(record[0]), escape(_cell(record[1]))
    about = getattr(parameter, "help", "") or ""
    return _cell(parameter.metavar or parameter.name.upper()), escape(_cell(about))


def _cell(text: str) -> str:
    """Return a text that may stand in a cell of a table, also inside backquotes."""
    return " ".join(text.replace("|", r"\|").split())


# Python


def make_python() -> str:
    """Return the page of all public names of `veil`, from their signatures and docstrings."""
    homes: dict[str, list[str]] = defaultdict(list)
    for home, names in IMPORT.findall(Path(f"{veil.__file__}i").read_text(encoding="utf-8")):
        room = next((room for room in ROOMS if home == room or home.startswith(f"{room}.")), None)
        if room is not None:
            homes[room] += NAME.findall(names)
    parts = [
        "# Python\n\nThese are the names for users; all else may change. Functions take a "
        "game as a `Game`, as its name, its path, or as the text of its rules. If an argument is wrong, they raise "
        "`VeilError`, which is a `TypeError` too if the type is wrong.\n"
    ]
    for heading in dict.fromkeys(ROOMS.values()):
        names = [name for room, its in ROOMS.items() if its == heading for name in homes[room]]
        if names:
            index = " · ".join(f"[{name}](#veil{name.lower()})" for name in names)
            parts.append(f"## {heading}\n\n{index}\n")
            parts += [part for name in names for part in _describe_name(name)]
    return "\n".join(parts)


def _describe_name(name: str) -> Iterator[str]:
    """Yield the section of a public name."""
    thing = getattr(veil, name)
    yield f"### veil.{name}\n"
    if not inspect.isclass(thing):
        yield f"```python\n{_sign(name, thing)}\n```\n\n{_read_doc(thing)}\n"
        return
    yield _read_doc(thing) + "\n"
    fields, meanings = _list_fields(thing), _read_meanings(thing)
    if fields:
        yield "".join(f"- `{name}: {kind}`{meanings.get(name, '')}\n" for name, kind in fields)
    for member, value in _list_members(thing):
        text = _read_doc(value.fget if isinstance(value, property) else value)
        if isinstance(value, property) or not callable(getattr(thing, member)):
            yield f"`{member}`\n: {_indent(text)}\n"
        else:
            yield f"```python\n{_sign(member, getattr(thing, member))}\n```\n\n{text}\n"


def _list_fields(thing: type) -> list[tuple[str, str]]:
    """Return the public fields of a record, with their types as they are written."""
    if dataclasses.is_dataclass(thing):
        return [(entry.name, str(entry.type)) for entry in dataclasses.fields(thing) if not entry.name.startswith("_")]
    if hasattr(thing, "_fields"):
        return [(name, str(getattr(kind, "__forward_arg__", kind))) for name, kind in thing.__annotations__.items()]
    return []


FIELD = re.compile(r"^    (\w+): [^#\n]*#\s*(.+)$", re.MULTILINE)


def _read_meanings(thing: type) -> dict[str, str]:
    """Return field -> the comment that stands behind it in the source, as the end of a sentence."""
    sources = [inspect.getsource(base) for base in reversed(thing.__mro__) if base.__module__.startswith("veil")]
    return {name: f" – {escape(text.strip())}" for source in sources for name, text in FIELD.findall(source)}


def _list_members(thing: type) -> Iterator[tuple[str, Any]]:
    """Yield the public methods and properties that a class defines, those of our own bases included."""
    seen = set()
    for base in thing.__mro__:
        if base.__module__.startswith("veil"):
            for name, value in vars(base).items():
                is_member = (
                    inspect.isfunction(value) or isinstance(value, property | classmethod) or hasattr(value, "func")
                )
                if not name.startswith("_") and name not in seen and is_member:
                    seen.add(name)
                    yield name, value.func if hasattr(value, "func") else value


def _sign(name: str, function: Any) -> str:
    """Return the signature of a function, in lines that are not too long."""
    try:
        signature = str(inspect.signature(function))
    except (TypeError, ValueError):
        return name
    signature = re.sub(r"\w+\((?:[^()]*<function [^()]*)\)|<function .*? at 0x[0-9a-f]+>", "...", signature)
    signature = re.sub(r"(: |-> )'([^']*)'", r"\1\2", signature)  # annotations are texts
    signature = re.sub(r"\((?:self|cls)(?:, )?", "(", signature)
    signature = re.sub(r"(?<![\w.])(?:[a-z_]\w*\.)+(?=\w)", "", signature)
    line = f"{name}{signature}"
    if len(line) <= 100:
        return line
    inner, _, result = line[len(name) + 1 :].rpartition(")")
    return f"{name}(\n" + "".join(f"    {part},\n" for part in _split(inner)) + f"){result}"


def _split(inner: str) -> list[str]:
    """Return the parameters of a signature: commas inside brackets do not separate."""
    parts, depth = [""], 0
    for character in inner:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def _read_doc(thing: Any) -> str:
    """Return a docstring as Markdown: indented examples become blocks."""
    text = inspect.cleandoc(getattr(thing, "__doc__", None) or "")
    if text.startswith(getattr(thing, "__name__", "") + "(") and dataclasses.is_dataclass(thing):
        return ""  # made by dataclass
    return escape(
        re.sub(
            r"\n\n((?:    .*\n?)+)", lambda block: f"\n\n```python\n{textwrap.dedent(block[1]).rstrip()}\n```\n", text
        )
    )


def _indent(text: str) -> str:
    return text.replace("\n", "\n  ")


def escape(text: str) -> str:
    """Return a text in which nothing outside of backquotes is taken for markup."""
    parts = re.split(r"(```.*?```|`[^`\n]*`)", text, flags=re.DOTALL)
    return "".join(part if place % 2 else re.sub(r"([*_<$\[\]{}])", r"\\\1", part) for place, part in enumerate(parts))


# Messages


def make_messages() -> str:
    """Return the page of all messages, each as a real mistake makes it."""
    _, *parts = re.split(r"^== (\S+) ==\n", MESSAGES.read_text(encoding="utf-8"), flags=re.M)
    sections = "".join(
        f"## {code}\n\n````text\n{text.strip()}\n````\n\n" for code, text in zip(parts[::2], parts[1::2], strict=True)
    )
    return (
        "# Messages\n\nEvery message of Veil, made by a real mistake. The heading is its code: `--json` has it, and "
        f"`error.problems[0].code` in Python.\n\n{sections}"
    )


# Decisions


class Decision(NamedTuple):
    """One entry of the decisions."""

    date: str
    title: str
    room: str
    status: str
    text: str


def read_decisions(text: str) -> list[Decision]:
    """Return the entries of the page of decisions, in its order."""
    found = list(ENTRY.finditer(text))
    ends = [*(match.start() for match in found[1:]), len(text)]
    return [
        Decision(
            match["date"],
            match["title"],
            match["room"] or NOT_SORTED,
            match["status"] or "stands",
            text[match.end() : end].strip(),
        )
        for match, end in zip(found, ends, strict=True)
    ]


def make_decisions(text: str) -> dict[str, str]:
    """Return a page of decisions per room, and the index with the status of each."""
    rooms: dict[str, list[Decision]] = defaultdict(list)
    for entry in read_decisions(text):
        rooms[entry.room].append(entry)
    index = ["# Decisions by room\n\nWhy things are as they are. A decision that another one replaced says so.\n"]
    pages = {}
    for room in sorted(rooms):
        key = re.sub("[^a-z0-9]+", "-", room.lower())
        index.append(f"## {room}\n\n| date | decision | status |\n|---|---|---|\n")
        sections = []
        for number, entry in enumerate(rooms[room], 1):
            index.append(f"| {entry.date} | [{escape(entry.title)}](#d{number}-{key}) | {entry.status} |\n")
            head = f"(d{number}-{key})=\n\n## {entry.title}\n\n*{entry.date} · {entry.status}*"
            sections.append(f"{head}\n\n{entry.text}\n")
        pages[f"decisions-{key}.md"] = f"# Decisions: {room}\n\n" + "\n".join(sections)
    toctree = "\n```{toctree}\n:hidden:\n\n" + "\n".join(name[:-3] for name in sorted(pages)) + "\n```\n"
    pages["decisions.md"] = "\n".join(index).replace("|\n\n|", "|\n|") + toctree
    return pages


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
    write_page(GLOSSARY_PAGE, make_glossary())
