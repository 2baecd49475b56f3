"""All commands with all their parameters, read from the table of commands: what tests of every command are made from.

A command line that works is put together from `GOOD`, which says by its name what a parameter may be given. A new
command is there by itself; a parameter of a new name that it cannot do without has to be added.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

import typer

import veil
from veil.cli.main import find_function, list_commands

GAME, ROLE = "monty_hall", "contestant"
MOVES = [{"random": "(hide_car 1)", ROLE: "(choose 1)"}, {"random": "(open_door 2)"}]
# By the name of a parameter in Python: what it is given where it is not the one that is tried.
GOOD: dict[str, list[str]] = {
    "game_names": [GAME],
    "games_to_play": [GAME],
    "role": [ROLE],
    "as_role": [ROLE],
    "player": [f"{ROLE}=first"],
    "players": ["first"],
    "policy": ["policy.json"],
    "record": ["log.jsonl"],
    "moves": ["moves.json"],
    "names": ["its-fig2"],
    "spec": ["first"],
    "port": ["0"],
    "game": [GAME],
    "vary": ["doors=3,4"],
    "shell": ["bash"],
    "page": ["gdl"],
    # and small amounts of work
    "serve_seconds": ["0.05"],
    "playouts": ["64"],
    "games": ["1"],
    "matches": ["2"],
    "iterations": ["2"],
    "count": ["8"],
    "quick": [],
}
GOOD_FOR = {  # where a command needs something else
    ("play", "game_names"): ["matching_pennies"],
    ("play", "as_role"): ["even"],
    ("play", "player"): ["odd=first"],
    ("exploit", "player"): ["first"],
    ("review", "player"): ["first"],
    ("tune", "player"): ["first"],
    ("reproduce", "matches"): [],  # not every experiment has a number of matches
    ("reproduce", "game"): [],  # nor games that can be chosen
}
ONE_OF = {("infoset", "record"): "moves"}  # the first is given where it is tried itself, the second otherwise
KINDS: dict[str, tuple[str, ...]] = {  # of parameters that take text, by what becomes of it
    "game": ("game_names", "games_to_play", "game", "compare"),
    "player": ("player", "players", "against", "spec", "other"),
    "word of a list": (
        *("role", "as_role", "sampler", "opponents", "method", "unreached", "strategy", "format", "layer", "aim"),
    ),
    "word": ("shell", "page"),
    "name": ("name", "names", "host", "cluster", "behind", "told"),
    "file to read": ("moves", "record", "policy", "resume"),
    "file to write": ("policy_out", "plot", "out", "records", "html"),
    "store": ("store",),
}
SPECS = ("own:file=", "policy:file=")  # in front of a file that a player is made from


class Parameter(NamedTuple):
    """A parameter of a command."""

    command: str
    name: str  # in Python
    word: str | None  # `--policy-out`; None for arguments
    takes_text: bool
    is_flag: bool
    required: bool

    @property
    def kind(self) -> str:
        """What its text stands for; the name of a new parameter is a kind of its own until `KINDS` has it."""
        return next((kind for kind, names in KINDS.items() if self.name in names), self.name)

    def write(self, values: list[str]) -> list[str]:
        """The words that give it these values."""
        if self.word is None:
            return values
        return [self.word] if self.is_flag else [part for value in values for part in (self.word, value)]


def list_parameters(command: str) -> list[Parameter]:
    """All parameters of a command, from its signature."""
    function = find_function(command)
    return [_read(command, entry) for entry in inspect.signature(function).parameters.values()]


def _read(command: str, entry: inspect.Parameter) -> Parameter:
    assert get_origin(entry.annotation) is Annotated
    kind, info = get_args(entry.annotation)[:2]
    word = None
    if isinstance(info, typer.models.OptionInfo):
        given = [info.default, *(info.param_decls or ())]  # the first name stands where a default could
        word = next((name for name in given if isinstance(name, str)), f"--{entry.name.replace('_', '-')}")
    types = _flatten(kind)
    required = entry.default is entry.empty
    return Parameter(command, entry.name, word, str in types, types == {bool}, required)


def _flatten(kind: Any) -> set[Any]:
    """The plain types that a type is made of, None left out."""
    if get_origin(kind) in (list, Union) or get_args(kind):
        return {part for inner in get_args(kind) for part in _flatten(inner)}
    return set() if kind is type(None) else {kind}


def build_words(command: str, tried: Parameter | None = None, values: list[str] | None = None) -> list[str]:
    """A command line in which one parameter, if any, has these values and all others are good."""
    words = [command]
    for entry in list_parameters(command):
        if tried is not None and entry.name == tried.name:
            words += entry.write(values or [])
        elif (command, entry.name) in ONE_OF or (tried and ONE_OF.get((command, tried.name)) == entry.name):
            continue
        elif entry.required or entry.name in GOOD:
            assert entry.name in GOOD, f"GOOD does not say what {command} may be given for {entry.name}"
            words += entry.write(find_good(entry))
    return words


def find_good(entry: Parameter) -> list[str]:
    """What a parameter may be given."""
    return GOOD_FOR.get((entry.command, entry.name), GOOD[entry.name])


def write_good_files(folder: Path) -> None:
    """The files that `GOOD` names."""
    game = veil.load(GAME)
    veil.Policy(game=GAME, rules=game.fingerprint, table={}).save(folder / "policy.json")
    (folder / "log.jsonl").write_text(veil.run_match(game, {ROLE: "first"}).as_lines(), encoding="utf-8")
    (folder / "moves.json").write_text(json.dumps(MOVES), encoding="utf-8")


COMMANDS = list_commands()
TEXT_PARAMETERS = [entry for command in COMMANDS for entry in list_parameters(command) if entry.takes_text]
