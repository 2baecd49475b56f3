"""Rules in which a fluent `control(R)` says who moves, and `legal` does not: how they are found, and how they are read.

One public collection of games (those of pyggp) is written for an interpreter with other meanings than GDL-II: only
the roles in control move, a role sees what is true in the state that it moves in, and without `sees` it sees all of
that state. `take_turns` writes the same game as GDL-II:

1. `legal` asks for control, too; a role without control has the one move `noop`.
2. `sees` asks for the state after the round, since percepts of GDL-II reach a role with its next request. What the
   rules ask about the state is written a second time for that, with `next` in place of `true`.
3. Without `sees`, every role sees the whole state after each round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from veil.errors import Problem, fail, problem
from veil.lang.source import Source
from veil.lang.tree import Group, Node, Parsed, Word, head_word, words, write_node

CONTROL, NOOP = "control", "noop"
RULE = "<="


def find_silent_turns(source: Source, statements: Iterable[Node]) -> Problem | None:
    """Return a note if a fluent `control(R)` is part of the state, and no legal move depends on it; else None."""
    rules = [_Statement(node) for node in statements]
    controls = [rule for rule in rules if rule.name in ("init", "next") and _is_control(rule.argument)]
    legal = [rule for rule in rules if rule.name == "legal"]
    if not controls or not legal or len([rule for rule in rules if rule.name == "role"]) < 2:
        return None
    below = {"legal"} | _find_below(rules, "legal")
    asked = [part for rule in rules if rule.name in below for node in rule.body for part in _groups(node)]
    if any(head_word(part) == "true" and _may_be_control(part) for part in asked):
        return None
    return problem("turns-as-written", source.place(legal[0].node.offset))


def take_turns(source: Source, parsed: Parsed) -> Source:
    """Return the game in which only the roles in control move, as a text in prefix notation.

    Refuse rules in which no fluent says who moves, or in which `legal` asks for it already.
    """
    if find_silent_turns(source, parsed.statements) is None:
        raise fail("bad-turns", name=source.name)
    rules = [_Statement(node) for node in parsed.statements]
    used = {word.text for rule in rules for word in words(rule.node)}
    reached = _find_free("reached", used)
    seen = _find_below(rules, "sees")
    moving = _find_moving(rules) & seen
    later = {name: _find_free(f"{name}_{reached}", used) for name in moving} | {"true": reached}
    texts = [write_node(node, parsed.spelling) for rule in rules for node in _rewrite(rule, later, reached)]
    texts.append(f"({RULE} (legal ?r {NOOP}) (role ?r) (not (true ({CONTROL} ?r))))")
    if not any(rule.name == "sees" for rule in rules):
        texts.append(f"({RULE} (sees ?r ?f) (role ?r) ({reached} ?f))")
    return Source(source.name, "\n".join(texts))


class _Statement:
    """A fact or a rule, taken apart."""

    def __init__(self, node: Node) -> None:
        self.node = node
        is_rule = isinstance(node, Group) and head_word(node) == RULE
        self.head: Node = node.items[1] if is_rule and isinstance(node, Group) else node
        self.body: tuple[Node, ...] = node.items[2:] if is_rule and isinstance(node, Group) else ()
        self.name = head_word(self.head)

    @property
    def argument(self) -> Node | None:
        """The first argument of the head."""
        return self.head.items[1] if isinstance(self.head, Group) and len(self.head.items) > 1 else None


def _rewrite(rule: _Statement, later: dict[str, str], reached: str) -> Iterator[Node]:
    """Yield what stands for a statement."""
    offset = rule.node.offset
    if rule.name == "legal" and rule.argument is not None:
        control = _group(offset, Word("true", offset), _group(offset, Word(CONTROL, offset), rule.argument))
        yield _group(offset, Word(RULE, offset), rule.head, control, *rule.body)
        return
    if rule.name == "sees":
        yield _group(offset, Word(RULE, offset), rule.head, *(_rename(node, later) for node in rule.body))
        return
    yield rule.node
    if rule.name == "next" and isinstance(rule.head, Group):
        after = _group(offset, Word(reached, offset), *rule.head.items[1:])
        yield _group(offset, Word(RULE, offset), after, *rule.body)
    elif rule.name in later:
        head = _rename(rule.head, later)
        yield _group(offset, Word(RULE, offset), head, *(_rename(node, later) for node in rule.body))


def _rename(node: Node, later: dict[str, str]) -> Node:
    """Return an atom, or atoms below connectives, with the names of the state after the round."""
    if isinstance(node, Word):
        return Word(later.get(node.text, node.text), node.offset)
    first, *rest = node.items
    if head_word(node) in ("not", "and", "or"):
        return Group((first, *(_rename(item, later) for item in rest)), node.offset)
    return Group((_rename(first, later), *rest), node.offset)


def _find_below(rules: list[_Statement], name: str) -> set[str]:
    """Return the relations that a relation depends on."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        top = waiting.pop()
        asked = {head_word(part) for rule in rules if rule.name == top for node in rule.body for part in _atoms(node)}
        waiting += sorted(asked - found)
        found |= asked
    return found


def _find_moving(rules: list[_Statement]) -> set[str]:
    """Return the relations, other than parts of the game, that depend on the state."""
    names = {rule.name for rule in rules} - {"init", "next", "legal", "sees", "goal", "terminal", "role"}
    return {name for name in names if "true" in _find_below(rules, name)}


def _atoms(node: Node) -> Iterator[Node]:
    """Yield the atoms of a condition."""
    if isinstance(node, Group) and head_word(node) in ("not", "and", "or"):
        for item in node.items[1:]:
            yield from _atoms(item)
    else:
        yield node


def _groups(node: Node) -> Iterator[Group]:
    for atom in _atoms(node):
        if isinstance(atom, Group):
            yield atom


def _is_control(node: Node | None) -> bool:
    """Return whether a fluent is `control` of one argument."""
    return isinstance(node, Group) and head_word(node) == CONTROL and len(node.items) == 2


def _may_be_control(atom: Group) -> bool:
    """Return whether `(true F)` may ask for control: F is a variable, or control."""
    asked = atom.items[1] if len(atom.items) > 1 else None
    return _is_control(asked) or (isinstance(asked, Word) and asked.text.startswith("?"))


def _find_free(name: str, used: set[str]) -> str:
    """Return a name that is not in use; from now on it is."""
    while name in used:
        name += "_"
    used.add(name)
    return name


def _group(offset: int, *items: Node) -> Group:
    return Group(items, offset)
