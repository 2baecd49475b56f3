"""The command `veil`: its table of commands, and the one place where errors become text and exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import Annotated

import typer

import veil
from veil.cli.bench import bench
from veil.cli.check import check
from veil.cli.evaluate import evaluate
from veil.cli.games import games
from veil.cli.infoset import infoset
from veil.cli.match import match
from veil.cli.output import print_json, print_problems
from veil.cli.play import play
from veil.cli.replay import replay
from veil.cli.reproduce import reproduce
from veil.cli.sim import sim
from veil.cli.solve import solve
from veil.cli.tournament import tournament
from veil.cli.trace import trace
from veil.cli.tree import tree
from veil.errors import VeilError

COMMANDS: dict[str, Callable[..., None]] = {
    "games": games,
    "check": check,
    "trace": trace,
    "sim": sim,
    "infoset": infoset,
    "tree": tree,
    "solve": solve,
    "evaluate": evaluate,
    "play": play,
    "match": match,
    "replay": replay,
    "tournament": tournament,
    "reproduce": reproduce,
    "bench": bench,
}
# The base of all errors in words on the command line. Typer carries its own copy of click and does not export it.
UsageError: type[Exception] = typer.BadParameter.__mro__[2]

app = typer.Typer(
    name="veil",
    help="Plays, analyses and solves any game with hidden information, from its rules alone.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class OutputClosedError(Exception):
    """Nobody reads our output any more."""


class InterruptedCommandError(Exception):
    """Ctrl-C."""


def _guarded(command: Callable[..., None]) -> Callable[..., None]:
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


for _name, _command in COMMANDS.items():
    app.command(_name)(_guarded(_command))


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"veil {veil.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Options before the command."""


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
    """The exit code of a command line: 0 done, 2 the user can repair it, 130 interrupted."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a name the terminal cannot show is no reason to fail
    try:
        result = app(_spread(words), standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except VeilError as error:
        print_problems(error.problems)
        if "--json" in words:
            print_json({"ok": False, "errors": [entry.as_json() for entry in error.problems]})
        return 2
    except UsageError as error:
        message = error.format_message()  # type: ignore[attr-defined]
        if not words:  # the message is the whole help
            print(message)
            return 0
        print(f"error: {message}\n  hint: `veil --help` lists commands and options", file=sys.stderr)
        return 2
    except (InterruptedCommandError, KeyboardInterrupt, typer.Abort):
        print("interrupted", file=sys.stderr)
        return 130
    except (OutputClosedError, BrokenPipeError):  # the reader of our output has left, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except OSError as error:
        print(f"error: cannot write: {error.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 2
