"""Rule sets: their analysis is computed once and handed on."""

import pytest

from tests.support.rule_texts import GAME
from veil.engine import load
from veil.engine.datalog.interpreter import RuleReasoner
from veil.lang import RuleSet, depends, domains, read_rules, rules as rules_module


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The analyses that are made from now on."""
    calls: list[str] = []

    def count_dependencies(rules: tuple) -> depends.Dependencies:
        calls.append("dependencies")
        return depends.find_dependencies(rules)

    def count_domains(rules: tuple) -> domains.Domains:
        calls.append("domains")
        return domains.find_domains(rules)

    monkeypatch.setattr(rules_module, "find_dependencies", count_dependencies)
    monkeypatch.setattr(rules_module, "find_domains", count_domains)
    return calls


def test_the_analysis_of_a_sound_game_is_made_once_from_the_text_to_the_ground_program(analysed: list[str]) -> None:
    _ = load("tic_tac_toe").program
    assert sorted(analysed) == ["dependencies", "domains"]


def test_the_interpreter_analyses_only_rules_that_it_rewrites(analysed: list[str]) -> None:
    rules = read_rules(GAME)
    RuleReasoner(rules)
    assert sorted(analysed) == ["dependencies", "domains"]


def test_rules_hand_on_the_analysis_of_their_rule_set() -> None:
    rules = read_rules(GAME)
    assert rules.dependencies is rules.rule_set.dependencies is rules.dependencies
    assert rules.domains is rules.rule_set.domains is rules.domains
    assert rules.dependencies.below["next", 1] == {("true", 1): None, ("succ", 2): None}
    assert rules.domains.terms(("predicate", "true", 1, 0), 9) == [("step", "1"), ("step", "2")]


def test_rules_that_have_not_changed_are_the_same_set() -> None:
    rules = read_rules(GAME).rule_set
    assert rules.rewrite(list(rules)) is rules
    shorter = rules.rewrite(rule for rule in rules if rule.body)
    assert len(shorter) == 2 < len(rules)
    assert shorter.dependencies is not rules.dependencies
    assert rules.rewrite(reversed(rules.rules)) is not rules


def test_the_rules_of_a_predicate_are_found_by_its_signature() -> None:
    rules = read_rules(GAME + "(succ 2 3)").rule_set
    assert [rule.head for rule in rules.by_head["succ", 2]] == [("succ", "1", "2"), ("succ", "2", "3")]
    assert ("true", 1) not in rules.by_head
    assert RuleSet([]).by_head == {}
