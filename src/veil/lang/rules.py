"""`Rules`: a checked game description; `RuleSet`: its rules, with the analysis that later steps need."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from veil.errors import Place, Problem
from veil.lang.depends import Dependencies, find_dependencies
from veil.lang.domains import Domains, find_domains
from veil.lang.rule import Rule
from veil.lang.source import Source
from veil.vocabulary import Signature, Term, show


class RuleSet:
    """Rules in their order. Their dependencies and domains are computed at their first use, and then cached."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    @cached_property
    def dependencies(self) -> Dependencies:
        """The dependencies between predicates."""
        return find_dependencies(self.rules)

    @cached_property
    def domains(self) -> Domains:
        """The terms that can stand at each argument position."""
        return find_domains(self.rules)

    @cached_property
    def by_head(self) -> dict[Signature, list[Rule]]:
        """The rules of every predicate that has rules."""
        rules: dict[Signature, list[Rule]] = {}
        for rule in self.rules:
            rules.setdefault(rule.signature, []).append(rule)
        return rules

    def rewrite(self, rules: Iterable[Rule]) -> RuleSet:
        """Return the set of these rules; it is this very set if nothing changed, so that its analysis is used again."""
        changed = tuple(rules)
        same = len(changed) == len(self.rules) and all(map(operator.is_, changed, self.rules))
        return self if same else RuleSet(changed)


@dataclass(frozen=True, slots=True, repr=False)
class Rules:
    """A game description: well-formed, repaired where necessary, with the problems that were found."""

    source: Source
    roles: tuple[Term, ...]
    rule_set: RuleSet
    spelling: dict[str, str] = field(repr=False)
    problems: tuple[Problem, ...] = ()  # warnings and notes; errors are raised
    doubts: tuple[Problem, ...] = ()  # errors that only hold if the ground program confirms them
    scale: int = 1  # goal values are payoffs times this

    def __repr__(self) -> str:
        return f"Rules({self.source.name!r}, {len(self.rules)} rules)"

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules, in their order."""
        return self.rule_set.rules

    @property
    def dependencies(self) -> Dependencies:
        """The dependencies between predicates; computed once."""
        return self.rule_set.dependencies

    @property
    def domains(self) -> Domains:
        """The terms that can stand at each argument position; computed once."""
        return self.rule_set.domains

    def show(self, term: Term) -> str:
        """Return a term as the rules spell it."""
        return show(term, self.spelling)

    def goal_place(self) -> Place:
        """Return the place of a rule that takes its goal value from a variable, for messages."""
        rule = next(rule for rule in self.rules if rule.signature == ("goal", 2) and rule.body)
        return self.source.place(rule.node.offset)
