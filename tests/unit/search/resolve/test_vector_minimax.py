"""Backward induction over worlds: who is taken to see everything changes what is best."""

from __future__ import annotations

import pytest

from tests.support.games import game
from veil.engine.record import parse_record
from veil.players.advice import ask_advice
from veil.players.contract import Seat

GUESS = """
(role random) (role chooser) (role guesser)
(init (round deal))
(<= (legal random (hide ?c)) (true (round deal)) (colour ?c))
(<= (legal random noop) (not (true (round deal))))
(colour red) (colour blue)
(<= (legal chooser noop) (not (true (round choose))))
(<= (legal chooser (offer ?k)) (true (round choose)) (kind ?k))
(kind sure) (kind gamble)
(<= (legal guesser noop) (not (true (round guess))))
(<= (legal guesser (guess ?c)) (true (round guess)) (colour ?c))
(<= (next (round choose)) (true (round deal)))
(<= (next (round guess)) (true (round choose)))
(<= (next (round over)) (true (round guess)))
(<= (next (hidden ?c)) (does random (hide ?c)))
(<= (next (hidden ?c)) (true (hidden ?c)))
(<= (next (offered ?k)) (does chooser (offer ?k)))
(<= (next (offered ?k)) (true (offered ?k)))
(<= (next (guessed ?c)) (does guesser (guess ?c)))
(<= terminal (true (round over)))
(<= right (true (hidden ?c)) (true (guessed ?c)))
(<= (goal chooser 40) (true (offered sure)))
(<= (goal chooser 0) (true (offered gamble)) right)
(<= (goal chooser 100) (true (offered gamble)) (not right))
(<= (goal guesser 60) (true (offered sure)))
(<= (goal guesser 100) (true (offered gamble)) right)
(<= (goal guesser 0) (true (offered gamble)) (not right))
(<= (goal random 0) terminal)
"""  # nobody sees the colour: a gamble is worth 50 against a guesser who does not know it, and 0 against one who does


@pytest.mark.parametrize(("seeing", "gamble"), [("others", 0.0), ("me", 50.0), ("all", 0.0), ("none", 50.0)])
def test_a_gamble_is_worth_what_the_guesser_sees(seeing: str, gamble: float) -> None:
    of = game(GUESS)
    report = ask_advice(
        f"vector_minimax:seeing={seeing}", Seat(game=of, role="chooser", seed=1), parse_record("chooser", "noop")
    )
    values = report.report["values"]
    assert values == {"(offer gamble)": pytest.approx(gamble), "(offer sure)": pytest.approx(40.0)}
    assert report.report["complete"]
    assert report.move == ("(offer sure)" if gamble < 40 else "(offer gamble)")


def test_a_deadline_and_a_small_tree_leave_playouts() -> None:
    krieg = game("krieg_tictactoe")
    for seat in (Seat(game=krieg, role="xplayer", seed=1), Seat(game=krieg, role="xplayer", seed=1, play_seconds=0.2)):
        found = ask_advice("vector_minimax:nodes=200,playouts=2", seat, parse_record("xplayer", "start"))
        assert not found.report["complete"]
        assert found.report["nodes"] <= 1000
        assert sum(found.report["strategy"].values()) == pytest.approx(1.0)
