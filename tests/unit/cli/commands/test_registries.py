"""`veil players` and its kin, on a table made for the purpose."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from veil.cli.call import Call
from veil.cli.commands.registries import (
    opponents,
    players,
    registry_as_text,
    row_as_json,
    samplers,
    show_registry,
    solvers,
)
from veil.errors import VeilError
from veil.registry import Registry, Row, option


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """Nothing to set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Searching:
    """Something of each kind."""

    models: int = option(100, "models of the infoset, each of which stands for many histories that explain a record")
    weights: Literal["posterior", "uniform"] = option("posterior", "how models count")
    reseed: bool = option(True, "begin anew where all are lost")
    cut: int | None = option(None, "depth at which to stop")


TABLE: Registry[Any] = Registry(
    "player",
    {
        "random": Row(__name__, "Plain", "Plain", "a legal move, uniformly"),
        "search": Row(__name__, "Searching", "Searching", "playouts", frozenset({"true state", "a person"})),
    },
)


def test_the_text_has_every_row_with_its_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert registry_as_text(TABLE, list(TABLE)).splitlines() == [
        "random",
        "    a legal move, uniformly",
        "search",
        "    playouts",
        "    models=100         models of the infoset, each of which stands for many",
        "                       histories that explain a record (int)",
        "    weights=posterior  how models count (posterior or uniform)",
        "    reseed=true        begin anew where all are lost (bool)",
        "    cut=...            depth at which to stop (int or none)",
        "",
        "A spec is a name, with options where there are any:",
        "    search:models=100,weights=posterior,reseed=true,cut=...",
    ]


def test_no_line_is_wider_than_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert max(map(len, registry_as_text(TABLE, ["search"]).splitlines())) <= 60


def test_the_example_of_a_row_without_options_is_its_name() -> None:
    assert registry_as_text(TABLE, ["random"]).splitlines()[-1] == "    random"


def test_json_has_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    show_registry(Call(json=True), TABLE)
    rows = json.loads(capsys.readouterr().out)["players"]
    assert rows == [row_as_json(TABLE, name) for name in TABLE]
    assert rows[1]["needs"] == ["a person", "true state"]
    assert rows[1]["usage"] == "search:models=100,weights=posterior,reseed=true,cut=..."
    assert rows[1]["options"][2] == {
        "name": "reseed",
        "default": True,
        "kind": "bool",
        "meaning": "begin anew where all are lost",
    }
    assert rows[0] == {
        "name": "random",
        "summary": "a legal move, uniformly",
        "needs": [],
        "usage": "random",
        "options": [],
    }


def test_one_row_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    show_registry(Call(), TABLE, "random")
    assert capsys.readouterr().out.startswith("random\n    a legal move, uniformly\n")
    with pytest.raises(VeilError, match="the players are random, search"):
        show_registry(Call(), TABLE, "nobody")


@pytest.mark.parametrize(
    ("function", "address"),
    [
        (players, "veil.players:PLAYERS"),
        (samplers, "veil.belief:SAMPLERS"),
        (opponents, "veil.search:OPPONENTS"),
        (solvers, "veil.equilibrium:SOLVERS"),
    ],
)
def test_each_command_shows_its_own_table(
    function: Any, address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    def find(where: str) -> Registry[Any]:
        asked.append(where)
        return TABLE

    monkeypatch.setattr("veil.cli.commands.registries.find_table", find)
    function("random", json=True)
    assert asked == [address]
    assert [entry["name"] for entry in json.loads(capsys.readouterr().out)["players"]] == ["random"]
