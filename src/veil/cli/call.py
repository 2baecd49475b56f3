"""What all commands share: `--json`, `--seed`, warnings, and the way to answer.

`@command` makes the function that the parser calls from one that takes a call:

    @command
    def replay(call: Call, record: RecordFile, number: Number = 1) -> None:

becomes `replay(record, number=1, json=False, seed=0)`. The fields of the call's class are the options that its commands
share; `GameCall` adds the game and its limits. A command that declares a shared option itself replaces it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from functools import wraps
from typing import Any, get_type_hints

from veil.cli.options import Json, Seed
from veil.cli.output import print_json, print_problems
from veil.errors import Problem


@dataclass(kw_only=True)
class Call:
    """The options of every command, and how a command answers."""

    json: Json = False
    seed: Seed = 0
    problems: list[Problem] = field(default_factory=list, init=False)  # to be told beside the answer

    def warn(self, *problems: Problem) -> None:
        """Tell this beside the answer."""
        self.problems += problems

    def answer(self, data: Callable[[], object], text: Callable[[], str]) -> None:
        """Print what there is to warn of, and the result: `data()` as JSON where that is wanted, otherwise `text()`."""
        print_problems(self.problems)
        if self.json:
            print_json(data())
        else:
            print(text())


def command(function: Callable[..., None]) -> Callable[..., None]:
    """The function that the parser calls; see above.

    The parser reads names, types, defaults and help from the signature, so the signature is put together here: what has
    no default among the shared options, then the command's own, then the other shared ones.
    """
    hints = get_type_hints(function, include_extras=True)
    call, *own = inspect.signature(function).parameters.values()
    parameters = [entry.replace(annotation=hints[entry.name]) for entry in own]
    shared = [entry for entry in _shared_parameters(hints[call.name]) if entry.name not in hints]
    required = [entry for entry in shared if entry.default is entry.empty]
    signature = inspect.Signature([*required, *parameters, *(entry for entry in shared if entry not in required)])

    @wraps(function)
    def run(*args: Any, **options: Any) -> None:
        bound = signature.bind(*args, **options)
        bound.apply_defaults()
        values = dict(bound.arguments)
        made = hints[call.name](**{entry.name: values.pop(entry.name) for entry in shared})
        function(made, **values)

    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {name: entry.annotation for name, entry in signature.parameters.items()}
    return run


def _shared_parameters(kind: type[Call]) -> list[inspect.Parameter]:
    """The fields of a call's class as parameters of a function."""
    hints = get_type_hints(kind, include_extras=True)
    return [
        inspect.Parameter(
            entry.name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if entry.default is MISSING else entry.default,
            annotation=hints[entry.name],
        )
        for entry in fields(kind)
        if entry.init
    ]
