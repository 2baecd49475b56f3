from veil.lang.depends import Dependencies as Dependencies
from veil.lang.domains import Domains as Domains, Position as Position, positions as positions
from veil.lang.efg import NOOP as NOOP, name_apart as name_apart, plain_word as plain_word
from veil.lang.notations import NOTATIONS as NOTATIONS, Notation as Notation, find_notation as find_notation
from veil.lang.read import (
    read_rules as read_rules,
    read_statements as read_statements,
    read_term as read_term,
)
from veil.lang.rule import Literal as Literal, Rule as Rule
from veil.lang.rules import Rules as Rules, RuleSet as RuleSet
from veil.lang.source import Source as Source, decode as decode, join_sources as join_sources
from veil.lang.tree import (
    Group as Group,
    Node as Node,
    Parsed as Parsed,
    Word as Word,
    words as words,
    write_node as write_node,
)
from veil.lang.turns import take_turns as take_turns
