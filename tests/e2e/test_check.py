"""`veil check`: its verdict follows its findings, and `--strict` refuses each of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import inside, refusal_of

SOUND = """
(role random) (role ann)
(init (round 0)) (succ 0 1) (succ 1 2)
(coin heads) (coin tails)
(<= (legal random ?c) (coin ?c))
(legal ann stay)
(<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
(<= (next (fell ?c)) (does random ?c))
(<= terminal (true (round 2)))
(goal ann 50)
"""
FLAWED = {
    "a role may have no legal move": SOUND.replace("(legal ann stay)", "(<= (legal ann stay) (true (round 0)))")
    + "(<= (sees ann ?c) (does random ?c))",
    "it may never end": SOUND.replace("(succ 1 2)", "(succ 1 1)").replace("(true (round 2))", "(true (round 7))"),
    "a role cannot know its legal moves": SOUND + "(<= (legal ann go) (true (fell heads)))",
    "goals are missing or ambiguous": SOUND + "(<= (goal ann 0) (true (round 2)))",
}


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    return tmp_path / "game.kif"


def test_a_game_without_findings_is_sound(rules: Path) -> None:
    rules.write_text(SOUND)
    done = inside("check", rules, "--strict")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("game: a sound game\n")
    assert "all compared: no role can be in doubt about its legal moves" in done.out
    told = inside("check", rules, "--json").json
    assert (told["ok"], told["sound"], told["infosets"]["complete"]) == (True, True, True)


@pytest.mark.parametrize("reason", FLAWED)
def test_a_game_with_a_flaw_is_not_called_sound_and_strictly_refusal_of(reason: str, rules: Path) -> None:
    rules.write_text(FLAWED[reason])
    done = inside("check", rules)
    assert done.code == 0, done.err
    assert "warning: " in done.err
    assert done.out.startswith("game: not a sound game: ")
    assert reason in done.out.splitlines()[0]
    told = inside("check", rules, "--json").json
    assert (told["ok"], told["sound"]) == (True, False)
    refusal_of(inside("check", rules, "--strict"))
    assert inside("check", rules, "--strict", "--json").code == 2


def test_it_says_when_the_budget_ended_the_search() -> None:
    done = inside("check", "krieg_tictactoe")
    assert "a sound game" in done.out
    assert "compared; the budget ended the search before all were" in done.out
    told = inside("check", "krieg_tictactoe", "--json").json
    assert told["infosets"]["complete"] is False
    assert told["infosets"]["compared"] > 1000
