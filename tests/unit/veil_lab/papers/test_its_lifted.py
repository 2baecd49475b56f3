"""HyperPlay-II in the extended cutting wire by the definitions of both papers."""

from __future__ import annotations

import pytest

from veil_lab.papers.its_lifted import value_first_move


@pytest.mark.nightly
@pytest.mark.compiled("slow as Python")
def test_both_accounts_are_met_and_both_tell_at_once() -> None:
    """75 and 70 by the ITS paper, 80 and 50 by hand from the HyperPlay article; 400 simulations of 0 to 100."""
    report = value_first_move(seed=0, simulations=400)
    for _, theirs, account, by_hand, ours in report.rows:
        assert account == pytest.approx(theirs, abs=7)
        assert ours == pytest.approx(by_hand, abs=13)
    tell, wait = report.rows
    assert tell[2] > wait[2]
    assert tell[4] > wait[4]
