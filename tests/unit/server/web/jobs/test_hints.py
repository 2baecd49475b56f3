"""Hints and judgements of the studio."""

from __future__ import annotations

import pytest

import veil
from veil.server.web.jobs.hints import think


@pytest.mark.parametrize(
    ("card", "move", "loss"), [("queen", "bet", 1 / 6), ("king", "bet", 0.0), ("king", "pass", 0.0)]
)
def test_betting_the_queen_in_kuhn_poker_is_judged_as_a_mistake(card: str, move: str, loss: float) -> None:
    """In equilibrium the queen loses 1/3 by passing and 1/2 by betting; with the king both are equal (Kuhn 1950)."""
    record = veil.load("kuhn_poker").record("first").then("noop", [f"(card {card})"]).then("noop")
    verdict = think(veil.load("kuhn_poker"), record, "best", 1.0)
    values = {entry["move"]: entry["value"] for entry in verdict["moves"]}
    assert max(values.values()) - values[move] == pytest.approx(loss, abs=0.02)
    assert verdict["reason"]["method"] == "solved"
