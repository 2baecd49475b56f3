import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.studio import RULES
from veil.server.web.host.settings import StudioConfig
from veil.server.web.jobs.game_sources import GameSource
from veil.server.web.jobs.rules_check import check_rules, play_through, review

TUTORIAL = Path(__file__).resolve().parents[5] / "docs" / "start" / "studio.md"
BLOCK = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def source_of(text: str) -> dict[str, Any]:
    return GameSource(name="mine", text=text).as_arguments(StudioConfig(folder=Path("unused")))


def nothing(data: Any) -> None:
    pass


def test_wrong_rules_are_an_answer_with_a_place_and_a_way_out() -> None:
    broken = RULES.read_text().replace("(true (coin ?c)))", "(true (coin ?c))", 1)
    answer = check_rules(nothing, source_of(broken))
    assert not answer["ok"]
    entry = answer["problems"][0]
    assert entry["severity"] == "error"
    assert entry["line"] == RULES.read_text().split("(true (coin ?c)))")[0].count("\n") + 1
    assert entry["column"] == 1
    assert entry["hint"]


@pytest.mark.parametrize("text", ["", "\0", "(" * 100_000, "(role", "é" * 100, ")" * 5])
def test_anything_can_be_checked(text: str) -> None:
    answer = check_rules(nothing, source_of(text))
    assert not answer["ok"]
    assert answer["problems"]


def test_a_playthrough_tells_the_truth_and_what_every_role_can_know() -> None:
    said: list[Any] = []
    end = play_through(said.append, source_of(RULES.read_text()), seed=1)
    facts, rounds = said[0]["facts"], [part["round"] for part in said[1:]]
    assert [entry["role"] for entry in facts["roles"]] == ["hider", "seeker"]
    assert facts["roles"][0]["num_moves"] == 4
    assert [entry["number"] for entry in rounds] == list(range(len(rounds)))
    assert set(rounds[0]["known"]) == {"hider", "seeker"}
    assert rounds[1]["known"]["hider"]["count"] == 1
    assert rounds[1]["known"]["seeker"]["count"] == 3
    assert end["over"]
    assert sum(end["goals"].values()) == 100
    assert end["flaws"] == []


def test_the_tutorial_shows_what_is_in_its_game_and_what_happens_to_it() -> None:
    text, rules = TUTORIAL.read_text(), RULES.read_text()
    blocks = [block for block in BLOCK.findall(text) if block.startswith("(")]
    *shown, change = blocks
    assert len(shown) >= 5
    for line in "".join(shown).splitlines():
        assert line in rules.splitlines(), line
    old = "(cup 1) (cup 2) (cup 3)\n(succ 1 2) (succ 2 3)\n"
    assert old in rules
    assert check_rules(nothing, source_of(rules.replace(old, change)))["ok"]
    cut = rules.replace("(<= (goal hider 100) (not found))", "(<= (goal hider 100) (not found)")
    problem = check_rules(nothing, source_of(cut))["problems"][0]
    assert f"{problem['message']}\n{problem['hint']}\n" in text


def test_a_review_has_figures_and_findings() -> None:
    said: list[dict[str, Any]] = []
    found = review(said.append, source_of(RULES.read_text()), seconds=1.0)
    assert "random games" in found["page"]
    assert found["page"] in found["document"]
    assert [step["task"] for step in said if step["page"]]  # what Stop keeps
    assert said[-1]["share"] > said[0]["share"]
    assert found["figures"]["game"] == "mine"
    assert all(entry["message"] for entry in found["findings"])
