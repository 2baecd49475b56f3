"""Defects that were found by trying to break the command, each with its smallest text."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import veil
from tests.support.command import PATIENCE, inside, outcome_of, refusal_of, veil as command
from veil.engine.datalog.interpreter import RuleReasoner
from veil.lang import read_rules

GAME = "(role a) (init (s 0)) (legal a m) (goal a 1) (<= terminal (true (s 9))) "
INFIX = "role(a). init(s(0)). legal(a, m). goal(a, 1). terminal :- true(s(9)). "


def following(text: str) -> list[str]:
    """The state after the only move."""
    return veil.load(text).initial_state().play({})[0].fluents


def test_an_anonymous_variable_is_no_numbered_one() -> None:
    assert following(INFIX + "q(1, 2). next(s(7)) :- q(_, _1), true(s(0)).") == ["(s 7)"]


@pytest.mark.parametrize(
    "negation", ["not (true(q(Z)) & true(r(Z)))", "~(true(q(Z)), true(r(Z)))", "not(true(q(Z)), true(r(Z)))"]
)
def test_all_ways_to_negate_a_conjunction_in_infix_mean_the_same(negation: str) -> None:
    assert following(INFIX + f"init(q(1)). init(r(2)). next(s(1)) :- {negation}.") == ["(s 1)"]
    assert following(INFIX + f"init(q(1)). init(r(1)). next(s(1)) :- {negation}.") == []


def test_names_of_the_user_never_meet_names_of_ours() -> None:
    text = GAME + "(<= some@1 (true (s 0))) (<= (next (s 1)) (not (true (q ?x)))) (<= (next (s 2)) some@1)"
    assert following(text) == ["(s 1)", "(s 2)"]


def test_inequality_and_indented_comments_are_read_in_infix() -> None:
    assert following(INFIX + "\n   ; a comment\n  # another\nnext(s(X)) :- n(X), X != 3. n(3). n(4).") == ["(s 4)"]


def test_tight_prefix_text_is_prefix() -> None:
    assert following("(role a)(init(s))(legal a m)(<=(next(s))(true(s)))(<=(terminal)(true(z)))(goal a 1)") == ["(s)"]


def test_a_doubt_that_no_ground_program_can_settle_is_an_error() -> None:
    text = GAME + "(<= (legal a n) (does a m))"
    with pytest.raises(veil.VeilError, match="`legal` depends on `does`"):
        veil.load(text, veil.GroundLimits(max_rules=1)).initial_state()


def test_a_relation_of_larger_and_larger_terms_ends_soon(tmp_path: Path) -> None:
    path = tmp_path / "grow.kif"
    path.write_text(GAME + "(num 0) (<= (num (z ?x)) (num ?x)) (<= (next (n ?x)) (num ?x))", encoding="utf-8")
    checked = inside("check", path, "--max-seconds", "2")
    assert checked.code == 2
    assert "terms of z contain terms of z" in checked.err
    traced = inside("trace", path, "--max-seconds", "1")
    assert traced.code == 2
    assert "num with 1 argument(s) holds for more than" in traced.err


def test_a_counter_without_end_is_traced_as_far_as_one_likes(tmp_path: Path) -> None:
    path = tmp_path / "count.kif"
    path.write_text("(role a) (init (n 0)) (legal a m) (<= (next (n (z ?x))) (true (n ?x)))", encoding="utf-8")
    traced = command("trace", path, "--max-rules", "100", "--rounds", "1500", "--json")
    assert traced.code == 0, traced.err
    assert traced.out.count("(z ") > 1_000_000


def test_goals_that_are_no_numbers_are_refused_by_the_interpreter_too() -> None:
    game = veil.load(GAME + "(v ten) (<= (goal a ?v) (v ?v))")
    game.reasoner = RuleReasoner(game.rules)
    with pytest.raises(veil.VeilError, match="the goal value ten is not a whole number"):
        _ = game.initial_state().goals


def test_a_body_of_a_hundred_conditions_is_played_by_the_interpreter() -> None:
    facts = " ".join(f"(f{i} {i % 3}) (f{i} x)" for i in range(100))
    body = " ".join(f"(f{i} ?x{i // 2})" for i in range(100))
    game = veil.load(GAME + f"{facts} (<= (next (s 5)) (true (s 0)) {body})")
    game.reasoner = RuleReasoner(game.rules)
    assert game.initial_state().play({})[0].fluents == ["(s 5)"]


@pytest.mark.parametrize("text", ["(role a) :- foo", "(role x) :- "])
def test_a_stray_arrow_is_said(text: str) -> None:
    with pytest.raises(veil.VeilError, match="`:-` alone is no rule"):
        read_rules(text)


def test_many_blank_lines_and_long_lines_are_read() -> None:
    assert read_rules("\n" * 200_000 + GAME).roles == ("a",)
    wide = read_rules(GAME + " ".join(f"(<= (next (t {i})) (u{i} {i}))" for i in range(3000)))
    assert len(wide.problems) == 3000
    assert max(len(str(entry)) for entry in wide.problems) < 600


def test_old_mac_line_ends_end_lines() -> None:
    assert read_rules(b"; a comment\r(role a)\r(init p)\r(legal a m)\r").roles == ("a",)


@pytest.mark.parametrize(
    "words",
    [
        ("--seed", "-1"),
        ("--max-memory", "inf"),
        ("--max-memory", "nan"),
        ("--max-seconds", "inf"),
        ("--max-seconds", "1e10"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(words: tuple[str, str]) -> None:
    refusal_of(inside("trace", "monty_hall", *words))


def test_a_reader_that_leaves_is_no_error() -> None:
    line = f"{sys.executable} -m veil trace breakthrough | head -1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"], capture_output=True, timeout=PATIENCE, check=False
    )
    assert outcome_of(done.returncode, done.stdout, done.stderr) == (0, "round 1\n", "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full on this system")
def test_a_full_disk_is_said() -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "veil", "games"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 2
    assert "cannot write standard output: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


def test_sim_prints_means_and_speed_and_repeats_with_its_seed() -> None:
    words = ["sim", "tic_tac_toe", "--playouts", "5000", "--seed", "3", "--json"]
    found = [command(*words).json, inside(*words).json]
    assert found[0]["goals"] == found[1]["goals"]
    assert set(found[0]) >= {
        "game",
        "playouts",
        "seconds",
        "playouts_per_second",
        "steps_per_second",
        "mean_length",
        "goals",
    }
    assert found[0]["goals"]["xplayer"].keys() == {"mean", "stderr", "ci95"}
    assert inside("sim", "tic_tac_toe", "--playouts", "0").code == 2
    assert inside("bench", "nothing").code == 2


@pytest.mark.nightly
def test_a_home_that_cannot_be_written_leaves_a_working_program(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    env = os.environ | {"VEIL_CACHE": str(blocked / "x")}
    done = command("check", "kuhn_poker", env=env)  # needs few kernels, which may have to be compiled now
    assert done.code == 0
    assert "compiled in memory" in done.err
