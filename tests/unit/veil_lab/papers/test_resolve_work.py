"""NashConv over work: budgets below the whole tree, cells as `exploit` says."""

from __future__ import annotations

import pytest

from veil.equilibrium import prepare
from veil.match import ExploitConfig, exploit
from veil_lab.papers import resolve_work
from veil_lab.papers.resolve_work import compare_gadgets, compare_work, list_specs


def test_every_budget_is_below_the_whole_tree() -> None:
    game = prepare("kuhn_poker")
    specs = [spec for *_, spec in list_specs(game, quick=False)]
    for spec in specs:
        ExploitConfig(player=spec)  # it can be made, and has a strategy
    nodes = [int(spec.partition("nodes=")[2]) for spec in specs if spec.startswith("resolve")]
    assert nodes == sorted(nodes)
    assert 0 < nodes[0] < nodes[-1] < len(game.tree.flat.parent)


def test_cells_are_what_exploit_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolve_work, "list_specs", lambda game, quick: iter([("resolve", "some", "resolve:nodes=20")]))
    (row,) = compare_work(seed=3, quick=True).rows
    assert row == (
        "kuhn_poker",
        "resolve",
        "some",
        f"{exploit('kuhn_poker', 'resolve:nodes=20', seed=3).nash_conv:.3g}",
    )


def test_every_gadget_is_judged_like_any_player() -> None:
    rows = compare_gadgets(seed=3, quick=True).rows
    assert [row[2] for row in rows] == ["`resolve:nodes=20`", "`resolve:nodes=20,gadget=none`"]
    values = [exploit("kuhn_poker", "resolve:nodes=20", seed=seed).nash_conv for seed in (3, 4)]
    assert rows[0][-1] == ", ".join(f"{value:.3g}" for value in values)
    assert rows[0][3].startswith(f"{sum(values) / 2:.2f}")
