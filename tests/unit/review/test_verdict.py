"""One verdict on a game; rules that can never fire, by their common cause."""

from __future__ import annotations

import veil
from veil.errors import Problem
from veil.review import WatchedRules, find_dead_rules, find_verdict, judge_soundness
from veil.review.findings import find_rule_slips

GUESS = """
(role ann) (init (step 1))
(<= (legal ann left) (true (step 1)))
(<= (legal ann right) (true (step 1)))
(<= (next (chose ?m)) (does ann ?m))
(<= terminal (true (chose ?m)))
(<= (goal ann 100) (true (chose left)))
(<= (goal ann 0) (true (chose right)))
"""
MISSPELT = GUESS + "(<= (goal ann 100) (true doubtd))\n(<= bold (true doubtd))\n(<= (goal ann 100) bold)\n"


def verdict_of(text: str) -> tuple[str, bool]:
    game = veil.load(text)
    return find_verdict(game, judge_soundness(game))


def test_a_game_without_flaws_and_doubts_is_sound() -> None:
    assert verdict_of(GUESS) == ("a sound game", True)


def test_a_game_that_asks_for_a_name_nobody_defines_is_not_called_sound() -> None:
    sentence, is_sound = verdict_of(MISSPELT)
    assert not is_sound
    assert sentence.startswith("it can be played, but 1 name")


def test_a_doubtful_name_is_named_as_the_cause_of_a_flaw_in_play() -> None:
    sentence, is_sound = verdict_of(MISSPELT + "(<= (goal ann 50) (true (chose left)))\n")
    assert (sentence, is_sound) == ("not a sound game: 1 name may be misspelt; goals are missing or ambiguous", False)


def test_rules_that_cannot_fire_are_those_that_need_what_no_rule_makes() -> None:
    game = veil.load(MISSPELT)
    lines = [game.rules.source.place(rule.node.offset).line for rule in find_dead_rules(game.rules.rules)]
    assert lines == [9, 10, 11]
    assert find_dead_rules(veil.load(GUESS).rules.rules) == []


def test_consequences_of_one_misspelt_name_are_one_finding() -> None:
    slips = list(find_rule_slips(veil.load(MISSPELT), WatchedRules([], {}, 64), 64, 0, 10))
    assert [entry.code for entry in slips] == ["review-dead-rules"]
    assert slips[0].message.endswith("line 9, 10, 11")
    assert all(isinstance(entry, Problem) for entry in slips)


def test_a_rule_whose_misspelt_name_is_known_is_not_reported_a_second_time() -> None:
    game = veil.load(MISSPELT)
    (named,) = [entry.place for entry in game.warnings if entry.place is not None]
    other = named._replace(line=1)
    slips = list(find_rule_slips(game, WatchedRules([named, other], {}, 64), 64, 0, 10))
    assert [(entry.code, entry.place.line) for entry in slips if entry.place] == [
        ("review-dead-rules", named.line),
        ("review-silent-rule", 1),
    ]
