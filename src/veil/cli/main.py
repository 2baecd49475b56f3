"""The command `veil`: its table of commands, and the one place where errors become text and exit codes."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

import veil
from veil.cli.output import print_event, print_json, print_problems, print_text
from veil.compat.typer import UsageError
from veil.errors import VeilError, phrase, problem
from veil.files import reason_of
from veil.limits import is_out_of_memory, out_of_memory, out_of_time
from veil.plugins import add_plugins, find_entries
from veil.signals import OUT_OF_TIME, LastWords, OutOfProcessorTime

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "veil.commands"  # of entry points


class Command(NamedTuple):
    """A row of the table: the module in `commands/` with a function of the command's name, a line for the overview."""

    module: str
    summary: str


COMMANDS: dict[str, Command] = {
    "games": Command("games", "List the bundled games, or show one in full."),
    "check": Command("check", "Test that a game is well-formed; its ground size."),
    "review": Command("review", "What a designer wants to know: length, fairness, slips."),
    "trace": Command("trace", "Replay moves, or play random ones, round by round."),
    "sim": Command("sim", "Play random games: mean goals, length, speed."),
    "infoset": Command("infoset", "List the histories that a role cannot tell apart."),
    "tree": Command("tree", "Count the nodes and infosets of the whole game."),
    "solve": Command("solve", "Find an equilibrium of the whole game."),
    "evaluate": Command("evaluate", "Judge a saved policy: value and exploitability."),
    "exploit": Command("exploit", "Judge a player that searches: exact exploitability."),
    "export": Command("export", "Write the whole game for other people's tools."),
    "play": Command("play", "Play a role yourself, in the terminal."),
    "match": Command("match", "Let players play a game."),
    "replay": Command("replay", "Show a recorded match."),
    "tournament": Command("tournament", "Let players meet in all pairings and seats."),
    "serve-player": Command("serve_player", "Let a player answer game managers (GGP)."),
    "players": Command("registries", "List the players and their options."),
    "samplers": Command("registries", "List the samplers of beliefs and their options."),
    "opponents": Command("registries", "List the models of opponents and their options."),
    "solvers": Command("registries", "List the solvers and their options."),
    "studio": Command("studio", "The browser: write rules, play, see what you can know."),
}


class OutputClosedError(Exception):
    """The reader of standard output has closed it."""


class InterruptedCommandError(Exception):
    """The user pressed Ctrl-C while a command ran."""


def build_app(words: list[str]) -> typer.Typer:
    """The parser of a command line. Only commands that it names are imported; the others are there to be listed."""
    app = typer.Typer(
        name="veil",
        help="Plays, analyses and solves any game with hidden information, from its rules alone.",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for name, (_, summary) in COMMANDS.items():
        function = _guard(find_function(name)) if name in words else _list_only
        app.command(name, short_help=summary)(function)
    if _first_word(words) not in COMMANDS:
        for name, entry in find_added().items():
            function = _guard(find_function(name)) if name in words else _list_only
            app.command(name, short_help=_read_summary(entry.module))(function)
    return app


def find_added() -> dict[str, EntryPoint]:
    """The commands of other packages: entry points of the group `veil.commands`."""
    return {name: entry for name, entry in find_entries(GROUP).items() if name not in COMMANDS}


def _first_word(words: list[str]) -> str | None:
    """Return the first word but for the files of `--load`; None where there is none."""
    rest = iter(words)
    for word in rest:
        if word != "--load":
            return word
        next(rest, None)
    return None


def _read_summary(module: str) -> str:
    """The first line of a module's docstring without the name of its command; the module is read, not imported."""
    import ast
    from importlib.util import find_spec

    try:
        spec = find_spec(module)
        source = Path(spec.origin or "").read_text(encoding="utf-8") if spec is not None else ""
        line = (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]
    except (ImportError, OSError, ValueError, SyntaxError):
        return ""
    summary = line.rpartition("`: ")[2]
    return summary[:1].upper() + summary[1:]


def list_commands() -> list[str]:
    """The names of all commands, Veil's own first."""
    return [*COMMANDS, *find_added()]


def find_function(name: str) -> Callable[..., None]:
    """The function of a command; its module is imported."""
    if name in COMMANDS:
        module = import_module(f"veil.cli.commands.{COMMANDS[name].module}")
        function: Callable[..., None] = getattr(module, name.replace("-", "_"))
    else:
        function = find_added()[name].load()
    return function


def _print_version(wanted: bool) -> None:
    if wanted:
        print_text(f"veil {veil.__version__}")
        raise typer.Exit


Version = Annotated[
    bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
]


Load = Annotated[
    list[str] | None,
    typer.Option("--load", metavar="FILE.py", help="Run a Python file first that adds players, solvers, games, ..."),
]


def _root(version: Version = False, load: Load = None) -> None:
    """Options before the command. Plug-ins are loaded before the words of the command are looked at."""
    add_plugins(load or [])


def _list_only() -> None:
    """Stands for a command that the command line does not name."""


def _guard(command: Callable[..., None]) -> Callable[..., None]:
    """Typer has answers of its own to a closed pipe and to Ctrl-C; keep both from it."""

    @wraps(command)
    def guarded(*args: object, **options: object) -> None:
        try:
            command(*args, **options)
            if sys.stdout is not None:
                sys.stdout.flush()
        except BrokenPipeError as error:
            raise OutputClosedError from error
        except KeyboardInterrupt as error:
            raise InterruptedCommandError from error

    return guarded


def _spread(words: list[str]) -> list[str]:
    """`--players A B C` as the repeated option that the parser knows."""
    spread: list[str] = []
    inside = False
    for word in words:
        if word == "--players":
            inside = True
        elif inside and not word.startswith("--"):
            spread += ["--players", word]
        else:
            inside = False
            spread.append(word)
    return spread


def run(words: list[str]) -> int:
    """Run a command line; its exit code: 0 done, 2 the user can repair it, 130 interrupted."""
    try:
        return _run(words)
    except OutOfProcessorTime:
        return _refuse(out_of_time(), words)
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        return _refuse(out_of_memory(), words)


def say_end(number: int, words: list[str]) -> LastWords:
    """What a command line says that a signal of this number ends at once."""
    if number != OUT_OF_TIME:
        return LastWords(128 + number, f"{problem('interrupted').message}\n")
    error = out_of_time()
    return LastWords(2, f"{error}\n", f"{json.dumps(_refusal(error))}\n" if "--json" in words else "")


def _refuse(error: VeilError, words: list[str]) -> int:
    """Say what the user can repair, in words and, where that is wanted, as JSON."""
    print_problems(error.problems)
    if "--json" in words:
        print_json(_refusal(error))
    return 2


def _refusal(error: VeilError) -> dict[str, object]:
    return {"ok": False, "errors": [entry.as_json() for entry in error.problems]}


def _run(words: list[str]) -> int:
    """The same; what is not a matter of the command line goes through."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a name the terminal cannot show is no reason to fail
    try:
        result = build_app(words)(_spread(words), standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except VeilError as error:
        return _refuse(error, words)
    except UsageError as error:
        message = error.format_message()  # type: ignore[attr-defined]
        if not words:  # the message is the whole help
            print_text(message)
            return 0
        command = next((word for word in words if word in list_commands()), None)
        where = phrase("list-of-options", command=command) if command else phrase("list-of-commands")
        print_problems([problem("bad-words", what=message, where=where)])
        return 2
    except (InterruptedCommandError, KeyboardInterrupt, typer.Abort):
        print_event("interrupted")
        return 130
    except (OutputClosedError, BrokenPipeError):  # the reader of our output has left, as `| head` does
        _discard_output()
        return 0
    except OSError as error:
        if is_out_of_memory(error):
            raise
        print_problems([problem("output-lost", reason=reason_of(error, str(error)))])
        _discard_output()
        return 2


def _discard_output() -> None:
    """What Python still holds for standard output goes nowhere, so that it does not fail again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
