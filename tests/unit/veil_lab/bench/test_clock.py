"""How players keep a clock: what is measured, and of which games."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from veil.errors import VeilError
from veil_lab.bench import clock, find_benchmark


def test_only_the_games_that_are_named_are_measured() -> None:
    with patch.object(clock, "list_players", lambda: ["random", "first"]):
        result = find_benchmark("clock", ["kuhn_poker", "monty_hall"]).measure(0.01, lambda _: None)
        text = clock.as_table(result)
    assert [(row["game"], row["player"]) for row in result["moves"]] == [
        *(("kuhn_poker", "random"), ("kuhn_poker", "first")),
        *(("monty_hall", "random"), ("monty_hall", "first")),
    ]
    assert all(row["answers"] > 0 and row["errors"] == 0 for row in result["moves"])
    assert "100.00 %" in text


def test_a_benchmark_with_games_of_its_own_takes_no_others() -> None:
    with pytest.raises(VeilError, match="games of its own"):
        find_benchmark("engine", ["kuhn_poker"])
