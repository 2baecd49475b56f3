"""Rules that do not say what a role sees: nearly always GDL-I, where every role sees all moves."""

from __future__ import annotations

from veil.errors import Problem, problem
from veil.lang.rules import RuleSet
from veil.lang.source import Source
from veil.vocabulary import RANDOM, Term


def find_unseen_moves(source: Source, rules: RuleSet, roles: tuple[Term, ...]) -> Problem | None:
    """Return a note if no rule says what a role sees, and legal moves depend on the state; else None.

    A role `random` is one of GDL-II only.
    """
    says_it = any(rule.signature[0] == "sees" for rule in rules)
    if says_it or len(roles) < 2 or RANDOM in roles:
        return None
    legal = ("legal", 2)
    if ("true", 1) not in rules.dependencies.reachable([legal]):
        return None
    return problem("moves-unseen", source.place(next(rule.node.offset for rule in rules.by_head[legal])))
