"""What players say about their moves, in words and as a table; players of one's own say what they like."""

from __future__ import annotations

from typing import Any

import pytest

from veil.players.reports import describe_reasons, describe_report, list_reported

SAID: dict[str, tuple[Any, list[str]]] = {
    "all of it": (
        {"values": {"a": 1.0, "b": 60.04}, "worlds": 2, "playouts": 6000},
        ["thinks b 60.0, a 1.0 (2 worlds, 6,000 playouts)"],
    ),
    "one of each": ({"values": {"a": 1}, "worlds": 1, "playouts": 1}, ["thinks a 1.0 (1 world, 1 playout)"]),
    "values alone": ({"values": {"(choose 1)": 60.0}}, ["thinks (choose 1) 60.0"]),
    "no playouts": ({"values": {"a": 1.0}, "worlds": 2, "playouts": 0}, ["thinks a 1.0 (2 worlds)"]),
    "values that are no dict": ({"values": [1, "x"]}, ['thinks [1, "x"]']),
    "a value that is a text": ({"values": {"a": "good", "b": 5.0}}, ["thinks b 5.0, a good"]),
    "a value that is nothing": ({"values": {"a": None, "b": 5.0}}, ["thinks b 5.0, a null"]),
    "a value beyond all floats": ({"values": {"a": 10**400}}, [f"thinks a {10**400}"]),
    "counts that are texts": ({"values": {"a": 1.0}, "worlds": "few", "playouts": []}, ["thinks a 1.0 (few worlds)"]),
    "a policy": ({"policy": {"a": 0.25, "b": 0.75}}, ["policy a 0.250, b 0.750"]),
    "a policy with a note": ({"policy": {"a": 1}, "note": "off"}, ["policy a 1.000 (off)"]),
    "chances that are texts": ({"policy": {"a": "often"}}, ["policy a often"]),
    "a policy that is a text": ({"policy": "random"}, ["policy random"]),
    "a forced move": ({"forced": "noop"}, []),
    "something else": ({"mood": "fine"}, []),
    "nothing": ({}, []),
    "no report": (None, []),
    "a text": ("I liked it", []),
}


@pytest.mark.parametrize("case", SAID)
def test_what_a_player_said_is_shown_as_well_as_it_can_be(case: str) -> None:
    report, lines = SAID[case]
    assert describe_report(report) == lines


REPORT = {"values": {"(bid 1)": 40, "(bid 2)": 60.5}, "strategy": {"(bid 1)": 0.75, "(bid 2)": 0.25}}


def test_moves_come_in_the_order_that_is_asked_for() -> None:
    assert list_reported(REPORT, first="value") == [("(bid 2)", 60.5, 0.25), ("(bid 1)", 40.0, 0.75)]
    assert list_reported(REPORT, first="chance") == [("(bid 1)", 40.0, 0.75), ("(bid 2)", 60.5, 0.25)]


def test_a_policy_stands_for_a_strategy_and_what_is_missing_is_nothing() -> None:
    assert list_reported({"policy": {"wait": 1.0}}, first="value") == [("wait", None, 1.0)]


@pytest.mark.parametrize(
    "report", [None, "good", 3, {}, {"values": "high"}, {"values": {"wait": "high"}}, {"values": None}]
)
def test_a_report_without_numbers_has_no_moves(report: object) -> None:
    assert list_reported(report, first="chance") == []


def test_a_mixed_strategy_is_told_and_a_pure_one_is_not() -> None:
    mixed = {"values": {"a": 1.0, "b": 1.0}, "strategy": {"a": 0.25, "b": 0.75, "c": 0.0}}
    assert describe_reasons(mixed) == ["thinks a 1.0, b 1.0", "mixes b 75 %, a 25 %"]
    assert describe_reasons({"strategy": {"a": 1.0, "b": 0.0}}) == []
    assert describe_reasons({"strategy": "bold"}) == describe_reasons(None) == []
