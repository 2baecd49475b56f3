"""The common part of all commands: `--json`, `--seed`, warnings, the answer, and records of options.

A record of options is a dataclass derived from `Options`. Each of its fields is an option on the command line.
`@command` takes a function whose parameters may be such records, and returns the function that the parser calls. The
first parameter is the call:

    @command
    def match(call: GameCall, *, games: Games = 1, terms: Terms) -> None:

becomes `match(game_names, games=1, start_clock=None, play_clock=None, ..., json=False, seed=0, max_rules=..., ...)`. If
a command declares an option that its call has too, the option of the command replaces that of the call.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from functools import wraps
from typing import Any, get_type_hints

import typer

from veil.cli.options import Json, Seed
from veil.cli.output import print_json, print_problems, print_text
from veil.errors import Problem, VeilError


class Options:
    """A record whose fields are options on the command line, except fields that `__init__` does not take."""


@dataclass(kw_only=True)
class Call(Options):
    """The options of every command, and the methods for its answer."""

    json: Json = False
    seed: Seed = 0
    problems: list[Problem] = field(default_factory=list, init=False)  # printed together with the answer
    failures: list[Problem] = field(default_factory=list, init=False)  # make the command fail after its answer

    def warn(self, *problems: Problem) -> None:
        """Add messages that are printed together with the answer."""
        self.problems += problems

    def attempt(self, work: Callable[[], object]) -> bool:
        """Do some work, such as writing a file. Return whether it succeeded.

        If it raises `VeilError`, the command still prints its answer; then it prints the error and fails.
        """
        try:
            work()
        except VeilError as error:
            self.failures += error.problems
            return False
        return True

    def answer(self, data: Callable[[], dict[str, Any]], text: Callable[[], str]) -> None:
        """Print the warnings and the result: `data()` as JSON with `--json`, otherwise `text()`."""
        print_problems(self.problems)
        if self.json:
            failures = {"failures": [entry.as_json() for entry in self.failures]} if self.failures else {}
            print_json(data() | failures)
        else:
            print_text(text())
        self.finish()

    def finish(self) -> None:
        """Print the failures and end the command, if there are any."""
        if self.failures:
            print_problems(self.failures)
            raise typer.Exit(2)


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Return the function that the parser calls; see the docstring of this module.

    The parser reads names, types, defaults and help from the signature. The signature is therefore built here: first
    the required arguments of the call, then the options of the command, then the other options of the call.
    """
    hints = get_type_hints(function, include_extras=True)
    taken = inspect.signature(function).parameters
    groups = {name: _expand(parameter, hints[name]) for name, parameter in taken.items()}
    call, *own = groups
    parameters = [entry for name in own for entry in groups[name]]
    groups[call] = [entry for entry in groups[call] if entry.name not in own]
    required = [entry for entry in groups[call] if entry.default is entry.empty]
    signature = inspect.Signature([*required, *parameters, *(entry for entry in groups[call] if entry not in required)])

    @wraps(function)
    def run(*args: Any, **options: Any) -> None:
        bound = signature.bind(*args, **options)
        bound.apply_defaults()
        function(**{name: _collect(name, hints[name], group, bound.arguments) for name, group in groups.items()})

    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {name: entry.annotation for name, entry in signature.parameters.items()}
    return run


def _expand(parameter: inspect.Parameter, hint: Any) -> list[inspect.Parameter]:
    """Return the options that a parameter of a command stands for: the fields of a record, or the parameter itself."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    if not _is_record(hint):
        return [parameter.replace(kind=kind, annotation=hint)]
    hints, absent = get_type_hints(hint, include_extras=True), inspect.Parameter.empty
    return [
        inspect.Parameter(
            entry.name,
            kind,
            default=absent if entry.default is MISSING else entry.default,
            annotation=hints[entry.name],
        )
        for entry in fields(hint)
        if entry.init
    ]


def _collect(name: str, hint: Any, group: list[inspect.Parameter], values: dict[str, Any]) -> Any:
    """Return the value of a parameter of a command: a record of its options, or the option itself."""
    return hint(**{entry.name: values[entry.name] for entry in group}) if _is_record(hint) else values[name]


def _is_record(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Options)
