"""Opponents that play a policy: from a file, from a solver; what is missing is uniform."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.games import NOTHING, game
from tests.support.opponent_games import ask, tell_record
from tests.support.refusals import problem_of
from veil.belief import believe
from veil.caches import BoundedCache
from veil.engine import Record
from veil.equilibrium import Policy, cached_solutions, solve
from veil.search import make_opponents
from veil.search.opponents.policy import PolicyOpponents

JACK = (("noop", frozenset({"(card jack)"})), ("noop", NOTHING))
KING = (("noop", frozenset({"(card king)"})), ("noop", NOTHING))
MOVES = ["bet", "pass"]
BET = Record("second").then("noop").then("noop", ["(card queen)"]).then("noop", ["(played first bet)"])


def policy(rows: dict[str, dict[str, float]]) -> Policy:
    kuhn = game("kuhn_poker")
    return Policy(game="kuhn_poker", rules=kuhn.fingerprint, table={"first": rows})


def king_share(opponents: object) -> float:
    """How sure second, who has a queen and has seen a bet, is that first has the king."""
    return believe(game("kuhn_poker"), BET, opponents=opponents).marginals()["(holds first king)"]  # type: ignore[arg-type]


def test_a_policy_is_looked_up_by_the_record_and_mixed_with_uniform_play() -> None:
    kuhn = game("kuhn_poker")
    opponents = PolicyOpponents(kuhn, policy({str(Record("first", JACK)): {"bet": 0.25, "pass": 0.75}}), mix=0.2)
    for record in (JACK, KING):
        tell_record(opponents, kuhn, "first", record)
    assert ask(opponents, kuhn, "first", JACK, MOVES) == pytest.approx({"bet": 0.3, "pass": 0.7})
    assert ask(opponents, kuhn, "first", KING, MOVES) == {"bet": 0.5, "pass": 0.5}  # the policy says nothing


def test_a_bet_says_what_the_policy_says_it_does() -> None:
    """Bluffs with 1 of 4 jacks, bets 3 of 4 kings: a bet means a king with 3/4."""
    rows = {
        str(Record("first", JACK)): {"bet": 0.25, "pass": 0.75},
        str(Record("first", KING)): {"bet": 0.75, "pass": 0.25},
    }
    assert king_share(None) == pytest.approx(0.5)
    assert king_share(PolicyOpponents(game("kuhn_poker"), policy(rows), mix=1e-9)) == pytest.approx(0.75)


def test_a_policy_that_never_plays_so_leaves_what_uniform_play_says() -> None:
    rows = {str(Record("first", card)): {"bet": 0.0, "pass": 1.0} for card in (JACK, KING)}
    assert king_share(PolicyOpponents(game("kuhn_poker"), policy(rows), mix=0.01)) == pytest.approx(0.5)


def test_opponents_from_a_file_and_from_a_solver_play_alike(tmp_path: Path) -> None:
    """First has a queen, passes, and sees a bet. In equilibrium second bets every king and every third jack."""
    file = tmp_path / "kuhn.json"
    solve("kuhn_poker", "lp").policy.save(file)
    kuhn, queen = game("kuhn_poker"), Record("first").then("noop", ["(card queen)"]).then("noop").then("pass")
    king, jack = 0.99 * 1 + 0.005, 0.99 / 3 + 0.005
    for spec in (f"policy:{file}", f"policy:file={file}", "solve:lp"):
        bag = believe(kuhn, queen.then("noop", ["(played second bet)"]), opponents=make_opponents(spec, kuhn))
        assert bag.marginals()["(holds second king)"] == pytest.approx(king / (king + jack), abs=1e-6), spec


def test_a_solver_is_asked_once_for_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached_solutions, "_solved", BoundedCache(9))
    kuhn = game("kuhn_poker")
    one = make_opponents("solve:cfr+,iterations=7", kuhn, seed=1)
    other = make_opponents("solve:cfr+,iterations=7", kuhn, seed=2)  # cfr+ draws nothing
    assert isinstance(one, PolicyOpponents)
    assert isinstance(other, PolicyOpponents)
    assert one.policy is other.policy


def test_a_policy_for_another_game_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "kuhn.json"
    solve("kuhn_poker", "lp").policy.save(file)
    problem = problem_of(lambda: make_opponents(f"policy:{file}", game("monty_hall")))
    assert problem.code == "bad-policy"
    assert "other rules" in problem.message


def test_a_game_that_is_too_large_to_be_solved_is_refused_with_the_option() -> None:
    problem = problem_of(lambda: make_opponents("solve:max_nodes=10", game("kuhn_poker")))
    assert "opponents.max_nodes" in f"{problem.message} {problem.hint}"
