"""What commands share: the options that `@command` adds, and how a call answers."""

from __future__ import annotations

import inspect
import json
from dataclasses import dataclass, field
from typing import Annotated, Any, get_args

import pytest
import typer

from veil.cli.call import Call, Options, command
from veil.cli.game_call import GameCall
from veil.cli.main import COMMANDS, find_function, list_commands
from veil.engine import GroundLimits
from veil.errors import VeilError, problem

WARNED = "(role red)\n(<= (legal ?r go))\n(<= (next done) (does red go))\n(<= terminal (true done))\n(goal red 0)\n"
LIMITS = ["max_rules", "max_seconds", "max_memory"]
Number = Annotated[int, typer.Option(help="How many.")]
Quiet = Annotated[bool, typer.Option("--json", help="Refused.")]


def parameters(function: Any) -> dict[str, Any]:
    return {name: entry.default for name, entry in inspect.signature(function).parameters.items()}


def test_a_command_has_its_own_options_and_the_shared_ones() -> None:
    calls = []

    @command
    def count(call: Call, first: Number, second: Number = 2) -> None:
        """Count."""
        calls.append((call, first, second))

    assert parameters(count) == {"first": inspect.Parameter.empty, "second": 2, "json": False, "seed": 0}
    assert list(count.__annotations__) == ["first", "second", "json", "seed"]
    assert get_args(count.__annotations__["first"])[1].help == "How many."
    assert (count.__name__, count.__doc__) == ("count", "Count.")
    count(5)
    count(5, second=6, json=True, seed=7)
    assert calls == [(Call(), 5, 2), (Call(json=True, seed=7), 5, 6)]
    with pytest.raises(TypeError, match="first"):
        count()


def test_a_command_about_a_game_has_the_game_first_and_its_limits_last() -> None:
    calls = []

    @command
    def look(call: GameCall, number: Number = 1) -> None:
        calls.append((call, number))

    limits = GroundLimits()
    readings = ["transfer", "end_on_gain", "turns", "sees"]
    assert list(parameters(look)) == ["game_names", "number", "json", "seed", *readings, *LIMITS]
    defaults = [limits.max_rules, limits.max_seconds, limits.max_bytes / 2**30]
    assert [parameters(look)[name] for name in LIMITS] == defaults
    look(["tic_tac_toe"], number=3, max_rules=10)
    assert calls == [(GameCall(game_names=["tic_tac_toe"], max_rules=10), 3)]


def test_a_command_line_that_names_the_game_again_says_how_it_was_read() -> None:
    call = GameCall(game_names=["tic_tac_toe"], end_on_gain=True, turns="control", sees="moves")
    assert call.words() == ["tic_tac_toe", "--end-on-gain", "--turns", "control", "--sees", "moves"]
    assert GameCall(game_names=["tic_tac_toe"]).words() == ["tic_tac_toe"]


@dataclass(kw_only=True)
class Bounds(Options):
    low: Number = 1
    high: Number = 9
    width: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.width = self.high - self.low


def test_the_fields_of_a_record_are_options_in_its_place() -> None:
    calls = []

    @command
    def count(call: Call, *, first: Number = 3, bounds: Bounds, last: Number = 4) -> None:
        calls.append((call.seed, first, bounds.low, bounds.width, last))

    assert list(parameters(count)) == ["first", "low", "high", "last", "json", "seed"]
    assert parameters(count)["high"] == 9
    count()
    count(5, high=21, seed=2)
    assert calls == [(0, 3, 1, 8, 4), (2, 5, 1, 20, 4)]


def test_a_shared_option_may_be_replaced() -> None:
    calls = []

    @command
    def speak(call: Call, json: Quiet = False) -> None:
        calls.append((call.json, json))

    assert get_args(speak.__annotations__["json"])[1].help == "Refused."
    speak(json=True)
    assert calls == [(False, True)]


@pytest.mark.parametrize("name", list_commands())
def test_every_command_takes_a_seed_and_json_and_says_what_it_does(name: str) -> None:
    function = find_function(name)
    assert parameters(function)["seed"] == (None if name in ("play", "match") else 0)  # random where people play
    assert parameters(function)["json"] is False
    assert function.__doc__
    if name in COMMANDS:
        assert COMMANDS[name].summary.endswith(".")
        assert len(COMMANDS[name].summary) <= 55  # it fits beside the name, in 80 columns


# Answers


def test_an_answer_is_json_or_text_and_only_one_of_them_is_made(capsys: pytest.CaptureFixture[str]) -> None:
    def never() -> Any:
        raise AssertionError("nobody wants it")

    Call(json=True).answer(lambda: {"a": 1}, never)
    assert capsys.readouterr() == ('{"a": 1}\n', "")
    Call().answer(never, lambda: "one")
    assert capsys.readouterr() == ("one\n", "")


def test_warnings_go_to_standard_error_before_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    call = Call()
    call.warn(problem("interrupted"), problem("no-figures"))
    assert capsys.readouterr() == ("", "")
    call.answer(dict, lambda: "text")
    out, err = capsys.readouterr()
    assert out == "text\n"
    assert err.startswith("note: interrupted\nnote: no figures were drawn\n")


def test_warnings_about_the_rules_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    call = GameCall(game_names=[WARNED], json=True)
    call.warn(problem("interrupted"))
    call.answer(dict, str)
    out, err = capsys.readouterr()
    assert json.loads(out) == {}
    assert err.index("?r is bound nowhere") < err.index("interrupted")


# Games


def test_a_game_is_read_when_it_is_asked_for_and_once() -> None:
    call = GameCall(game_names=["no_such_game"])
    with pytest.raises(VeilError, match="no_such_game"):
        _ = call.game
    call = GameCall(game_names=["tic_tac_toe"], max_rules=10, max_seconds=2.5, max_memory=0.5)
    assert call.game is call.game
    assert call.game.limits == GroundLimits(max_rules=10, max_seconds=2.5, max_bytes=2**29)


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf"), 1e10])
def test_a_limit_that_is_none_is_refused_by_its_name(name: str, value: float) -> None:
    limit: dict[str, Any] = {name: value}
    call = GameCall(game_names=["tic_tac_toe"], **limit)
    with pytest.raises(VeilError) as caught:
        _ = call.game
    assert caught.value.problems[0].code == "bad-limit"
    assert caught.value.problems[0].message.startswith(f"--{name.replace('_', '-')} must be")


def test_a_game_is_prepared_without_a_word_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    call = GameCall(game_names=["matching_pennies"])
    assert call.prepare() is call.game.machine
    assert capsys.readouterr().out == ""
