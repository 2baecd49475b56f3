"""Every command, every text it takes, every hostile thing that can stand there: refused or done, never anything else.

The table is made from the commands themselves (`tests/support/every_command.py`): a new command, or a new parameter of
one, is in it by itself. Whether a parameter reads, writes or names something makes no difference to what is demanded:
the command ends in time with 0 or 2, prints one JSON object or nothing, says what is wrong in one message and names it;
what was there is what it was, or is what the command writes; and nothing else is left.

Parameters are of a few kinds. In the gate the first parameter of each kind is given everything, every other one three
things, and each the next three: between them they are given everything too. The whole table is nightly.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import veil
from tests.support.command import inside
from tests.support.every_command import (
    COMMANDS,
    SPECS,
    TEXT_PARAMETERS,
    Parameter,
    build_words,
    find_good,
    list_parameters,
    write_good_files,
)
from veil import files

NAME = "hostile"
ESCAPES = "\x1b[2J\x07\u202e"
WIDE = "w" * 100_000
OTHER = veil.load("matching_pennies")
OTHER_POLICY = {"format": "veil policy 1", "game": "x", "rules": OTHER.fingerprint, "policies": {}}


def make_loop(path: Path) -> None:
    path.symlink_to(path)


def make_huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)  # takes no room


def link_to(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def fill(data: str | bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(data.encode() if isinstance(data, str) else data)


# What stands at the path; None where the value itself is hostile.
HOSTILE: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: None,
    "empty": fill(""),
    "directory": Path.mkdir,
    "device": link_to("/dev/zero"),
    "full device": link_to("/dev/full"),
    "pipe": os.mkfifo,
    "link to nowhere": link_to("nowhere"),
    "link to a file": link_to("policy.json"),
    "loop": make_loop,
    "binary": fill(bytes(range(256)) * 100),
    "huge": make_huge,
    "malformed": fill('[{"' + "(" * 1000),
    "deep": fill("[" * 100_000),
    "escapes": fill(f"(role {ESCAPES}) (legal {WIDE} {ESCAPES}"),
    "policy of another game": fill(json.dumps(OTHER_POLICY)),
    "moves of another game": fill('[{"even": "heads", "odd": "tails"}]'),
    "record of another game": fill('[{"move": "heads", "sees": ["tails"]}]'),
    "log of another game": fill(veil.run_match(OTHER, {"even": "first", "odd": "first"}).as_lines()),
}
VALUES = {"empty word": "", "space": " ", "zero byte": "a\0b", "escape": f"{ESCAPES}x", "wide": WIDE, "dash": "-"}
THREE = 3  # things for a parameter that is not the first of its kind


def list_things(entry: Parameter) -> list[tuple[str, str]]:
    """Everything hostile that a parameter is given: what stands at the path, and the value."""
    players = entry.name in ("player", "players", "against")
    return [
        *((name, NAME) for name in HOSTILE),
        *VALUES.items(),
        *((f"{name} as a player", f"{spec}{NAME}") for name in HOSTILE for spec in SPECS if players),
    ]


def list_cases() -> Iterator[Any]:
    """All parameters with all things; what is not in the gate is marked."""
    first_of_kind = {entry.kind: entry for entry in reversed(TEXT_PARAMETERS)}
    for number, entry in enumerate(TEXT_PARAMETERS):
        things = list_things(entry)
        chosen = {(number * THREE + step) % len(things) for step in range(THREE)}
        for place, (what, value) in enumerate(things):
            in_gate = first_of_kind[entry.kind] is entry or place in chosen
            yield pytest.param(entry, what, value, marks=() if in_gate else pytest.mark.nightly)


def name_case(value: object) -> str | None:
    return f"{value.command} {value.word or value.name}" if isinstance(value, Parameter) else None


@pytest.fixture(autouse=True)
def _nobody_at_the_other_end(in_a_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pipes are given up soon, and a server that could be started is not."""
    monkeypatch.setattr(files, "PARTNER_SECONDS", 0.05)
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: None)


@pytest.fixture(scope="module")
def good_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("good")
    write_good_files(folder)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.gate_cases(160)
@pytest.mark.parametrize(("parameter", "what", "value"), [*list_cases()], ids=name_case)
def test_it_is_done_or_refused(
    parameter: Parameter, what: str, value: str, tmp_path: Path, good_files: dict[str, bytes]
) -> None:
    for name, data in good_files.items():
        Path(name).write_bytes(data)
    if value.endswith(NAME):
        HOSTILE[what.removesuffix(" as a player")](Path(NAME))
    before = look_at(tmp_path)
    role = find_good(parameter)[0].partition("=")[0] if parameter.name == "player" else ""
    given = [f"{role}={value}"] if role and ":" in value else [value]
    words = [*build_words(parameter.command, parameter, given), *ask_for_json(parameter)]
    outcome = inside(*words, text="")
    assert outcome.code in (0, 2), outcome
    assert "Traceback" not in outcome.err
    assert "\x1b" not in outcome.err + outcome.out
    assert len(outcome.err) < 20_000
    errors = outcome.json.get("errors") if outcome.out and "--json" in words else None
    assert outcome.code == 0 or "error: " in outcome.err or errors
    check_folder_after(tmp_path, before, good_files)


def ask_for_json(parameter: Parameter) -> list[str]:
    """`--json`, but for a command that refuses it."""
    return [] if parameter.command == "play" else ["--json"]


def look_at(folder: Path) -> dict[str, int]:
    """The kind of everything in a folder."""
    return {path.name: stat.S_IFMT(path.lstat().st_mode) for path in folder.iterdir()}


def check_folder_after(folder: Path, before: dict[str, int], good_files: dict[str, bytes]) -> None:
    """What was there is of the same kind, the good files are as they were, and no part of a file is left."""
    after = look_at(folder)
    assert {name: after.get(name) for name in before} == before
    for name, data in good_files.items():
        assert Path(name).read_bytes() == data or (folder / NAME).is_symlink()  # a link is written through
    for path in folder.rglob("*"):
        assert not path.name.endswith((".part", "-wal", "-shm", "-journal")), path


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_table_and_works_where_nothing_is_hostile(
    command: str, good_files: dict[str, bytes]
) -> None:
    for name, data in good_files.items():
        Path(name).write_bytes(data)
    assert [entry.name for entry in list_parameters(command)]
    if command == "bench":  # measures for a minute
        return
    text = "1\n" * 20
    outcome = inside(*build_words(command), text=text)
    assert outcome.code == 0, outcome
    assert "error" not in outcome.err
