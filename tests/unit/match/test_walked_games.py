"""How exploitable players are in games that are walked: as on the tree, whatever the order of the slots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import veil
from tests.support.equilibrium_games import prepared
from tests.support.refusals import refused
from veil.engine import as_game
from veil.equilibrium import prepare_walk
from veil.equilibrium.streaming import choice
from veil.errors import fail
from veil.match.exploitability import ExploitConfig, OnlineEvaluation, Workers, exploit, exploit_prepared
from veil.match.search_store import SearchStore

KUHN = "kuhn_poker"
GAMES = ["monty_hall", KUHN, "leduc_poker", "dark_hex(2, abrupt)", "ii_goofspiel(3)", "banker_and_thief"]


def judge_on_walk(name: str, player: str, **options: Any) -> OnlineEvaluation:
    """Play and judge the aggregate on a walk, though the tree would fit."""
    with SearchStore() as store:
        config = ExploitConfig(player=player, method="aggregate", **options)
        return exploit_prepared(prepare_walk(as_game(name)), config, store)


@pytest.fixture
def no_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """No tree fits."""

    def refuse(*given: object, **options: object) -> None:
        raise fail("tree-too-large", nodes="1", how="", option="--max-nodes")

    monkeypatch.setattr(choice, "prepare", refuse)
    monkeypatch.setattr("veil.match.exploitability.prepare", refuse)


@pytest.mark.gate_cases(4)
@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize("player", ["ismcts:iterations=40", "montecarlo:playouts=3"])
@pytest.mark.parametrize("name", GAMES)
def test_the_walk_gives_the_result_of_the_tree(name: str, player: str) -> None:
    on_tree = exploit(name, player, method="aggregate", matches=3, unreached="uniform", seed=2)
    walked = judge_on_walk(name, player, matches=3, unreached="uniform", seed=2)
    assert (walked.infosets, walked.unreached) == (on_tree.infosets, on_tree.unreached)
    assert on_tree.unreached < on_tree.infosets  # something has been found
    assert walked.evaluation.value == pytest.approx(on_tree.evaluation.value, abs=1e-9)
    assert walked.evaluation.best_value == pytest.approx(on_tree.evaluation.best_value, abs=1e-9)
    assert [point.number for point in walked.course] == [3]
    for role, rows in on_tree.policy.table.items():
        for record, row in rows.items():
            assert walked.policy.at(role, record) == pytest.approx(row, abs=1e-6)


def test_fixed_moves_of_a_walk_are_pure_and_judged_as_the_tree_judges_them() -> None:
    walked = judge_on_walk("leduc_poker", "first", matches=2, unreached="fixed")
    again = veil.evaluate("leduc_poker", walked.policy)
    assert walked.nash_conv == pytest.approx(again.nash_conv, abs=1e-9)
    unreached = np.repeat(~walked.judgement.reached, np.diff(walked.prepared.form.slot_start))
    assert set(np.unique(walked.judgement.policy[unreached])) == {0.0, 1.0}


def test_what_does_not_fit_is_walked_by_the_aggregate_and_refused_by_brute_force(no_trees: None) -> None:
    judged = exploit(KUHN, "random", method="aggregate", matches=40, unreached="uniform")
    assert judged.nash_conv == pytest.approx(11 / 12)
    assert "--method aggregate" in refused("brute-needs-tree", lambda: exploit(KUHN, "random"))
    refused("tree-too-large", lambda: exploit(KUHN, "random", method="aggregate", max_nodes=10))


def test_brute_force_is_refused_on_a_walk() -> None:
    with SearchStore() as store:
        config = ExploitConfig(player="random")
        refused("brute-needs-tree", lambda: exploit_prepared(prepare_walk(as_game(KUHN)), config, store))


def test_a_store_of_a_tree_is_refused_by_a_walk_and_its_own_goes_on(tmp_path: Path, no_trees: None) -> None:
    config, counts = ExploitConfig(player="first", method="aggregate", matches=3), list[tuple[int, int]]()
    with SearchStore(str(tmp_path / "tree.db")) as store:
        exploit_prepared(prepared(KUHN), config, store)
        said = refused("bad-store", lambda: exploit_prepared(prepare_walk(as_game(KUHN)), config, store))
        assert "other settings" in said
    kept = str(tmp_path / "walk.db")
    first = exploit(KUHN, "first", method="aggregate", matches=3, store=kept)
    workers = Workers(progress=lambda done, total: counts.append((done, total)))
    again = exploit(KUHN, "first", method="aggregate", matches=3, store=kept, workers=workers)
    assert counts == [(6, 6)]
    assert (again.judgement.policy == first.judgement.policy).all()


def test_the_policy_of_a_walk_is_written_as_arrays(tmp_path: Path) -> None:
    walked = judge_on_walk(KUHN, "first", matches=20)
    name = tmp_path / "first.veil"
    walked.policy.save(name)
    assert veil.evaluate(KUHN, name).nash_conv == pytest.approx(walked.nash_conv, abs=1e-6)


def test_a_share_of_the_walk_is_told() -> None:
    shares: list[float] = []
    with SearchStore() as store:
        config = ExploitConfig(player="first", method="aggregate", matches=1)
        exploit_prepared(prepare_walk(as_game(KUHN)), config, store, Workers(share=shares.append))
    assert shares[-1] == 1.0
    assert shares == sorted(shares)
