"""Other words for the words of a game."""

from __future__ import annotations

import pytest

import veil
from veil.engine import write_statements
from veil.lang import read_rules
from veil.wire.scrambler import RESERVED, Scrambler


@pytest.mark.parametrize("name", ["monty_hall", "kuhn_poker", "krieg_tictactoe"])
def test_scrambled_rules_are_the_same_game_in_other_words(name: str) -> None:
    rules = write_statements(veil.load(name))
    scrambler = Scrambler(rules, seed=1)
    scrambled = [scrambler.scramble(rule) for rule in rules]
    assert [scrambler.unscramble(rule) for rule in scrambled] == [rule.lower() for rule in rules]
    assert len(read_rules("\n".join(scrambled)).rules) == len(read_rules("\n".join(rules)).rules)
    before, after = ({word for rule in texts for word in split(rule)} for texts in (rules, scrambled))
    assert len(before) == len(after)
    kept = before & after
    assert kept <= RESERVED | {word for word in before if word.isdigit()}
    assert {"<=", "legal", "role"} <= kept


def split(rule: str) -> list[str]:
    return rule.replace("(", " ").replace(")", " ").split()


def test_a_seed_gives_the_same_words_and_another_others() -> None:
    rules = ["(role white)", "(legal white (move a 1))"]
    texts = [Scrambler(rules, seed).scramble(rules[1]) for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


def test_capitals_of_an_answer_do_not_matter_and_unknown_words_stay() -> None:
    scrambler = Scrambler(["(legal white (move a 1))"], seed=3)
    assert scrambler.unscramble(scrambler.scramble("(move a 1)").upper()) == "(move a 1)"
    assert scrambler.unscramble("(Nonsense 7)") == "(nonsense 7)"


def test_there_are_words_enough_for_any_game() -> None:
    rules = [f"(fact word{number})" for number in range(3_000)]
    scrambler = Scrambler(rules, seed=0)
    assert len({scrambler.scramble(rule) for rule in rules}) == len(rules)
