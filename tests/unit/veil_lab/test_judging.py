"""Players that are judged once: what is kept stands for a player, its seed and the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from veil.equilibrium import prepare
from veil.match import ExploitConfig, exploit
from veil_lab import judging, keep_pieces
from veil_lab.judging import judge_player

PLAYER = "montecarlo:playouts=5"
RULES = """
(role only) (legal only left) (legal only right)
(<= (next (chose ?move)) (does only ?move)) (<= terminal (true (chose ?move)))
(<= (goal only {prize}) (true (chose left))) (<= (goal only 0) (true (chose right)))
"""


@pytest.mark.compiled("slow as Python")
def test_a_player_is_judged_as_by_exploit() -> None:
    judged = judge_player(prepare("kuhn_poker"), ExploitConfig(player=PLAYER, seed=4))
    assert judged.nash_conv == exploit("kuhn_poker", PLAYER, seed=4).nash_conv
    assert judged.seconds > 0


def test_what_is_kept_is_not_searched_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, path = prepare("kuhn_poker"), str(tmp_path / "pieces.db")
    with keep_pieces(path):
        first = judge_player(game, ExploitConfig(player=PLAYER))
    monkeypatch.setattr(judging, "exploit_prepared", lambda *given: pytest.fail("searched again"))
    with keep_pieces(path):
        assert judge_player(game, ExploitConfig(player=PLAYER)) == first


def test_other_rules_of_the_same_name_are_judged_anew(tmp_path: Path) -> None:
    found, path = [], tmp_path / "prize.kif"
    with keep_pieces(str(tmp_path / "pieces.db")):
        for prize in (100, 60):
            path.write_text(RULES.format(prize=prize))
            found.append(judge_player(prepare(path), ExploitConfig(player="random")).nash_conv)
    assert found == [50, 30]  # half of the prize is lost
