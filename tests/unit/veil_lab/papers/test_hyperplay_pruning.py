"""The experiment with discounting and pruning, run small."""

from __future__ import annotations

import pytest

from veil_lab.papers.article import VARIANT_OF
from veil_lab.papers.hyperplay_pruning import OPTIONS, SOLVED, pruning


@pytest.mark.compiled("slow as Python")
def test_cutting_at_the_solved_value_spares_states_in_all_settings() -> None:
    """The direction of the claim: a cut spares states; where all games are equally long, depth prunes nothing."""
    report = pruning(seed=0, quick=True)
    assert len(report.columns) == 2 + 2 * len(VARIANT_OF)
    states = {row[1]: row[3::2] for row in report.rows if row[0] == SOLVED[0]}
    assert set(states) == {option or "none" for option in OPTIONS}
    for setting in range(len(VARIANT_OF)):
        assert states["cut_on_win=solved"][setting] < states["none"][setting]
        assert states["cut_on_win=solved"][setting] < states["prune_on_depth=true"][setting]
