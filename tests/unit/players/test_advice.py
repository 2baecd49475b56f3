"""Advice of a player after a record."""

from __future__ import annotations

from pathlib import Path

from tests.support.seats import JACK, seat
from veil.engine import Record
from veil.players.advice import ask_advice

DEAF = """
class Player:
    def start(self, seat):
        self.told = []
    def play(self, observation):
        self.told.append(observation)
        return f"{len(self.told)} questions"
    def stop(self, observation):
        pass
    def report(self):
        return {"told": [None if entry is None else list(entry.percepts) for entry in self.told]}
"""
RECORD = Record("first", JACK)


def test_a_player_knows_the_whole_record_when_it_is_asked() -> None:
    move, report = ask_advice("hyperplay:models=20,playouts=20", seat("kuhn_poker", "first"), RECORD)
    assert move in ("bet", "pass")
    assert set(report["values"]) == {"bet", "pass"}
    assert report["worlds"] == 2  # the other has the queen or the king


def test_before_the_first_round_there_is_nothing_to_be_told() -> None:
    assert ask_advice("hyperplay", seat("kuhn_poker", "first"), Record("first")) == (
        "noop",
        {"forced": "noop", "belief_states": 0},
    )


def test_players_who_take_offers_are_offered_the_moves_of_now_and_told_the_last_round(tmp_path: Path) -> None:
    assert ask_advice("first", seat("kuhn_poker", "first"), RECORD, ("pass", "bet")).move == "pass"
    path = tmp_path / "deaf.py"
    path.write_text(DEAF)
    move, report = ask_advice(f"own:file={path}", seat("kuhn_poker", "first"), RECORD)
    assert (move, report) == ("1 questions", {"told": [[]]})
