"""Players that follow a policy: from a file, or solved before the match."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binomtest, chisquare

from tests.support.games import game
from tests.support.refusals import refused
from tests.support.seats import JACK, QUEEN, seat, told_all
from veil import solve
from veil.caches import BoundedCache
from veil.engine.game import Game
from veil.equilibrium import cached_solutions
from veil.equilibrium.policy import Policy
from veil.players.roster import PLAYERS, make_player, read_player_files

AT_JACK, AT_QUEEN = "noop: (card jack); noop", "noop: (card queen); noop"
DRAWS = 2000


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A policy for first with a jack; it says nothing about a queen."""
    return save(tmp_path, {"first": {AT_JACK: {"bet": 0.3, "pass": 0.7}}})


def save(folder: Path, table: dict[str, Any], rules: str = "kuhn_poker") -> Path:
    path = folder / "policy.json"
    Policy(game=rules, rules=game(rules).fingerprint, table=table).save(path)
    return path


def following(path: Path, seed: int = 1):
    player = make_player(f"policy:file={path}")
    player.start(seat("kuhn_poker", "first", seed))
    return player


@pytest.mark.parametrize("name", ["policy", "own"])
def test_the_file_may_stand_right_after_the_colon(name: str) -> None:
    assert PLAYERS.parse(f"{name}:a file, b.x") == PLAYERS.parse(f"{name}:file=a file, b.x")


@pytest.mark.compiled("slow as Python")
def test_moves_have_the_frequencies_of_the_policy(saved: Path) -> None:
    """30 % bets; false-alarm rate 1e-6."""
    player = following(saved)
    told_all(player, JACK)
    moves = [player.play(None) for _ in range(DRAWS)]  # nothing new is told: the same decision again
    assert set(moves) == {"bet", "pass"}
    assert binomtest(moves.count("bet"), DRAWS, 0.3).pvalue > 1e-6
    assert player.report() == {"policy": {"bet": 0.3, "pass": 0.7}}


@pytest.mark.compiled("slow as Python")
def test_where_the_policy_is_silent_moves_are_uniform_and_a_note_says_so(saved: Path) -> None:
    """False-alarm rate 1e-6."""
    player = following(saved)
    told_all(player, QUEEN)
    moves = [player.play(None) for _ in range(DRAWS)]
    assert chisquare([moves.count("bet"), moves.count("pass")]).pvalue > 1e-6
    assert player.report()["policy"] == {"bet": 0.5, "pass": 0.5}
    assert "says nothing here" in player.report()["note"]


def test_a_policy_that_names_an_illegal_move_is_followed_without_it(tmp_path: Path) -> None:
    player = following(save(tmp_path, {"first": {AT_JACK: {"bet": 0.5, "noop": 0.5}}}))
    told_all(player, JACK)
    assert {player.play(None) for _ in range(60)} == {"bet"}
    assert "not legal" in str(player.report()["note"])
    player = following(save(tmp_path, {"first": {AT_JACK: {"noop": 1.0}}}))
    told_all(player, JACK)
    assert {player.play(None) for _ in range(60)} == {"bet", "pass"}
    assert "random" in str(player.report()["note"])


def test_where_there_is_no_choice_a_silent_policy_is_no_matter(saved: Path) -> None:
    player = following(saved)
    assert player.play(None) == "noop"
    assert "note" not in player.report()


def test_probabilities_that_are_rounded_are_followed_all_the_same(tmp_path: Path) -> None:
    player = following(save(tmp_path, {"first": {AT_JACK: {"bet": 0.00005, "pass": 1.0}, AT_QUEEN: {"bet": 1.0}}}))
    assert told_all(player, JACK) in ("bet", "pass")
    player = following(save(tmp_path, {"first": {AT_QUEEN: {"bet": 1.0, "pass": -0.00001}}}))
    told_all(player, QUEEN)
    assert {player.play(None) for _ in range(50)} == {"bet"}


def test_the_same_seed_gives_the_same_moves(saved: Path) -> None:
    found = []
    for seed in (1, 1, 2):
        player = following(saved, seed)
        told_all(player, JACK)
        found.append([player.play(None) for _ in range(40)])
    assert found[0] == found[1] != found[2]


def test_a_policy_for_other_rules_is_refused(tmp_path: Path) -> None:
    path = save(tmp_path, {}, "leduc_poker")
    player = make_player(f"policy:file={path}")
    message = refused("bad-policy", lambda: player.start(seat("kuhn_poker", "first")))
    assert "leduc_poker" in message
    assert str(path) in message


def test_a_policy_that_is_not_there_is_refused(tmp_path: Path) -> None:
    refused("unreadable-file", lambda: make_player(f"policy:file={tmp_path}/none.json"))


def test_a_policy_that_is_carried_along_needs_no_file(tmp_path: Path) -> None:
    path = save(tmp_path, {})
    spec = f"policy:file={path}"
    files = read_player_files(["random", spec])
    path.unlink()
    assert list(files) == [str(path)]
    player = make_player(spec, files)
    player.start(seat("kuhn_poker", "first"))
    assert player.play(None) == "noop"


@pytest.fixture
def no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has been solved yet."""
    monkeypatch.setattr(cached_solutions, "_solved", BoundedCache(9))


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize(
    ("spec", "method", "iterations"),
    [("solve:iterations=50", "cfr+", 50), ("solve:method=lp", "lp", 1000), ("its:iterations=20", "its", 20)],
)
@pytest.mark.usefixtures("no_memory")
def test_what_is_solved_before_the_match_is_what_is_played(spec: str, method: str, iterations: int) -> None:
    """With the frequencies of the solution in every infoset of the first role; false-alarm rate 1e-6 each."""
    table = solve(game("kuhn_poker"), method, iterations=iterations, seed=4).policy.table["first"]
    for told, name in ((JACK, AT_JACK), (QUEEN, AT_QUEEN)):
        player = make_player(spec)
        player.start(seat("kuhn_poker", "first", 4))
        told_all(player, told)
        bets = [player.play(None) for _ in range(500)].count("bet")
        assert player.report()["policy"] == pytest.approx(table[name])
        assert binomtest(bets, 500, min(1.0, max(0.0, table[name]["bet"]))).pvalue > 1e-6


def count_solving(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """How `solve` was called; it still solves."""
    calls: list[dict[str, Any]] = []

    def counted(of: Game, method: str, **options: Any) -> object:
        calls.append({"method": method} | options)
        return solve(of, method, iterations=5)

    monkeypatch.setattr(cached_solutions, "solve", counted)
    return calls


@pytest.mark.usefixtures("no_memory")
def test_one_solution_serves_all_matches_with_the_same_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = count_solving(monkeypatch)
    for seed, role in ((1, "first"), (2, "second"), (3, "first")):
        make_player("solve:iterations=5").start(seat("kuhn_poker", role, seed))
    assert len(calls) == 1
    make_player("solve:iterations=6").start(seat("kuhn_poker", "first"))
    make_player("its:iterations=5").start(seat("kuhn_poker", "first"))
    make_player("solve:iterations=5").start(seat("monty_hall", "contestant"))
    assert [(call["method"], call["iterations"]) for call in calls[1:]] == [("cfr+", 6), ("its", 5), ("cfr+", 5)]


@pytest.mark.usefixtures("no_memory")
def test_the_start_clock_ends_solving_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = count_solving(monkeypatch)
    make_player("solve").start(seat("kuhn_poker", "first", start_seconds=10.0))
    make_player("solve:iterations=6").start(seat("kuhn_poker", "first"))
    assert [call["seconds"] for call in calls] == [8.0, None]


@pytest.mark.usefixtures("no_memory")
@pytest.mark.parametrize("spec", ["solve:max_nodes=10", "its:max_nodes=10"])
def test_a_game_that_is_too_large_to_solve_is_refused_with_the_option_that_allows_it(spec: str) -> None:
    player = make_player(spec)
    said = refused("tree-too-large", lambda: player.start(seat("kuhn_poker", "first")))
    assert "raise max_nodes in the spec of the player (solve:max_nodes=...)" in said
    make_player(spec.replace("10", "100")).start(seat("kuhn_poker", "first"))


def test_the_player_of_its_plays_the_last_mu_and_the_least_exploitable_one_if_asked() -> None:
    """In kuhn_poker 17 iterations are more exploitable than some on the way, so the two differ."""
    solution = solve("kuhn_poker", "its", iterations=17, seed=3)
    exploitabilities = [point.exploitability for point in solution.course]
    assert exploitabilities[-1] > min(exploitabilities)
    expected = {"": solution.last_policy, ",checkpoint=best": solution.policy, ",checkpoint=last": solution.last_policy}
    for more, policy in expected.items():
        player: Any = make_player(f"its:iterations=17,seed=3{more}")
        player.start(seat("kuhn_poker", "first"))
        assert player.policy.table == policy.table
    assert solution.last_policy.table != solution.policy.table
