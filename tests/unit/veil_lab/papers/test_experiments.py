"""The table of experiments: each can be found, and has a test of its own beside this file."""

from __future__ import annotations

from pathlib import Path

import pytest

from veil.errors import VeilError
from veil_lab.papers import EXPERIMENTS, check_game, find_experiment

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", [name for name in EXPERIMENTS if name.startswith(("hyperplay", "its"))])
def test_every_experiment_is_found_and_its_function_is_run_by_a_test(name: str) -> None:
    experiment = find_experiment(name)
    module, _, function = EXPERIMENTS[name].partition(":")
    assert experiment.__name__ == function
    text = (HERE / f"test_{module}.py").read_text(encoding="utf-8")
    assert f"{function}(" in text or f", {function}" in text


def test_an_unknown_experiment_is_refused_with_those_there_are() -> None:
    with pytest.raises(VeilError) as refusal:
        find_experiment("hyperplay-fig8")
    assert "hyperplay-fig7" in str(refusal.value)


def test_each_of_the_games_that_are_given_must_be_one_of_the_experiment() -> None:
    check_game(["isg-table1"], "racko, gops")
    with pytest.raises(VeilError) as refusal:
        check_game(["isg-table1"], "racko,chess")
    assert "no game chess" in str(refusal.value)
