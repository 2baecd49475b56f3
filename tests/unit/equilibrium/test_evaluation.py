"""What a policy is worth: given as a `Policy`, as a file, as a plain table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import veil
from tests.support.equilibrium_games import GUESS, NO_PLAYERS, prepared
from tests.support.refusals import refused
from veil.equilibrium.evaluation import PolicyEvaluation, evaluate, evaluate_policy
from veil.equilibrium.policy import Policy, policy_of
from veil.equilibrium.response import evaluate_profile, uniform_policy

HEADS = {"ann": {"noop": {"heads": 0.75, "tails": 0.25}}}  # for GUESS: 100 where the guess is right, else 10


def test_a_table_is_worth_what_can_be_worked_out_by_hand() -> None:
    """The coin is fair, so every guess is worth 55; there is nothing to win by another one."""
    assert evaluate(GUESS, HEADS) == PolicyEvaluation(
        value={"ann": 55.0}, best_response={"ann": 55.0}, exploitability=0.0, nash_conv=0.0, missing=0
    )


def test_both_pennies_that_are_known_lose_all() -> None:
    """Even wins with the same side up: both show heads, so odd could win everything by showing tails."""
    judged = evaluate("matching_pennies", {role: {"start": {"heads": 1.0}} for role in ("even", "odd")})
    assert judged.value["even"] == judged.best_response["even"] == judged.best_response["odd"]
    assert judged.nash_conv == judged.best_response["odd"] - judged.value["odd"] > 0
    assert judged.exploitability == judged.nash_conv / 2


def test_policy_file_and_table_are_worth_the_same(tmp_path: Path) -> None:
    solution = veil.solve("kuhn_poker", "cfr", iterations=20)
    path = tmp_path / "policy.json"
    solution.policy.save(path)
    table = {role: {record: dict(row) for record, row in rows.items()} for role, rows in solution.policy.table.items()}
    for policy in (solution.policy, path, str(path), table):
        judged = veil.evaluate("kuhn_poker", policy)
        assert judged.value == pytest.approx(solution.value, abs=1e-12)
        assert judged.exploitability == pytest.approx(solution.exploitability, abs=1e-12)
        assert judged.nash_conv == pytest.approx(solution.nash_conv, abs=1e-12)
        best = dict(zip(solution.roles, solution.evaluation.best_value, strict=True))
        assert judged.best_response == pytest.approx(best, abs=1e-12)
        assert judged.missing == 0


def test_what_is_missing_is_counted_and_played_uniformly() -> None:
    entry = prepared("kuhn_poker")
    judged = evaluate("kuhn_poker", {})
    assert judged.missing == 12
    assert judged.exploitability == pytest.approx(
        evaluate_profile(entry.form, uniform_policy(entry.form)).exploitability
    )
    assert evaluate(GUESS, {"ann": {}}).missing == 1


def test_a_prepared_game_is_not_expanded_again() -> None:
    entry = prepared("kuhn_poker")
    policy = policy_of(entry.tree, np.tile([1.0, 0.0], 12))
    assert evaluate_policy(entry, policy) == evaluate(entry.game, policy)


BAD: dict[str, tuple[Any, str]] = {
    "a role that is none": ({"bob": {}}, "there is no role bob; the roles are ann"),
    "a record that is none": ({"ann": {"start": {"heads": 1}}}, "ann is never told `start`"),
    "a move that is none": ({"ann": {"noop": {"edge": 1}}}, "has no move edge; its moves are heads, tails"),
    "too much": ({"ann": {"noop": {"heads": 0.9, "tails": 0.9}}}, "add up to 1.8, not to 1"),
    "no number": ({"ann": {"noop": {"heads": "1"}}}, "the probability of heads is not a number"),
    "NaN": ({"ann": {"noop": {"heads": float("nan")}}}, "heads is nan, not between 0 and 1"),
    "no table below the role": ({"ann": 1}, '"policies" must be an object'),
    "no moves": ({"ann": {"noop": {}}}, "must be an object of move: probability"),
    "other rules": (Policy(game="chess", rules="0", table={}), "it was made for other rules (chess), not for rules"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_policy_that_does_not_fit_is_refused(case: str) -> None:
    policy, expected = BAD[case]
    said = refused("bad-policy", lambda: evaluate(GUESS, policy))
    assert said.startswith("error: the policy: ")
    assert expected in said


def test_a_file_is_named_in_the_message(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    path.write_text(json.dumps({"format": "veil policy 1", "game": "chess", "rules": "0", "policies": {}}))
    said = refused("bad-policy", lambda: evaluate(GUESS, path))
    assert said.startswith(f"error: {path}: it was made for other rules")
    refused("unreadable-file", lambda: evaluate(GUESS, tmp_path / "missing.json"))


def test_a_policy_for_other_rules_is_refused_before_the_game_is_expanded() -> None:
    policy = Policy(game="chess", rules="0", table={})
    refused("bad-policy", lambda: evaluate("leduc_poker", policy, max_nodes=1))


def test_a_game_that_cannot_be_expanded_is_refused() -> None:
    refused("tree-too-large", lambda: evaluate("kuhn_poker", {}, max_nodes=10))
    refused("no-players", lambda: evaluate(NO_PLAYERS, {}))
