from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from veil.engine.grounding import grounder
from veil.engine.grounding.grounder import WORKER, GroundingError, GroundLimits, ground
from veil.errors import VeilError
from veil.lang import read_rules

COUNTS_FOR_EVER = """
(role r) (init (n 0)) (legal r go)
(<= (next (n (s ?x))) (true (n ?x)))
(<= terminal (true (n done))) (goal r 0)
"""
SMALL = """
(role r) (role random) (init (p 1)) (init q)
(<= (legal r (pick ?x)) (number ?x) (not (true (p ?x))))
(<= (legal random ?m) (face ?m))
(number 1) (number 2) (number 3) (face heads) (face tails)
(<= (next (p ?x)) (does r (pick ?x)))
(<= (next q) (true q))
(<= (sees r ?m) (does random ?m) (true q))
(<= unused (true q) (does r (pick 1)))
(<= terminal (true (p 3)))
(<= (goal r 100) (true (p 3))) (<= (goal r 0) (not (true (p 3)))) (goal random 0)
"""


def test_atoms_are_numbered_fluents_first_then_moves() -> None:
    program = ground(read_rules(SMALL))
    assert program.roles == ("r", "random")
    assert program.fluents == (("p", "1"), ("p", "2"), ("p", "3"), "q")
    assert program.moves == ((("pick", "1"), ("pick", "2"), ("pick", "3")), ("heads", "tails"))
    assert program.percepts == (("heads", "tails"), ())
    assert program.goals == ((0, 100), (0,))
    assert list(program.initial) == [True, False, False, True]
    assert [list(atoms) for atoms in program.move_atoms] == [[6, 7, 8], [9, 10]]
    assert program.num_atoms == program.rule_head.max() + 1


def test_rules_come_in_strata_and_bodies_only_ask_for_what_is_below() -> None:
    program = ground(read_rules(SMALL))
    level = np.zeros(program.num_atoms, dtype=int)
    for stratum, (begin, end) in enumerate(zip(program.stratum_start, program.stratum_start[1:], strict=False), 1):
        for rule in range(begin, end):
            level[program.rule_head[rule]] = stratum
    for rule in range(program.num_rules):
        body = program.body[program.body_start[rule] : program.body_start[rule + 1]]
        assert len(body)
        assert (level[body >> 1] < level[program.rule_head[rule]]).all()
    assert (level[np.concatenate(program.legal_atoms)] <= program.static_strata).all()


def test_the_program_cannot_be_changed() -> None:
    program = ground(read_rules(SMALL))
    with pytest.raises(ValueError, match="read-only"):
        program.body[0] = 3
    with pytest.raises(AttributeError):
        program.num_atoms = 0  # type: ignore[misc]


def test_a_game_that_counts_for_ever_ends_at_the_limit_of_rules() -> None:
    with pytest.raises(GroundingError, match=r"more than 5,000 ground rules: terms of s contain terms of s") as caught:
        ground(read_rules(COUNTS_FOR_EVER, "count.kif"), GroundLimits(max_rules=5000))
    assert str(caught.value.problems[0].place) == "count.kif:3:15"


def test_a_game_that_counts_for_ever_ends_at_the_limit_of_seconds() -> None:
    with pytest.raises(GroundingError, match=r"did not end within 0.5 seconds"):
        ground(read_rules(COUNTS_FOR_EVER), GroundLimits(max_seconds=0.5, max_rules=10**9))


@pytest.mark.slow
def test_a_game_that_fills_the_memory_ends_at_the_limit_of_memory() -> None:
    numbers = " ".join(f"(n {i})" for i in range(60))
    wide = (
        f"(role r) (init p) {numbers} (<= (legal r (m ?a ?b ?c ?d)) (n ?a) (n ?b) (n ?c) (n ?d)) (<= terminal (true p))"
    )
    with pytest.raises(GroundingError, match=r"needs more than 0.\d GB of memory|broke down"):
        ground(read_rules(wide), GroundLimits(max_bytes=100 * 2**20, max_rules=10**9))


@pytest.mark.parametrize("kind", ["exit 127", "a pickled message"])
def test_a_worker_without_memory_says_so_in_either_way(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    says = {
        "exit 127": "sys.exit(print('cannot allocate memory for thread-local data: ABORT', file=sys.stderr) or 127)",
        "a pickled message": "pickle.dump({'failed': 'ground-out-of-memory'}, sys.stdout.buffer)",
    }
    worker = tmp_path / "worker.py"
    worker.write_text(f"import pickle, sys\n{says[kind]}\n", encoding="utf-8")
    monkeypatch.setattr(grounder, "WORKER", worker)
    with pytest.raises(GroundingError, match=r"needs more than 6.0 GB of memory"):
        ground(read_rules(SMALL))
    monkeypatch.setattr(grounder, "allowed_bytes", lambda wanted: min(wanted, 2 << 30))
    with pytest.raises(GroundingError, match=r"needs more than 2.0 GB of memory") as caught:
        ground(read_rules(SMALL))
    assert "the system allows this process no more" in str(caught.value)


def test_a_worker_that_breaks_down_is_a_bug_and_shows_what_it_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = tmp_path / "worker.py"
    worker.write_text("raise ValueError('this is odd')\n", encoding="utf-8")
    monkeypatch.setattr(grounder, "WORKER", worker)
    with pytest.raises(RuntimeError, match="this is odd"):
        ground(read_rules(SMALL))


def test_no_grounding_process_is_left_behind() -> None:
    with pytest.raises(GroundingError):
        ground(read_rules(COUNTS_FOR_EVER), GroundLimits(max_seconds=0.3, max_rules=10**9))
    children = subprocess.run(
        ["ps", "--ppid", str(os.getpid()), "-o", "args="], capture_output=True, text=True, check=False
    )
    assert "ps --ppid" in children.stdout
    assert WORKER.name not in children.stdout


@pytest.mark.parametrize("limits", [{"max_rules": 0}, {"max_seconds": -1.0}, {"max_bytes": 0}])
def test_limits_are_positive(limits: dict) -> None:
    with pytest.raises(VeilError, match="must be a number"):
        GroundLimits(**limits)


def test_terminal_through_a_sees_that_depends_on_the_state_only_is_a_game() -> None:
    text = """
    (role r) (init (step 1)) (legal r go) (<= (next (step 2)) (true (step 1)))
    (<= (sees r moved) (does r go)) (<= (sees r over) (true (step 2)))
    (<= terminal (sees r over)) (goal r 1)
    """
    rules = read_rules(text)
    assert [doubt.code for doubt in rules.doubts] == ["depends-on-does"]
    assert ground(rules).terminal_atom > 1


def test_terminal_through_a_sees_that_depends_on_moves_is_refused() -> None:
    text = """(role r) (init p) (legal r go) (<= (next p) (true p))
    (<= (sees r moved) (does r go)) (<= terminal (sees r moved)) (goal r 1)"""
    with pytest.raises(VeilError, match="`terminal` depends on `does` through sees"):
        ground(read_rules(text))


def test_negation_that_is_stratified_atom_by_atom_is_a_game() -> None:
    text = """(role r) (init p) (legal r go) (next p) (succ 1 2) (succ 2 3)
    (<= (win ?x) (succ ?x ?y) (not (win ?y))) (<= terminal (win 2)) (goal r 1)"""
    rules = read_rules(text)
    assert [doubt.code for doubt in rules.doubts] == ["unstratified"]
    assert ground(rules).terminal_atom == 1


def test_negation_in_a_circle_is_refused() -> None:
    text = "(role r) (init p) (legal r go) (<= a (true p) (not b)) (<= b (true p) (not a)) (<= terminal a) (goal r 1)"
    with pytest.raises(VeilError, match="unstratified negation"):
        ground(read_rules(text))


def test_the_worker_imports_nothing_of_veil() -> None:
    text = WORKER.read_text(encoding="utf-8")
    assert "import veil" not in text
    assert "from veil" not in text
