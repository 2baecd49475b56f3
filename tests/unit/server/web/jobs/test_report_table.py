"""What a player reported, as a table of moves."""

from __future__ import annotations

from typing import Any

import pytest

from veil.server.web.jobs.report_table import tell_moves

REPORT = {"values": {"(bid 1)": 40, "(bid 2)": 60.5}, "strategy": {"(bid 1)": 0.75, "(bid 2)": 0.25}}


def names(rows: list[dict[str, Any]]) -> list[str]:
    return [row["move"] for row in rows]


def test_moves_come_in_the_order_that_is_asked_for() -> None:
    assert names(tell_moves(REPORT, first="value")) == ["(bid 2)", "(bid 1)"]
    assert names(tell_moves(REPORT, first="chance")) == ["(bid 1)", "(bid 2)"]
    assert tell_moves(REPORT, first="value")[0] == {"move": "(bid 2)", "words": "bid 2", "value": 60.5, "chance": 0.25}


def test_a_policy_stands_for_a_strategy_and_what_is_missing_is_nothing() -> None:
    (row,) = tell_moves({"policy": {"wait": 1.0}}, first="value")
    assert (row["value"], row["chance"]) == (None, 1.0)


@pytest.mark.parametrize(
    "report", [None, "good", 3, {}, {"values": "high"}, {"values": {"wait": "high"}}, {"values": None}]
)
def test_a_report_without_numbers_has_no_moves(report: object) -> None:
    assert tell_moves(report, first="chance") == []
