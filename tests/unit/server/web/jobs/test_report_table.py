"""What a player reported, as a table for a page."""

from __future__ import annotations

from veil.boards import read_wording
from veil.server.web.jobs.report_table import tell_moves


def test_a_row_has_the_move_in_words_beside_its_numbers() -> None:
    report = {"values": {"(bid 1)": 40, "(bid 2)": 60.5}, "strategy": {"(bid 1)": 0.75, "(bid 2)": 0.25}}
    best, other = tell_moves(report, "value", read_wording(""))
    assert best == {"move": "(bid 2)", "words": "bid 2", "value": 60.5, "chance": 0.25}
    assert other["move"] == "(bid 1)"
