"""What people read: nothing in it steers their terminal, messages can be followed, numbers and widths are right."""

from __future__ import annotations

import inspect
import json
import pydoc
from pathlib import Path

import pytest

import veil
from tests.support.command import inside, refusal_of
from veil.games import FAMILIES

ESCAPE = "\x1b[2J\x07\u202e"
WIDE = "w" * 100_000
GAME = f"""
(role {ESCAPE}one) (role {WIDE})
(init (cell {ESCAPE}b)) (init (cell {WIDE}))
(<= (legal ?r {ESCAPE}go) (role ?r))
(<= (legal ?r {WIDE}) (role ?r))
(<= (next (over ?m)) (does ?r ?m))
(<= (sees ?r (heard ?m)) (role ?r) (does ?p ?m))
(<= terminal (true (over ?m)))
(<= (goal ?r 50) (role ?r))
"""
ONE_NODE = "(role white) (init a) (legal white noop) (<= terminal (true a)) (goal white 100)"


pytestmark = pytest.mark.usefixtures("in_a_folder")


def write(text: str, name: str = "game.kif") -> str:
    Path(name).write_text(text, encoding="utf-8")
    return f"./{name}"


# Words from outside


@pytest.mark.parametrize("command", ["check", "trace", "sim", "tree", "solve"])
def test_words_of_rules_are_made_visible_and_cut(command: str) -> None:
    outcome = inside(command, write(GAME))
    shown = outcome.out + outcome.err
    assert outcome.code == 0
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert len(shown) < 50_000
    assert "\u241b[2J" in shown


def test_json_has_the_words_as_they_are() -> None:
    roles = inside("trace", write(GAME), "--json").json["roles"]
    assert roles == [f"{ESCAPE}one", WIDE]


@pytest.mark.parametrize(
    "rules",
    [
        f"(role x) (legal x {ESCAPE}) (<= (next {WIDE}",
        f"(role x) (<= (legal x ?{ESCAPE}{WIDE}) (true a))",
        f"{ESCAPE}{WIDE}",
        f"(role x) {GAME.replace('terminal', WIDE)} (<= (goal x {ESCAPE}) (true {WIDE}))",
    ],
    ids=["never closed", "unsafe", "no rules", "no number"],
)
def test_errors_in_rules_are_made_visible_and_cut(rules: str) -> None:
    message = refusal_of(inside("check", write(rules)))
    assert "\x1b" not in message
    assert len(message) < 20_000
    assert max(map(len, message.splitlines())) < 1000


def test_words_of_the_command_line_are_made_visible_and_cut() -> None:
    for words in (["check", f"{ESCAPE}{WIDE}"], [f"{ESCAPE}{WIDE}"], ["check", "monty_hall", f"--{ESCAPE}{WIDE}"]):
        message = refusal_of(inside(*words))
        assert "\x1b" not in message
        assert len(message) < 2000


# Messages that can be followed


@pytest.mark.parametrize("clock", ["--start-clock", "--play-clock"])
@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf"])
def test_a_clock_is_called_as_the_user_called_it(clock: str, value: str) -> None:
    message = refusal_of(
        inside("match", "kuhn_poker", "--player", "first=first", "--player", "second=first", clock, value)
    )
    assert clock in message
    assert "_seconds" not in message


def test_the_help_of_the_command_is_named() -> None:
    for words in (
        ["solve"],
        ["solve", "kuhn_poker", "--iteration-count", "3"],
        ["solve", "kuhn_poker", "--iterations", "x"],
    ):
        assert "`veil solve --help`" in refusal_of(inside(*words))
    assert "`veil --help`" in refusal_of(inside("slove", "kuhn_poker"))


def test_a_record_of_a_finished_game_says_that_it_is_over() -> None:
    game = veil.load("monty_hall")
    ended = game.record("contestant").then("(choose 1)").then("noop", "2").then("switch", "3")
    with pytest.raises(veil.VeilError, match="the game ends in round 3, and the record does not say so"):
        veil.believe(game, ended)
    Path("told.json").write_text(json.dumps(ended.as_json()))
    assert inside("infoset", "monty_hall", "--role", "contestant", "--record", "told.json", "--json").json["size"] == 1


def test_a_single_percept_is_no_list_of_letters() -> None:
    record = veil.load("matching_pennies").record("even").then("heads", "tails")
    assert record.rounds == (("heads", frozenset({"tails"})),)


def test_a_transitive_closure_is_no_reason_for_a_warning() -> None:
    closure = "(edge 1 2) (<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z)) "
    outcome = inside("check", write(f"{ONE_NODE} {closure} (<= (goal white 0) (path 1 3))"))
    assert (outcome.code, outcome.err) == (0, "")


# Numbers, widths, JSON


def test_one_of_something_is_called_so() -> None:
    path = write(ONE_NODE)
    tree, check = inside("tree", path).out, inside("check", path).out
    assert "the whole game has 1 node\n" in tree
    assert "1 terminal, 0 chance nodes, 0 decisions" in tree
    for text in (tree, check, inside("sim", path, "--playouts", "1").out):
        assert not any(
            f" 1 {word}" in text for word in ("nodes", "strata", "terminals", "moves", "fluents", "atoms", "games")
        )


def test_the_tree_names_its_game() -> None:
    assert inside("tree", "kuhn_poker", "--json").json["game"] == "kuhn_poker"


@pytest.mark.parametrize("width", [60, 80])
def test_a_game_is_shown_within_the_width(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr("veil.cli.commands.games._sample_lines", lambda family, seed: [])
    for name in FAMILIES:
        head, *lines = inside("games", name).out.splitlines()
        assert head.startswith(name)
        assert [line for line in lines if len(line) > width and " " in line.strip()[20:]] == []


# In a notebook


def test_the_module_lists_what_a_user_types() -> None:
    public = [name for name in dir(veil) if not name.startswith("_")]
    assert public == sorted(vars(veil)["__all__"])
    assert {"load", "solve", "evaluate", "believe", "run_match", "run_tournament", "make_player"} <= set(public)


@pytest.mark.parametrize("name", ["load", "solve", "evaluate", "believe", "run_match", "run_tournament", "make_player"])
def test_help_and_signatures_are_those_of_the_functions(name: str) -> None:
    function = getattr(veil, name)
    text = pydoc.plain(pydoc.render_doc(function))
    assert f"{name}(" in text
    assert inspect.getdoc(function).splitlines()[0] in text  # type: ignore[union-attr]
    parameters = inspect.signature(function).parameters
    assert parameters
    assert not any(entry.name in ("args", "kwargs") for entry in parameters.values())
    assert all(entry.annotation is not entry.empty for entry in parameters.values())


def test_a_policy_written_by_hand_is_a_plain_dict() -> None:
    even = {"even": {"start": {"heads": 0.5, "tails": 0.5}}}
    judged = veil.evaluate("matching_pennies", {**even, "odd": {"start": {"heads": 1.0, "tails": 0.0}}})
    assert judged.exploitability > 0
    assert judged.missing == 0
    assert veil.evaluate("matching_pennies", even).missing == 1
    with pytest.raises(veil.VeilError, match="the probabilities add up to"):
        veil.evaluate("matching_pennies", {"even": {"start": {"heads": 0.5}}})
