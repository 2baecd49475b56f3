"""The experiment on opponents that are read: its columns, and the direction of its claim."""

from __future__ import annotations

import pytest

from veil_lab.papers.article import SMALL_KRIEG
from veil_lab.papers.opponents_read import LIFTED, read_aims


def first_number(cell: str) -> float:
    """The mean of `91.1 ± 4.2`."""
    return float(str(cell).split()[0])


@pytest.mark.nightly
@pytest.mark.compiled("slow as Python")
def test_a_secret_aim_is_no_secret_late_in_the_game_if_the_opponent_is_read() -> None:
    report = read_aims(seed=0, quick=True)
    assert report.columns == ("round", "uniform", "read, a HyperPlayer", "read, a random player")
    played = [row for row in report.rows if row[2] != "-"]
    assert {first_number(row[1]) for row in played} == {50.0}  # whatever he does, uniform opponents say nothing
    assert all(first_number(row[2]) == 50.0 for row in played[:2])  # nothing has been played yet
    late = played[len(played) // 2 :]
    assert len(late) >= 3
    assert all(first_number(row[2]) > 80.0 for row in late)
    worth, lifted = report.parts
    assert worth.columns == ("game", "against", "uniform", "read", "difference")
    for _, _, uniform, read, difference in worth.rows:
        assert abs(first_number(read) - first_number(uniform) - first_number(difference)) <= 0.11  # rounded
    assert {row[0] for row in worth.rows} == {"hidden_connect", SMALL_KRIEG, "leduc_poker"}
    assert lifted.columns == ("HyperPlay-II", "against", "mean goal", "more than unread", "states HP-II/HP")
    assert [row[0] for row in lifted.rows[::2]] == list(LIFTED)
    assert {first_number(row[3]) for row in lifted.rows[:2]} == {0.0}  # beside itself
    assert all(0.4 < row[4] < 2.5 for row in lifted.rows[::2])  # few pilots: equal states, roughly
