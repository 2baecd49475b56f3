"""Rule text -> checked `Rules`, or an error that points at the character.

The line: `source` (bytes to characters) -> a notation of the table `notations`, such as `prefix` or `infix` (characters
to syntax tree) -> `build` (tree to rules) -> `check` and `repair` (well-formed and safe, or refused). `Rules` carries
the analysis of its rules, their dependencies and domains, for everybody who comes after.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.lang.depends import Dependencies as Dependencies
    from veil.lang.domains import Domains as Domains, Position as Position, positions as positions
    from veil.lang.efg import NOOP as NOOP, name_apart as name_apart, plain_word as plain_word
    from veil.lang.notations import NOTATIONS as NOTATIONS, Notation as Notation
    from veil.lang.read import (
        read_rules as read_rules,
        read_statements as read_statements,
        read_term as read_term,
    )
    from veil.lang.rule import Literal as Literal, Rule as Rule
    from veil.lang.rules import Rules as Rules, RuleSet as RuleSet
    from veil.lang.source import Source as Source, decode as decode, join_sources as join_sources
    from veil.lang.tree import Group as Group, Node as Node, Parsed as Parsed, Word as Word, words as words
else:
    __getattr__, __dir__, __all__ = lazy_face(
        __name__,
        {
            "depends": "Dependencies",
            "domains": "Domains Position positions",
            "efg": "NOOP name_apart plain_word",
            "notations": "NOTATIONS Notation",
            "read": "read_rules read_statements read_term",
            "rule": "Literal Rule",
            "rules": "RuleSet Rules",
            "source": "Source decode join_sources",
            "tree": "Group Node Parsed Word words",
        },
    )
