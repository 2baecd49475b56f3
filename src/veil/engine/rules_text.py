"""The rules of a game as text for other programs, in whatever notation they were written; and games of GDL-I.

GDL-I, the language of games without hidden information, has no `sees`: every role is told all moves. A game for our
players says what a role sees; `open_moves` adds that to rules that do not say it.
"""

from __future__ import annotations

from dataclasses import replace

from veil.engine.game import Game
from veil.lang import Group, Node, Source, Word, read_rules, read_statements, write_node

SEES = "sees"
PLAYED = "played"  # how a role sees another role's move: (played ROLE MOVE)
ALL_MOVES = f"(<= ({SEES} ?p ({PLAYED} ?q ?m)) (role ?p) (does ?q ?m) (distinct ?p ?q))"


def write_statements(game: Game) -> list[str]:
    """Return the rules as GDL in prefix notation, one text per statement, in their order and spelling.

    Disjunctions and other constructs of the notation are kept as they were written; games in another notation are
    translated.
    """
    parsed = read_statements(game.rules.source)
    return [write_node(node, parsed.spelling) for node in parsed.statements]


def has_percepts(game: Game) -> bool:
    """Return whether any rule says what a role sees; rules of GDL-I do not."""
    return any(rule.signature[0] == SEES for rule in game.rules.rules)


def open_moves(game: Game) -> Game:
    """Return the game in which every role sees the moves of all others after each round, and nothing else."""
    parsed = read_statements(game.rules.source)
    kept = [write_node(node, parsed.spelling) for node in parsed.statements if _head(node) != SEES]
    text = "\n".join([*kept, ALL_MOVES])
    return replace(game, rules=read_rules(Source(game.rules.source.name, text)))


def _head(statement: Node) -> str:
    """Return the name of the relation that a statement defines."""
    while isinstance(statement, Group) and statement.items:
        first = statement.items[0]
        is_rule = isinstance(first, Word) and first.text == "<=" and len(statement.items) > 1
        statement = statement.items[1] if is_rule else first
    return statement.text if isinstance(statement, Word) else ""
