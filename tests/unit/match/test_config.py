"""How a match is held: what tells one series of results from another."""

from __future__ import annotations

import pytest

from veil.errors import VeilError
from veil.match.config import GRACE, MatchConfig


def test_results_that_were_kept_before_grace_and_scrambling_could_be_set_go_on() -> None:
    usual = MatchConfig().identity()
    assert not {"grace", "scramble", "threads"} & set(usual)
    assert MatchConfig(grace=GRACE, scramble=False, threads=True).identity() == usual
    assert MatchConfig(grace=1.0, scramble=True).identity() == usual | {"grace": 1.0, "scramble": True}


@pytest.mark.parametrize("grace", [-0.1, float("nan"), 1e9])
def test_a_grace_that_makes_no_sense_is_refused(grace: float) -> None:
    with pytest.raises(VeilError, match="grace"):
        MatchConfig(grace=grace)
