"""The command `veil`: its table of commands, and the one place where errors become text and exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

import veil
from veil.cli.bench import bench
from veil.cli.check import check
from veil.cli.games import games
from veil.cli.output import print_json, print_problems
from veil.cli.sim import sim
from veil.cli.trace import trace
from veil.errors import VeilError

COMMANDS: dict[str, Callable[..., None]] = {"games": games, "check": check, "trace": trace, "sim": sim, "bench": bench}
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
for _name, _command in COMMANDS.items():
    app.command(_name)(_command)


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


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command. Exit codes: 0 done, 2 the user can repair it, 130 interrupted."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(run(words))


def run(words: list[str]) -> int:
    """The exit code of a command line; whatever the user caused is said on standard error."""
    try:
        result = app(words, standalone_mode=False)
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
    except (KeyboardInterrupt, typer.Abort):
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output has left, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    main()
