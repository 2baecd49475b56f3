"""Ten ways to break a rules file: each is refused in bounded time, with a message a person can act on."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.command import ENDLESS, RACE, inside, refusal_of, veil

TEN_MEGABYTES = 10 * 2**20


class Broken(NamedTuple):
    """A file, what the message must say, and the place it must point at: where a text stands, 0 from its start."""

    data: str | bytes
    words: tuple[str, ...]
    at: str | None = None  # the message points at the first occurrence of this
    options: tuple[str, ...] = ()


BROKEN = {
    "a parenthesis too few": Broken(
        RACE.replace("(role ?r))\n(<= (legal ?r rest)", "(role ?r)\n(<= (legal ?r rest)"),
        ("`(` is never closed", "1 open at the end", "hint: add the `)`"),
        "(<= (legal ?r step)",
    ),
    "a parenthesis too many": Broken(
        RACE.replace("(does ?r rest)", "(does ?r rest))"), ("`)` closes nothing", "hint: remove it"), ")\n(<= (sees"
    ),
    "unsafe beyond repair": Broken(
        RACE + "(<= (next (lost ?y)) (true (at red 0)) (not (true (seen ?y))))\n",
        ("unsafe rule: ?y is bound nowhere", "hint: add a condition that binds ?y"),
        "?y)) (true (at red 0))",
    ),
    "unstratified": Broken(
        RACE
        + "(<= win (not lose) (true (at red 0)))\n(<= lose (not win) (true (at red 0)))\n(<= (sees red win) win)\n",
        ("unstratified negation", "win", "lose", "hint: break the circle"),
        "lose) (true",
    ),
    "true as a head": Broken(
        RACE + "(<= (true (at ?r 0)) (role ?r))\n",
        ("`true` cannot be the head of a rule", "hint:", "init, legal, next"),
        "(true (at ?r 0))",
    ),
    "init in a body": Broken(
        RACE + "(<= (sees ?r back) (role ?r) (init (at ?r 0)))\n",
        ("`init` cannot stand in the body of a rule", "with `true`"),
        "(init (at ?r 0))",
    ),
    "legal that depends on does": Broken(
        RACE + "(<= (legal ?r echo) (does ?r step))\n", ("`legal` depends on `does`", "hint:"), "(does ?r step))"
    ),
    "wrong arity": Broken(
        RACE + "(<= (legal ?r) (role ?r))\n", ("`legal` takes 2 argument(s), here it has 1",), "(legal ?r)"
    ),
    "wrong arity in a body": Broken(
        RACE + "(<= (sees ?r on) (role ?r) (true at ?r 1))\n",
        ("`true` takes 1 argument(s), here it has 3",),
        "(true at",
    ),
    "empty": Broken("", ("game.kif holds no rules", "hint: a game needs at least (role ...)")),
    "comments only": Broken("; no rules yet\n\n; nor here\n", ("game.kif holds no rules",)),
    "binary": Broken(bytes(range(256)) * 64, ("game.kif is not a text file", "hint: a rules file is plain text")),
    "10 MB of opening parentheses": Broken(
        b"(" * TEN_MEGABYTES, ("game.kif:1:201: more than 200 parentheses are open here", "hint:")
    ),
    "10 MB of pairs of parentheses": Broken(b"()" * (TEN_MEGABYTES // 2), ("game.kif:1:1: empty parentheses", "hint:")),
    "endless grounding": Broken(
        ENDLESS,
        (
            "the game has more than 100,000 ground rules",
            "terms of s contain terms of s, without end",
            "hint: give the counter",
        ),
        "s ?x)",
        ("--max-rules", "100000"),
    ),
    "no roles": Broken(
        RACE.replace("(role red) (role blue)", ""), ("the game has no roles", "hint: name each player: (role white)")
    ),
    "no rules of a game": Broken("Dear Sir or Madam,\nplease find attached the game.\n", ("game.kif:", "expected")),
}
SMALL = [name for name, broken in BROKEN.items() if len(broken.data) < 2**20 and name != "endless grounding"]


def write(folder: Path, data: str | bytes) -> Path:
    path = folder / "game.kif"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def place(text: str, wanted: str) -> tuple[int, int]:
    """Line and column of the first occurrence, counted from 1."""
    at = text.index(wanted)
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


@pytest.mark.gate_cases(8)
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_refused_with_a_message_to_act_on(name: str, tmp_path: Path) -> None:
    broken = BROKEN[name]
    outcome = inside("check", write(tmp_path, broken.data), *broken.options)
    message = refusal_of(outcome)
    assert outcome.out == ""
    for word in broken.words:
        assert word in message
    assert max(map(len, message.splitlines())) < 400
    if broken.at is not None:
        assert isinstance(broken.data, str)
        line, column = place(broken.data, broken.at)
        assert f"error: game.kif:{line}:{column}: " in message
        source, caret = message.splitlines()[1:3]
        assert source == "    " + broken.data.splitlines()[line - 1]
        assert caret == " " * (4 + column - 1) + "^"


@pytest.mark.parametrize("name", SMALL)
def test_trace_refuses_what_check_refuses(name: str, tmp_path: Path) -> None:
    broken = BROKEN[name]
    outcome = inside("trace", write(tmp_path, broken.data), "--json")
    message = refusal_of(outcome)
    assert all(word in message for word in broken.words)
    errors = outcome.json["errors"]
    assert outcome.json["ok"] is False
    assert broken.words[0].removeprefix("game.kif:") in errors[0]["message"] or errors[0]["where"]
    if broken.at is not None:
        assert isinstance(broken.data, str)
        line, column = place(broken.data, broken.at)
        assert errors[0]["where"] == {"file": "game.kif", "line": line, "column": column}


def test_several_wrong_rules_are_reported_together(tmp_path: Path) -> None:
    text = RACE + "".join(f"(<= (legal ?r m{i} too many) (role ?r))\n" for i in range(8))
    message = refusal_of(veil("check", write(tmp_path, text)))
    assert message.count("`legal` takes 2 argument(s), here it has 4") == 5
    assert "and 3 more errors" in message
