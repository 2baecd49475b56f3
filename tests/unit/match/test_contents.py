"""What stands behind the names of a tournament, and whether it is still what it was."""

from __future__ import annotations

import os
from pathlib import Path

from tests.support.refusals import refused
from veil.engine import load, open_moves
from veil.match.contents import SourceWatch

GDL1 = """
(role red) (role blue) (init (n 1)) (succ 1 2)
(<= (legal ?r up) (role ?r))
(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
(<= terminal (true (n 2))) (goal red 100) (goal blue 100)
"""


def test_rules_of_gdl1_that_are_played_with_all_moves_seen_may_be_touched_and_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "game.kif"
    path.write_text(GDL1)
    watch = SourceWatch({str(path): open_moves(load(path))}, {})
    os.utime(path, (1, 1))
    watch.check()
    path.write_text(GDL1.replace("goal red 100", "goal red 90"))
    assert "were changed while they were played" in refused("bad-option", watch.check)
