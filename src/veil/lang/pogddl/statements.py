"""The statements of a translated POGDDL text, and the names in them.

Names that the translation makes have a blank inside, so that no text can have them. Predicates that no action changes
become relations of facts; the others become fluents `(true (name ...))`; derived ones become relations by rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from veil.lang.pogddl.syntax import AtomChange, AtomForm, GameForms, Kind, list_changes
from veil.lang.pogddl.world import World
from veil.lang.tree import Group, Node, Word, words

Key = tuple[str, int]  # a predicate and its number of arguments


def make(name: str, *args: Node | str, at: int) -> Node:
    """Return a term: a name with its arguments, each a node or a word."""
    items = tuple(Word(arg, at) if isinstance(arg, str) else arg for arg in args)
    return Group((Word(name, at), *items), at) if items else Word(name, at)


def deny(node: Node) -> Node:
    """Return the negation of an atom."""
    return Group((Word("not", node.offset), node), node.offset)


class Statements:
    """Collector of the statements of one game. A variable with a type gets a condition that lists its objects."""

    def __init__(self, world: World, forms: GameForms) -> None:
        self.world, self.kinds = world, forms.kinds
        self.nodes: list[Node] = []
        self.changed: set[Key] = set()  # predicates that are part of the state
        self.derived: set[Key] = {rule.head.key for rule in forms.derived}
        self.possible: set[Key] = set(world.facts) | self.derived  # predicates that can be true at all
        for change in list_changes(forms, AtomChange):
            self.changed.add(change.atom.key)
            if change.adds:
                self.possible.add(change.atom.key)
        self._listed: set[Kind] = set()
        self._facts: set[tuple[str, ...]] = set()
        self._count = 0

    def name(self, what: str) -> str:
        """Return a new name."""
        self._count += 1
        return f"{what} {self._count}"

    def add_fact(self, name: str, *args: str, at: int = 0) -> None:
        """Add a fact, unless it exists."""
        if (name, *args) not in self._facts:
            self._facts.add((name, *args))
            self.nodes.append(make(name, *args, at=at))

    def add_rule(self, head: Node, body: Sequence[Node], typed: Collection[str] = ()) -> None:
        """Add a rule; its variables with types are bound by them, but for those that the body gives typed values."""
        used = dict.fromkeys(word.text for node in (head, *body) for word in words(node))
        members = [self._member(name, head.offset) for name in used if name in self.kinds and name not in typed]
        body = [*members, *body]
        self.nodes.append(Group((Word("<=", head.offset), head, *body), head.offset) if body else head)

    def _member(self, variable: str, at: int) -> Node:
        kind = self.kinds[variable]
        name = f"object of {' or '.join(kind)}"
        if kind not in self._listed:
            self._listed.add(kind)
            for member in self.world.members(kind):
                self.add_fact(name, member)
        return make(name, variable, at=at)

    def is_empty(self, variables: Iterable[str]) -> bool:
        """Return whether one of the variables has a type without objects."""
        return any(not self.world.members(self.kinds[name]) for name in variables)

    def atom(self, atom: AtomForm) -> Node:
        """Return the condition that an atom is true; the atom must be possible."""
        at = atom.offset
        if atom.key in self.derived:
            return make(f"derived {atom.name}", *atom.args, at=at)
        if atom.key in self.changed:
            return make("true", make(atom.name, *atom.args, at=at), at=at)
        return make(f"fact {atom.name}", *atom.args, at=at)

    def add_start(self) -> None:
        """Add what holds at the start: fluents, and facts that never change."""
        for (name, arity), atoms in self.world.facts.items():
            for args, at in atoms.items():
                if (name, arity) in self.changed:
                    self.nodes.append(make("init", make(name, *args, at=at), at=at))
                else:
                    self.add_fact(f"fact {name}", *args, at=at)
