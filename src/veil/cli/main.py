"""The command `veil`: the table of its commands, and the conversion of errors into messages and exit codes."""

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
from veil._version import find_commit
from veil.cli.output import print_event, print_json, print_problems, print_text
from veil.compat.typer import UsageError
from veil.errors import VeilError, phrase, problem
from veil.files import reason_of, unwritable
from veil.limits import is_out_of_files, is_out_of_memory, out_of_files, out_of_memory, out_of_time
from veil.plugins import add_plugins, find_entries
from veil.signals import OUT_OF_TIME, LastWords, OutOfProcessorTime

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "veil.commands"  # of entry points


class Command(NamedTuple):
    """A row of the table: the module in `commands/` that has a function with the command's name, and a summary."""

    module: str
    summary: str


COMMANDS: dict[str, Command] = {
    "games": Command("games", "List the bundled games, or show one in full."),
    "check": Command("check", "Find mistakes in the rules of a game."),
    "review": Command("review", "Say who wins, how much is skill, what is hidden."),
    "tune": Command("tune", "Find the numbers with which a game is fair."),
    "trace": Command("trace", "Replay moves, or play random ones, round by round."),
    "sim": Command("sim", "Play random games: mean goals, length, speed."),
    "infoset": Command("infoset", "List what may be true after what a role was told."),
    "tree": Command("tree", "Count the nodes and infosets of the whole game."),
    "solve": Command("solve", "Find an equilibrium of the whole game."),
    "evaluate": Command("evaluate", "Judge a saved policy: what can be won against it."),
    "exploit": Command("exploit", "Judge a player: what can be won against it."),
    "export": Command("export", "Write the whole game for Gambit and OpenSpiel."),
    "draw": Command("draw", "Draw the tree of a game, for the screen or for a paper."),
    "play": Command("play", "Play a role yourself, in the terminal."),
    "match": Command("match", "Let players play a game."),
    "replay": Command("replay", "Show a recorded match."),
    "tournament": Command("tournament", "Let players meet in all pairings and seats."),
    "serve-player": Command("serve_player", "Let a player answer game managers (GGP)."),
    "players": Command("registries", "List the players and their options."),
    "samplers": Command("registries", "List the samplers of beliefs and their options."),
    "opponents": Command("registries", "List the models of opponents and their options."),
    "solvers": Command("registries", "List the solvers and their options."),
    "doctor": Command("doctor", "Test this installation: versions, extras, known values."),
    "docs": Command("docs", "Open the documentation, or find a page of it."),
    "completion": Command("completion", "Print a script for the tab key of your shell."),
    "lsp": Command("lsp", "Show problems and names in your editor."),
    "studio": Command("studio", "Open the studio in the browser: write rules, play."),
}


class OutputClosedError(Exception):
    """The reader of standard output has closed it."""


class InterruptedCommandError(Exception):
    """The user pressed Ctrl-C while a command ran."""


def build_app(words: list[str]) -> typer.Typer:
    """Build the parser for a command line. Only commands that it names are imported; the others are only listed."""
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
    """Return the commands of other packages: entry points of the group `veil.commands`."""
    return {name: entry for name, entry in find_entries(GROUP).items() if name not in COMMANDS}


def _first_word(words: list[str]) -> str | None:
    """Return the first word that is neither `--load` nor its file; None if there is none."""
    rest = iter(words)
    for word in rest:
        if word != "--load":
            return word
        next(rest, None)
    return None


def _read_summary(module: str) -> str:
    """Return the first line of a module's docstring without the name of its command. The module is not imported."""
    import ast  # seldom needed
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
    """Return the names of all commands, beginning with those of Veil."""
    return [*COMMANDS, *find_added()]


def find_function(name: str) -> Callable[..., None]:
    """Import the module of a command, and return its function."""
    if name in COMMANDS:
        module = import_module(f"veil.cli.commands.{COMMANDS[name].module}")
        function: Callable[..., None] = getattr(module, name.replace("-", "_"))
    else:
        function = find_added()[name].load()
    return function


def _print_version(wanted: bool) -> None:
    if wanted:
        print_text(f"veil {veil.__version__}{find_commit()}")
        raise typer.Exit


Version = Annotated[
    bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
]


Load = Annotated[
    list[str] | None,
    typer.Option("--load", metavar="FILE.py", help="First run this file, which adds players, solvers, games, ..."),
]


def _root(version: Version = False, load: Load = None) -> None:
    """Handle the options before the command. Plug-ins are loaded before the command is parsed."""
    add_plugins(load or [])


def _list_only() -> None:
    """Do nothing, in place of a command that the command line does not name."""


def _guard(command: Callable[..., None]) -> Callable[..., None]:
    """Wrap a command so that Typer, which handles closed pipes and Ctrl-C in its own way, does not see either."""

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
    """Replace `--players A B C` by the repeated option that the parser accepts: `--players A --players B ...`."""
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
    """Run a command line and return its exit code: 0 success, 2 an error of the user, 130 interrupted."""
    try:
        return _run(words)
    except OutOfProcessorTime:
        return _refuse(out_of_time(), words)
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        return _refuse(out_of_memory(), words)


def say_end(number: int, words: list[str]) -> LastWords:
    """Return the exit code and the last message of a command line that the signal `number` ends at once."""
    if number != OUT_OF_TIME:
        return LastWords(128 + number, f"{problem('interrupted').message}\n")
    error = out_of_time()
    return LastWords(2, f"{error}\n", f"{json.dumps(_refusal(error))}\n" if "--json" in words else "")


def _refuse(error: VeilError, words: list[str]) -> int:
    """Print an error as text, and with `--json` as JSON too. Return the exit code."""
    print_problems(error.problems)
    if "--json" in words:
        print_json(_refusal(error))
    return 2


def _refusal(error: VeilError) -> dict[str, object]:
    return {"ok": False, "errors": [entry.as_json() for entry in error.problems]}


def _run(words: list[str]) -> int:
    """Run a command line and return its exit code. Errors of memory, processor time and bugs are raised."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # names that the terminal cannot show become escapes
    try:
        result = build_app(words)(_spread(words), standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except VeilError as error:
        return _refuse(error, words)
    except UsageError as error:
        message = error.format_message()  # type: ignore[attr-defined]
        if not words:  # the message is the help text
            print_text(message)
            return 0
        command = next((word for word in words if word in list_commands()), None)
        where = phrase("list-of-options", command=command) if command else phrase("list-of-commands")
        print_problems([problem("bad-words", what=message, where=where)])
        return 2
    except (InterruptedCommandError, KeyboardInterrupt, typer.Abort):
        print_event("interrupted")
        return 130
    except (OutputClosedError, BrokenPipeError):  # the reader has closed our output, as `| head` does
        _discard_output()
        return 0
    except OSError as error:
        if is_out_of_memory(error):
            raise
        if is_out_of_files(error):
            return _refuse(out_of_files(), words)
        if error.filename is not None:  # standard output has no name
            return _refuse(unwritable(os.fsdecode(error.filename), reason_of(error)), words)
        print_problems([problem("output-lost", reason=reason_of(error, str(error)))])
        _discard_output()
        return 2


def _discard_output() -> None:
    """Discard what Python has buffered for standard output, so that it does not fail again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
