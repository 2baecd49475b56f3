"""Sizes estimated by random walks: near those of trees, and exact where all paths are alike."""

from typing import Any

import pytest

from veil.engine import load
from veil.equilibrium import estimate_size, expand

ERRORS = 4.0  # standard errors: with a fixed seed, one of 10,000 seeds would fail


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "ii_goofspiel(4)", "dark_hex(2, abrupt)", "monty_hall"])
def test_estimates_are_near_the_sizes_of_the_tree(name: str) -> None:
    game = load(name)
    found = estimate_size(game, seed=1, record_walks=100)
    counts: dict[str, Any] = expand(game).counts()
    assert found["nodes"].value == pytest.approx(counts["nodes"], abs=ERRORS * found["nodes"].error + 1e-9)
    for kind in ("infosets", "slots"):
        for role, number in counts[kind].items():
            mean = found[kind][role]
            assert mean.value == pytest.approx(number, abs=ERRORS * mean.error + 1e-9), (kind, role)
            assert mean.error < 0.5 * number


def test_a_game_with_equal_paths_is_estimated_exactly() -> None:
    found = estimate_size(load("prisoners_dilemma"), record_walks=2)
    assert [mean.value for mean in found["infosets"].values()] == [1, 1]
    assert [mean.error for mean in found["slots"].values()] == [0, 0]


def test_the_seed_decides() -> None:
    game = load("leduc_poker")
    first, same, other = (estimate_size(game, seed, record_walks=20) for seed in (1, 1, 2))
    assert first == same
    assert first["infosets"] != other["infosets"]
