"""Every command about a game takes POGDDL: a domain and a problem in one file or in two."""

import json
from pathlib import Path

import pytest

from tests.support.command import inside, veil


@pytest.fixture
def poker(tmp_path: Path) -> list[str]:
    """A domain file and a problem file."""
    text = inside("games", "simple_poker", "--pogddl").out
    cut = text.index("; simple_poker\n")
    paths = [tmp_path / "domain.pog", tmp_path / "problem.pog"]
    paths[0].write_text(text[:cut], encoding="utf-8")
    paths[1].write_text(text[cut:], encoding="utf-8")
    return [str(path) for path in paths]


def test_check_takes_a_domain_and_a_problem(poker: list[str]) -> None:
    outcome = veil("check", *poker, "--json")
    assert (outcome.code, outcome.json["ok"], outcome.json["name"]) == (0, True, "domain+problem")
    assert [note["code"] for note in outcome.json["notes"]] == ["gains-as-written"]
    alone = veil("check", poker[0])
    assert alone.code == 2
    assert "domain.pog:5:1: a problem is missing" in alone.err


def test_solve_says_which_reading_of_gains_it_took_and_bluffs_once_in_three(poker: list[str]) -> None:
    outcome = inside("solve", *poker, "--transfer", "--method", "lp")
    assert "note: gains are read as a transfer" in outcome.err
    assert "(first-choose pass) 0.667, (first-choose bet) 0.333" in outcome.out
    assert "(second-choose bet) 0.667, (second-choose pass) 0.333" in outcome.out
    literal = inside("solve", *poker, "--method", "cfr+", "--iterations", "10")
    assert "note: gains are read as written" in literal.err


def test_tree_trace_sim_and_match_take_it(poker: list[str]) -> None:
    assert inside("tree", *poker, "--transfer", "--json").json["nodes"] == 15
    goals = inside("trace", *poker, "--transfer", "--json").json["goals"]
    assert goals["first"] == -goals["second"] != 0
    assert inside("sim", *poker, "--transfer", "--playouts", "100", "--json").code == 0
    seats = ("--player", "first=random", "--player", "second=hyperplay:models=5,playouts=5")
    assert inside("match", *poker, "--transfer", *seats, "--games", "3", "--json").json["errors"]["second"] == 0


def test_infoset_takes_it(poker: list[str], tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    record.write_text(
        json.dumps([{"move": "noop", "sees": ["(stronger unknown)"]}, {"move": "noop", "sees": ["(first-chose bet)"]}]),
        encoding="utf-8",
    )
    found = inside("infoset", *poker, "--role", "second", "--record", record, "--json").json
    assert found["size"] == 2
    assert found["marginals"]["(stronghand first)"] == 0.5


def test_a_policy_of_a_pogddl_game_can_be_evaluated(poker: list[str], tmp_path: Path) -> None:
    policy = tmp_path / "policy.json"
    assert inside("solve", *poker, "--transfer", "--method", "lp", "--policy-out", policy).code == 0
    judged = inside("evaluate", *poker, "--transfer", "--policy", policy, "--json").json
    assert judged["exploitability"] < 1e-9
